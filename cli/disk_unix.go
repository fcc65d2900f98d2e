//go:build linux || darwin || freebsd

package cli

import "syscall"

// freeDisk returns how many bytes this user may still write where path is.
func freeDisk(path string) (int64, error) {
	var s syscall.Statfs_t
	if err := syscall.Statfs(path, &s); err != nil {
		return 0, err
	}
	return int64(s.Bavail) * int64(s.Bsize), nil
}
