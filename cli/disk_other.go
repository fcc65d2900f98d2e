//go:build !linux && !darwin && !freebsd

package cli

import "errors"

// freeDisk cannot tell on this system.
func freeDisk(string) (int64, error) { return 0, errors.ErrUnsupported }
