//go:build !linux

package postgres

import (
	"errors"
	"syscall"
)

// identity returns an error: only on Linux does a server end with the tests that started it, whatever happens to them.
func (s *testServer) identity() (*syscall.SysProcAttr, error) {
	return nil, errors.New("tests start a PostgreSQL of their own on Linux only; elsewhere name one with SITEGRADE_TEST_POSTGRES")
}
