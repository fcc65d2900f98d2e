package bolt

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"go.etcd.io/bbolt"
)

const (
	// compactTx is how many bytes Compact copies in one transaction.
	compactTx = 64 << 20
	// compactSuffix is added to the name of a database for the copy that Compact makes.
	compactSuffix = ".compact"
)

// Compact rewrites the database file at path without its free pages, and returns its size before and after. The error is ErrInUse when
// another process has the file open. The old file is replaced only when the new one is on disk and was checked; when there is an
// error, nothing has changed.
func Compact(ctx context.Context, path string) (before, after int64, err error) {
	from, err := openMigrated(path, &bbolt.Options{})
	if err != nil {
		return 0, 0, err
	}
	small := path + compactSuffix
	if err = writeCompact(ctx, from, small); err == nil {
		if before, after, err = sizes(path, small); err == nil {
			err = replaceLocked(from, small)
		}
	}
	return before, after, errors.Join(err, removeIfThere(small), from.Close())
}

// writeCompact makes a checked copy of from without its free pages.
func writeCompact(ctx context.Context, from *bbolt.DB, path string) error {
	if err := removeIfThere(path); err != nil { // of a Compact that was cut off
		return err
	}
	to, err := bbolt.Open(path, 0o600, &bbolt.Options{Timeout: lockTimeout, NoSync: true, FreelistType: bbolt.FreelistMapType})
	if err != nil {
		return err
	}
	err = guarded(from.Path(), func() error {
		if err := from.View(walk); err != nil {
			return err
		}
		return bbolt.Compact(to, from, compactTx)
	})
	if err = errors.Join(err, to.Sync(), to.Close()); err != nil {
		return fmt.Errorf("compacting: %w", err)
	}
	result, err := checkFile(ctx, path)
	if err == nil && len(result.Differences) > 0 {
		err = damaged(from.Path(), result.Differences[0])
	}
	return err
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
