package file

import (
	"errors"
	"hash/fnv"
	"os"

	"go.etcd.io/bbolt"

	"sitegrade/db"
)

// bbolt's meta page, as far as it tells whether the free pages are listed in the file. There are two such pages at the start of a file,
// and the one of the later transaction counts. For the order of
// their bytes see tree.go.
//
// bbolt offers this nowhere, so it is read here, and only from pages that bbolt itself would take for ones of this version.
const (
	metaHeader  = 16 // the header that every page has
	metaMagic   = 0xED0CDAED
	metaVersion = 2
	metaSumAt   = 56 // the FNV-1a of all before it
	metaSize    = metaHeader + metaSumAt + 8
)

// meta is what ListsFreePages needs of a meta page.
type meta struct {
	pageSize int64
	listed   bool
	tx       uint64
}

// readMeta reads the meta page at an offset, and reports whether it is a whole one of the version that is known here.
func readMeta(file *os.File, offset int64) (m meta, ok bool) {
	var page [metaSize]byte
	if _, err := file.ReadAt(page[:], offset); err != nil {
		return meta{}, false
	}
	b := page[metaHeader:]
	sum := fnv.New64a()
	_, _ = sum.Write(b[:metaSumAt])
	if order.Uint32(b) != metaMagic || order.Uint32(b[4:]) != metaVersion || order.Uint64(b[metaSumAt:]) != sum.Sum64() {
		return meta{}, false
	}
	const none = ^uint64(0) // in the place of the list's page
	return meta{pageSize: int64(order.Uint32(b[8:])), listed: order.Uint64(b[32:]) != none, tx: order.Uint64(b[48:])}, true
}

// ListsFreePages reports whether the file at path certainly lists its free pages.
func ListsFreePages(path string) (bool, error) {
	file, err := os.Open(path)
	if err != nil {
		return false, err
	}
	defer file.Close()
	first, ok := readMeta(file, 0)
	if !ok {
		return false, nil
	}
	if second, ok := readMeta(file, first.pageSize); ok && second.tx > first.tx {
		return second.listed, nil
	}
	return first.listed, nil
}

// checkUnlisted walks a file that may not list its free pages, and returns ErrDamaged where it is damaged: bbolt walks it, too, when it
// opens it, in a goroutine of its own, where damage ends the process.
func checkUnlisted(path string) error {
	file, err := bbolt.Open(path, 0o600, &bbolt.Options{ReadOnly: true, Timeout: lockTimeout})
	if err != nil {
		return err
	}
	return errors.Join(file.View(Walk), file.Close())
}

// maxSyncedFreelist is how many free pages are listed in the file at each commit. After large deletions and loads there are so many
// that writing their list would cost more than the rest of a small commit; then it is left out until the file is closed. A process
// that is killed meanwhile finds the free pages at its next start by reading the file (2 s for a GB).
const maxSyncedFreelist = 2048

// syncFreelist lists the free pages in the file, so that the next start need not look for them. On a full disk it is left out.
func (w *writer) syncFreelist() error {
	if !w.bolt.NoFreelistSync {
		return nil
	}
	w.bolt.NoFreelistSync = false
	if err := w.first.check(); err != nil {
		return err
	}
	err := fullError(Guard(w.path, func() error {
		return w.bolt.Update(func(*bbolt.Tx) error { return nil })
	}))
	if errors.Is(err, db.ErrFull) {
		return nil
	}
	return err
}
