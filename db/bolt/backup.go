package bolt

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"go.etcd.io/bbolt"

	"sitegrade/db"
)

// copyFile writes a consistent copy of an open database to a new file and syncs it.
func copyFile(file *bbolt.DB, path string) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	err = file.View(func(tx *bbolt.Tx) error {
		_, err := tx.WriteTo(f)
		return err
	})
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return errors.Join(err, os.Remove(path))
	}
	return syncDir(filepath.Dir(path))
}

// Backup writes a copy of the database to a new file while the server goes on, and checks the copy before it reports success. The
// result is what the check counted. Nothing is left at path on an error.
func (d *DB) Backup(ctx context.Context, path string) (db.CheckResult, error) {
	if err := copyFile(d.bolt, path); err != nil {
		return db.CheckResult{}, fmt.Errorf("writing the backup: %w", err)
	}
	result, err := checkFile(ctx, path)
	if err == nil && len(result.Differences) > 0 {
		err = fmt.Errorf("the backup is not consistent: %s", result.Differences[0])
	}
	if err != nil {
		return db.CheckResult{}, errors.Join(err, os.Remove(path))
	}
	return result, nil
}

// compactTx is how many bytes Compact copies in one transaction.
const compactTx = 64 << 20

// Compact rewrites the database file at path without its free pages, and gives its size before and after. No server may run. The old
// file is replaced only when the new one is whole and on disk.
func Compact(path string) (before, after int64, err error) {
	from, err := openFile(path, &bbolt.Options{})
	if err != nil {
		return 0, 0, err
	}
	defer func() { err = errors.Join(err, from.Close()) }()
	small := path + ".compact"
	if err := os.Remove(small); err != nil && !errors.Is(err, os.ErrNotExist) {
		return 0, 0, err
	}
	to, err := bbolt.Open(small, 0o600, &bbolt.Options{Timeout: lockTimeout, NoSync: true, FreelistType: bbolt.FreelistMapType})
	if err != nil {
		return 0, 0, err
	}
	if err := errors.Join(bbolt.Compact(to, from, compactTx), to.Sync(), to.Close()); err != nil {
		return 0, 0, errors.Join(fmt.Errorf("compacting: %w", err), os.Remove(small))
	}
	if before, after, err = sizes(path, small); err != nil {
		return 0, 0, err
	}
	return before, after, errors.Join(os.Rename(small, path), syncDir(filepath.Dir(path)))
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
