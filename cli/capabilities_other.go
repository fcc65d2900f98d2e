//go:build !linux

package cli

// keepCapabilities has nothing to do where programs have none.
func keepCapabilities(string, string) error { return nil }
