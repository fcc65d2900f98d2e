//go:build !unix

package cli

// ownLike has nothing to do where a file belongs to whom its folder says.
func ownLike(string, string) error { return nil }

func handOver(string) error { return nil }
