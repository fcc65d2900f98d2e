//go:build !linux

package pgtest

import (
	"errors"
	"syscall"
)

// errNotHere says where servers can be started: only on Linux do they end with the tests that started them, whatever happens to those.
var errNotHere = errors.New("tests start a PostgreSQL of their own on Linux only; elsewhere name one with SITEGRADE_TEST_POSTGRES")

func identity(string) (*syscall.SysProcAttr, error) { return nil, errNotHere }

// Kill ends all processes of the server at once, as kill -9 does.
func (s *Server) Kill() error { return nil }

// Freeze has the server hold still: from then on it neither responds nor refuses, until Thaw.
func (s *Server) Freeze() error { return errNotHere }

// Thaw has a server go on that was frozen.
func (s *Server) Thaw() error { return errNotHere }
