package file

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"go.etcd.io/bbolt"
)

// Copy writes what a transaction sees of a database to a new file and syncs it.
func Copy(tx *bbolt.Tx, path string) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = tx.WriteTo(f)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return errors.Join(err, os.Remove(path))
	}
	return syncDir(filepath.Dir(path))
}

// KeepOld makes a copy of a file that is about to leave a schema, and returns its path. The copy gets its name once it is whole; it
// replaces the copy of an attempt that failed.
func KeepOld(f *bbolt.DB, version uint32) (path string, err error) {
	path = fmt.Sprintf("%s.schema%d", f.Path(), version)
	unfinished := path + ".new"
	if err := RemoveIfThere(unfinished); err != nil {
		return "", err
	}
	if err := f.View(func(tx *bbolt.Tx) error { return Copy(tx, unfinished) }); err != nil {
		return "", err
	}
	return path, os.Rename(unfinished, path)
}

// ViewCopy runs read over a file that nobody uses, after a look at all its pages.
func ViewCopy(path string, read func(*bbolt.Tx) error) error {
	file, err := openFile(path, &bbolt.Options{ReadOnly: true, PreLoadFreelist: true})
	if err != nil {
		return err
	}
	err = Guard(path, func() error {
		return file.View(func(tx *bbolt.Tx) error {
			if err := Walk(tx); err != nil {
				return err
			}
			return read(tx)
		})
	})
	return errors.Join(err, file.Close())
}

const (
	// compactTx is how many bytes Compact copies in one transaction.
	compactTx = 64 << 20
	// CompactSuffix is added to the name of a database for the copy that Compact makes, and that Open removes.
	CompactSuffix = ".compact"
)

// Compact rewrites the file at path without its free pages, after migrate, and returns its size before and after. The error is ErrInUse when
// another process has the file open. The old file is replaced only when the new one is on disk and check, which gets its path, finds it
// right; when there is an error, nothing has changed.
func Compact(path string, migrate func(*bbolt.DB) error, check func(path string) error) (before, after int64, err error) {
	from, err := openMigrated(path, &bbolt.Options{}, migrate)
	if err != nil {
		return 0, 0, err
	}
	small := path + CompactSuffix
	if err = writeCompact(from, small); err == nil {
		err = check(small)
	}
	if err == nil {
		if before, after, err = sizes(path, small); err == nil {
			err = replaceLocked(from, small)
		}
	}
	return before, after, errors.Join(err, RemoveIfThere(small), from.Close())
}

// writeCompact makes a copy of from without its free pages.
func writeCompact(from *bbolt.DB, path string) error {
	if err := RemoveIfThere(path); err != nil { // of a Compact that was cut off
		return err
	}
	to, err := bbolt.Open(path, 0o600, &bbolt.Options{Timeout: lockTimeout, NoSync: true, FreelistType: bbolt.FreelistMapType})
	if err != nil {
		return err
	}
	err = Guard(from.Path(), func() error {
		if err := from.View(Walk); err != nil {
			return err
		}
		return bbolt.Compact(to, from, compactTx)
	})
	if err = errors.Join(err, to.Sync(), to.Close()); err != nil {
		return fmt.Errorf("compacting: %w", err)
	}
	return nil
}

// replaceLocked gives a file the name of one that is open. Its lock is held meanwhile, so that who waits for it sees the
// new one; on Windows, where the name of an open file cannot be taken, it is closed first, and nobody else may have it open either.
func replaceLocked(old *bbolt.DB, path string) error {
	name := old.Path()
	if runtime.GOOS == "windows" {
		if err := old.Close(); err != nil {
			return err
		}
	}
	if err := os.Rename(path, name); err != nil {
		return err
	}
	return syncDir(filepath.Dir(name))
}

func sizes(a, b string) (int64, int64, error) {
	x, err := os.Stat(a)
	if err != nil {
		return 0, 0, err
	}
	y, err := os.Stat(b)
	if err != nil {
		return 0, 0, err
	}
	return x.Size(), y.Size(), nil
}
