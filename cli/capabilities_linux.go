package cli

import (
	"errors"
	"fmt"
	"syscall"
)

// keepCapabilities gives a program the capabilities of another (setcap(8)), such as that of a server to use ports under 1024.
func keepCapabilities(path, other string) error {
	const name = "security.capability"
	value := make([]byte, 256)
	n, err := syscall.Getxattr(other, name, value)
	if errors.Is(err, syscall.ENODATA) || errors.Is(err, syscall.ENOTSUP) {
		return nil
	}
	if err == nil {
		err = syscall.Setxattr(path, name, value[:n], 0)
	}
	if err != nil {
		return fmt.Errorf("%s has capabilities that only root can give to another program: run the update as root (%w)", other, err)
	}
	return nil
}
