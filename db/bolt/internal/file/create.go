package file

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"

	"go.etcd.io/bbolt"
)

// freshPattern is what the name of a database ends in until it is whole.
const freshPattern = ".new-*"

// createFile makes a file under another name first, so that a power cut leaves either none or a whole one. Of several processes
// that do so at once one wins, and to the others the file is there already.
func createFile(path string, init func(*bbolt.Tx) error) error {
	fresh, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+freshPattern)
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(fresh.Name()) }()
	if err := fresh.Close(); err != nil {
		return err
	}
	file, err := bbolt.Open(fresh.Name(), 0o600, &bbolt.Options{Timeout: lockTimeout})
	if err != nil {
		return err
	}
	if err := errors.Join(file.Update(init), file.Close()); err != nil {
		return err
	}
	if err := publish(fresh.Name(), path); err != nil {
		return err
	}
	left, _ := filepath.Glob(path + freshPattern) // by a process that was killed, or one that has lost; the pattern is a good one
	for _, unfinished := range left {
		_ = os.Remove(unfinished)
	}
	return syncDir(filepath.Dir(path))
}

// publish gives a file its name unless another has it already: a rename would take it from a server that has just started. It must do where
// the file system knows no links.
func publish(fresh, path string) error {
	if os.Link(fresh, path) == nil {
		return nil
	}
	if _, err := os.Stat(path); err == nil {
		return nil
	}
	return os.Rename(fresh, path)
}

// RemoveIfThere removes a file, unless there is none.
func RemoveIfThere(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}

func syncDir(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	err = f.Sync()
	if runtime.GOOS == "windows" {
		err = nil // directories cannot be synced there
	}
	return errors.Join(err, f.Close())
}
