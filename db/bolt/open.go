// Package bolt keeps what Sitegrade stores in one bbolt file.
package bolt

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"sync"
	"time"

	"go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"

	"sitegrade/db"
)

// Options are how a database is opened. The zero value of a field means its default.
type Options struct {
	MaxSize int64 // bytes that the file may grow to; 0: no limit
	// KeepGenerations is how many rated reports a project keeps of one address: a new one replaces the oldest. 0: all.
	KeepGenerations int
	Now             func() time.Time // time.Now
}

// DB is an open database file. It is a db.Store.
type DB struct {
	options Options
	path    string
	bolt    *bbolt.DB
	first   *firstPages
	writer  *writer
	ids     idSource
	running runningSet
	keys    keyCache

	shareKeys shareKeys
	listeners listeners

	purging sync.WaitGroup // removes what deleted projects left
	closing context.Context
	close   context.CancelFunc
}

var _ db.Store = (*DB)(nil)

// initialMap is how many GiB of address space are mapped at once where there is plenty: a file that outgrows them must wait for all
// readers to be mapped again.
const initialMap = 4

// limitedStep is how many bytes a file with a limit grows by; one without grows by bbolt's 16 MiB.
const limitedStep = 1 << 20

// lockTimeout is how long Open waits for another process to close the file.
const lockTimeout = 2 * time.Second

// ErrInUse says that another process has the file open.
var ErrInUse = errors.New("the database is in use: is a server running?")

// Open opens the database file at path, and makes it if it does not exist. The error is ErrInUse when another process has it,
// and otherwise says what to do.
func Open(path string, o Options) (*DB, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
		if err := createFile(path); err != nil {
			return nil, fmt.Errorf("creating the database: %w", err)
		}
	}
	file, err := openMigrated(path, &bbolt.Options{InitialMmapSize: mapSize()})
	if err != nil {
		return nil, err
	}
	if err := removeIfThere(path + compactSuffix); err != nil { // of a Compact that was cut off
		return nil, errors.Join(err, file.Close())
	}
	if o.MaxSize > 0 {
		file.AllocSize = limitedStep
	}
	first, err := openFirstPages(file)
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	d := &DB{options: o, path: path, bolt: file, first: first}
	d.closing, d.close = context.WithCancel(context.Background())
	d.writer = startWriter(path, file, first, o.MaxSize)
	if err := d.resumePurges(); err != nil {
		return nil, errors.Join(err, d.Close())
	}
	return d, nil
}

// Close waits for what is being written and closes the file. Later writes get ErrClosed.
func (d *DB) Close() error {
	d.close()
	d.purging.Wait()
	return errors.Join(d.writer.stop(), d.bolt.Close(), d.first.file.Close())
}

// freshPattern is what the name of a database ends in until it is whole.
const freshPattern = ".new-*"

// createFile makes an empty database under another name first, so that a power cut leaves either none or a whole one. Of several processes
// that do so at once one wins, and to the others the file is there already.
func createFile(path string) error {
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
	if err := errors.Join(file.Update(initSchema), file.Close()); err != nil {
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

// removeIfThere removes a file, unless there is none.
func removeIfThere(path string) error {
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

// openMigrated opens a bbolt file and brings it to the schema of this program.
func openMigrated(path string, o *bbolt.Options) (*bbolt.DB, error) {
	file, err := openFile(path, o)
	if err != nil {
		return nil, err
	}
	if err := guarded(path, func() error { return migrate(file, migrations) }); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

// openFile opens a bbolt file. Damage becomes an error that says what to do.
func openFile(path string, o *bbolt.Options) (file *bbolt.DB, err error) {
	err = guarded(path, func() error {
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
		return nil, damaged(path, err)
	}
}

// openListed opens a file after a look at its pages, where bbolt would need one without a guard.
func openListed(path string, o *bbolt.Options) (*bbolt.DB, error) {
	for {
		listed, err := listsFreePages(path)
		if err == nil && !listed {
			err = checkUnlisted(path)
		}
		if err != nil {
			return nil, err
		}
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
	o.FreelistType = bbolt.FreelistMapType
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
		err = damaged(file.Path(), fmt.Sprintf("it has %d of %d bytes", info.Size(), want))
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

// mapSize returns how many bytes are mapped at once; 0 for what the file needs.
func mapSize() int {
	if runtime.GOOS == "windows" || strconv.IntSize < 64 {
		return 0 // there the file would be made as large as the map, or address space is short
	}
	gib := 1 << 30
	return initialMap * gib
}
