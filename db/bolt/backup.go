package bolt

import (
	"context"
	"errors"
	"fmt"
	"os"

	"go.etcd.io/bbolt"

	"sitegrade/db"
	"sitegrade/db/bolt/internal/file"
)

// Backup writes a copy of the database to a new file while the server goes on, and checks the copy before it reports success. The
// result is what the check counted. Nothing is left at path on an error.
func (d *DB) Backup(ctx context.Context, path string) (db.CheckResult, error) {
	if err := d.file.Read(ctx, func(tx *bbolt.Tx) error { return file.Copy(tx, path) }); err != nil {
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
