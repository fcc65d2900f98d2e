package postgres

import (
	"os"
	"os/user"
	"strconv"
	"syscall"
)

// identity returns as whom the server runs, which refuses to be root.
func (s *testServer) identity() (*syscall.SysProcAttr, error) {
	if os.Geteuid() != 0 {
		return &syscall.SysProcAttr{Pdeathsig: syscall.SIGQUIT}, nil
	}
	account, err := user.Lookup("postgres")
	if err != nil {
		account, err = user.Lookup("nobody")
	}
	if err != nil {
		return nil, err
	}
	uid, err := strconv.ParseUint(account.Uid, 10, 32)
	if err != nil {
		return nil, err
	}
	gid, err := strconv.ParseUint(account.Gid, 10, 32)
	if err != nil {
		return nil, err
	}
	return &syscall.SysProcAttr{Pdeathsig: syscall.SIGQUIT, Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}}, os.Chown(s.dir, int(uid), int(gid))
}
