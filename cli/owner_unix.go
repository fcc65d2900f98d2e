//go:build unix

package cli

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
)

// ownLike gives a file the owner and the group of another. Only root can, and only root needs to.
func ownLike(path, other string) error {
	own, err := ownerOf(path)
	if err != nil {
		return err
	}
	wanted, err := ownerOf(other)
	if err != nil || own == wanted || os.Geteuid() != 0 {
		return err
	}
	return os.Lchown(path, wanted.user, wanted.group)
}

// handOver gives what root made in the data directory to the owner of the directory, whose server must be able to use it.
func handOver(data string) error {
	entries, err := os.ReadDir(data)
	if err != nil || os.Geteuid() != 0 {
		return err
	}
	for _, entry := range entries {
		if !entry.Type().IsRegular() {
			continue // no folder of the disk itself, such as lost+found
		}
		path := filepath.Join(data, entry.Name())
		owner, err := ownerOf(path)
		if errors.Is(err, os.ErrNotExist) {
			continue // the server has removed it since
		}
		if err == nil && owner.user == 0 {
			err = ownLike(path, data)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

type owner struct{ user, group int }

func ownerOf(path string) (owner, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return owner{}, err
	}
	s := info.Sys().(*syscall.Stat_t)
	return owner{int(s.Uid), int(s.Gid)}, nil
}
