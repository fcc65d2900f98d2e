package file

import (
	"errors"
	"fmt"
	"os"

	"go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"
)

// ErrInUse says that another process has the file open.
var ErrInUse = errors.New("the database is in use: is a server running?")

// openFile opens a bbolt file. Damage becomes an error that says what to do.
func openFile(path string, o *bbolt.Options) (file *bbolt.DB, err error) {
	err = Guard(path, func() error {
		file, err = openWhole(path, o)
		return err
	})
	return file, err
}

func openWhole(path string, o *bbolt.Options) (*bbolt.DB, error) {
	o.Timeout = lockTimeout
	file, err := openListed(path, o)
	switch {
	case err == nil:
		return wholeFile(file)
	case errors.Is(err, bolterrors.ErrTimeout):
		return nil, ErrInUse
	case errors.Is(err, ErrDamaged):
		return nil, err
	case errors.Is(err, os.ErrPermission), errors.Is(err, os.ErrNotExist):
		return nil, fmt.Errorf("opening the database: %w", err)
	default:
		return nil, Damaged(path, err)
	}
}

// openListed opens a file after a look at its pages, where bbolt would need one without a guard.
func openListed(path string, o *bbolt.Options) (*bbolt.DB, error) {
	for {
		pages, err := ListedPages(path)
		if err == nil && pages == Unlisted {
			err = checkUnlisted(path)
		}
		if err != nil {
			return nil, err
		}
		o.FreelistType = freelistType(pages)
		file, named, err := openLocked(path, o)
		if err != nil || named {
			return file, err
		}
		if err := file.Close(); err != nil {
			return nil, err
		}
	}
}

// openLocked opens the file at path and reports whether it still has that name now that it is locked. While one waits for the lock,
// who holds it may put another file in its place, as Compact does, and what is written to the old one then is lost.
func openLocked(path string, o *bbolt.Options) (file *bbolt.DB, named bool, err error) {
	var opened os.FileInfo
	o.OpenFile = func(name string, flag int, mode os.FileMode) (*os.File, error) {
		f, err := os.OpenFile(name, flag, mode)
		if err != nil {
			return nil, err
		}
		if opened, err = f.Stat(); err != nil {
			return nil, errors.Join(err, f.Close())
		}
		return f, nil
	}
	if file, err = bbolt.Open(path, 0o600, o); err != nil {
		return nil, false, err
	}
	now, err := os.Stat(path)
	if errors.Is(err, os.ErrNotExist) {
		return file, false, nil
	}
	if err != nil {
		return nil, false, errors.Join(err, file.Close())
	}
	return file, os.SameFile(opened, now), nil
}

// wholeFile closes a file that is shorter than its pages. Reading the missing ones would kill the process.
func wholeFile(file *bbolt.DB) (*bbolt.DB, error) {
	var want int64
	err := file.View(func(tx *bbolt.Tx) error {
		want = tx.Size()
		return nil
	})
	info, statErr := os.Stat(file.Path())
	if err = errors.Join(err, statErr); err == nil && info.Size() < want {
		err = Damaged(file.Path(), fmt.Sprintf("it has %d of %d bytes", info.Size(), want))
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}
