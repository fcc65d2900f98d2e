package pgtest

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
	"time"
)

// identity returns as whom a server runs, which refuses to be root, and gives that user a directory. The server ends with the process that
// started it.
func identity(dir string) (*syscall.SysProcAttr, error) {
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
	return &syscall.SysProcAttr{Pdeathsig: syscall.SIGQUIT, Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}}, os.Chown(dir, int(uid), int(gid))
}

// Kill ends all processes of the server at once, as kill -9 does.
func (s *Server) Kill() error {
	if !s.runs() {
		return nil
	}
	killed, err := s.signal(syscall.SIGKILL)
	<-s.ended
	for slices.ContainsFunc(killed, isAlive) { // what they hold, the next server on the data needs
		time.Sleep(time.Millisecond)
	}
	return err
}

// Freeze has the server hold still: from then on it neither responds nor refuses, until Thaw.
func (s *Server) Freeze() error {
	_, err := s.signal(syscall.SIGSTOP)
	return err
}

// Thaw has a server go on that was frozen.
func (s *Server) Thaw() error {
	_, err := s.signal(syscall.SIGCONT)
	return err
}

// signal sends a signal to all processes of the server, so that none of them has the time to act on what happens to the others. It returns the
// children.
func (s *Server) signal(signal syscall.Signal) (children []int, err error) {
	first := s.process.Process
	if err := first.Signal(syscall.SIGSTOP); err != nil { // it starts no others from here on
		return nil, err
	}
	children, err = childrenOf(first.Pid)
	for _, child := range children {
		if sendErr := syscall.Kill(child, signal); !errors.Is(sendErr, syscall.ESRCH) {
			err = errors.Join(err, sendErr)
		}
	}
	return children, errors.Join(err, first.Signal(signal))
}

// childrenOf returns the processes that a process has started.
func childrenOf(parent int) (children []int, err error) {
	all, err := filepath.Glob("/proc/[0-9]*/stat")
	for _, path := range all {
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(path)))
		if err != nil {
			return nil, err
		}
		if _, of := stateOf(pid); of == parent {
			children = append(children, pid)
		}
	}
	return children, err
}

// isAlive reports whether a process has not ended.
func isAlive(pid int) bool {
	state, _ := stateOf(pid)
	return state != "" && state != "Z"
}

// stateOf returns the state of a process as Linux names it and who started it; "" if there is no such process.
func stateOf(pid int) (state string, parent int) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return "", 0
	}
	_, behindName, _ := bytes.Cut(stat, []byte(") ")) // which may have anything in it
	_, _ = fmt.Sscan(string(behindName), &state, &parent)
	return state, parent
}
