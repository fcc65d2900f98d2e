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

// copyFile writes what a transaction sees of a database to a new file and syncs it.
func copyFile(tx *bbolt.Tx, path string) error {
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

// Backup writes a copy of the database to a new file while the server goes on, and checks the copy before it reports success. The
// result is what the check counted. Nothing is left at path on an error.
func (d *DB) Backup(ctx context.Context, path string) (db.CheckResult, error) {
	if err := d.read(func(tx *bbolt.Tx) error { return copyFile(tx, path) }); err != nil {
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
