// Package file keeps one bbolt file: it makes, opens, copies and compacts it, reads it, and commits what is written to it in groups. Damage to
// it becomes an error, and where the disk is full there is room left for deletions. It knows pages, and nothing of what stands in them.
package file

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"time"

	"go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"

	"sitegrade/db"
)

// Options are how a file is opened.
type Options struct {
	MaxSize int64                      // bytes that it may grow to; 0: no limit
	Init    func(*bbolt.Tx) error      // fills one that did not exist
	Migrate func(file *bbolt.DB) error // brings what stands in it to the form of this program
}

// File is an open bbolt file. Many may read it at once, and one goroutine writes it. It is safe for concurrent use.
type File struct {
	path   string
	bolt   *bbolt.DB
	first  *firstPages
	writer *writer
}

// initialMap is how many GiB of address space are mapped at once where there is plenty: a file that outgrows them must wait for all
// readers to be mapped again.
const initialMap = 4

// LimitedStep is how many bytes a file with a limit grows by; one without grows by bbolt's 16 MiB.
const LimitedStep = 1 << 20

// lockTimeout is how long Open waits for another process to close the file.
const lockTimeout = 2 * time.Second

// Open opens the file at path, and makes it if it does not exist. The error is ErrInUse when another process has it, and otherwise says what
// to do.
func Open(path string, o Options) (*File, error) {
	if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
		if err := createFile(path, o.Init); err != nil {
			return nil, fmt.Errorf("creating the database: %w", err)
		}
	}
	file, err := openMigrated(path, &bbolt.Options{InitialMmapSize: mapSize()}, o.Migrate)
	if err != nil {
		return nil, err
	}
	if err := RemoveIfThere(path + CompactSuffix); err != nil { // of a Compact that was cut off
		return nil, errors.Join(err, file.Close())
	}
	if o.MaxSize > 0 {
		file.AllocSize = LimitedStep
	}
	first, err := openFirstPages(file)
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return &File{path: path, bolt: file, first: first, writer: startWriter(path, file, first, o.MaxSize)}, nil
}

// openMigrated opens a bbolt file and brings it to the form of this program.
func openMigrated(path string, o *bbolt.Options, migrate func(*bbolt.DB) error) (*bbolt.DB, error) {
	file, err := openFile(path, o)
	if err != nil {
		return nil, err
	}
	if err := Guard(path, func() error { return migrate(file) }); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

// Close waits for what is being written and closes the file. Later reads and writes get db.ErrClosed.
func (f *File) Close() error {
	return errors.Join(f.writer.stop(), f.bolt.Close(), f.first.file.Close())
}

// Path returns where the file is.
func (f *File) Path() string { return f.path }

// Read runs a read transaction. The error is that of read, that of a ctx which has ended before, db.ErrClosed after Close, or
// ErrDamaged where the file is damaged.
func (f *File) Read(ctx context.Context, read func(*bbolt.Tx) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := f.first.check(); err != nil {
		return err
	}
	err := Guard(f.path, func() error { return f.bolt.View(read) })
	if errors.Is(err, bolterrors.ErrDatabaseNotOpen) {
		return db.ErrClosed
	}
	return err
}

// Add runs apply in a write transaction and returns when that is on disk. When apply returns an error, nothing of it is kept. It may run
// twice. Once it has begun, the end of ctx does not stop it. Add is for what makes the file grow, and returns db.ErrFull while there is still
// room for deletions.
func (f *File) Add(ctx context.Context, apply func(*bbolt.Tx) error) error {
	return f.writer.write(&change{ctx: ctx, apply: apply, err: make(chan error, 1)})
}

// Remove is Add for deletions. They may use the room that is kept for them.
func (f *File) Remove(ctx context.Context, apply func(*bbolt.Tx) error) error {
	return f.writer.write(&change{ctx: ctx, apply: apply, removes: true, err: make(chan error, 1)})
}

// Stats returns bbolt's statistics.
func (f *File) Stats() bbolt.Stats { return f.bolt.Stats() }

// WritingSince returns when the group of writes was begun that is being committed, the zero time while there is none.
func (f *File) WritingSince() time.Time {
	if began := f.writer.since.Load(); began != 0 {
		return time.Unix(0, began)
	}
	return time.Time{}
}

// mapSize returns how many bytes are mapped at once; 0 for what the file needs.
func mapSize() int {
	if runtime.GOOS == "windows" || strconv.IntSize < 64 {
		return 0 // there the file would be made as large as the map, or address space is short
	}
	gib := 1 << 30
	return initialMap * gib
}
