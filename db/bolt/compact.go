package bolt

import (
	"context"

	"sitegrade/db/bolt/internal/file"
)

// Compact rewrites the database file at path without its free pages, and returns its size before and after. The error is ErrInUse when
// another process has the file open. The old file is replaced only when the new one is on disk and was checked; when there is an
// error, nothing has changed.
func Compact(ctx context.Context, path string) (before, after int64, err error) {
	return file.Compact(path, migrateFile, func(small string) error {
		result, err := checkFile(ctx, small)
		if err == nil && len(result.Differences) > 0 {
			err = file.Damaged(path, result.Differences[0])
		}
		return err
	})
}
