package file

import (
	"errors"
	"hash/fnv"
	"os"

	"go.etcd.io/bbolt"

	"sitegrade/db"
)

// bbolt's meta page, as far as it tells where the free pages are listed in the file. There are two such pages at the start of a file, and
// the one of the later transaction counts. The list is a page with the usual header. For the order of their bytes and that header see
// tree.go.
//
// bbolt offers this nowhere, so it is read here, and only from pages that bbolt itself would take for ones of this version.
const (
	metaHeader  = 16 // the header that every page has
	metaMagic   = 0xED0CDAED
	metaVersion = 2
	metaSumAt   = 56 // the FNV-1a of all before it
	metaSize    = metaHeader + metaSumAt + 8
	noList      = ^uint64(0) // in the place of the list's page
)

// meta is what ListedPages needs of a meta page.
type meta struct {
	pageSize int64
	list     uint64 // the page that lists the free ones, or noList
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
	return meta{pageSize: int64(order.Uint32(b[8:])), list: order.Uint64(b[32:]), tx: order.Uint64(b[48:])}, true
}

// Unlisted stands for the number of free pages of a file that does not list them.
const Unlisted = -1

// ListedPages returns how many free pages the file at path certainly lists, where 65,535 stands for all numbers from there on; or Unlisted.
func ListedPages(path string) (int, error) {
	file, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	last, ok := readMeta(file, 0)
	if !ok {
		return Unlisted, nil
	}
	if second, ok := readMeta(file, last.pageSize); ok && second.tx > last.tx {
		last = second
	}
	var header [pageHeader]byte
	if last.list == noList {
		return Unlisted, nil
	}
	if _, err := file.ReadAt(header[:], int64(last.list)*last.pageSize); err != nil {
		return 0, Damaged(path, err)
	}
	return int(order.Uint16(header[10:])), nil
}

// maxArray is up to how many free pages bbolt keeps as an array. At the start it reads 8,600 pages into one in 0.3 ms, and into a map in 4;
// and a map must be sorted for each list that a commit writes, which with 2,000 pages takes longer than all else of a create. With 200,000
// pages the array takes 1 ms of each commit and the map 0.1 (measured on an AMD EPYC).
const maxArray = 1 << 14

// freelistType returns how bbolt keeps free pages in memory, by how many there are when the file is opened.
func freelistType(pages int) bbolt.FreelistType {
	if pages == Unlisted || pages > maxArray {
		return bbolt.FreelistMapType
	}
	return bbolt.FreelistArrayType
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
