package file

import (
	"encoding/binary"
	"fmt"
	"os"

	"go.etcd.io/bbolt"
)

// The pages of a bbolt file, as far as one page tells where others are: each begins with a header, which an array of elements follows. The
// numbers are in the order of the machine's bytes.
//
//	header          page number (8) | kind (2) | number of elements (2) | number of pages that continue it (4)
//	branch element  distance of the key (4) | length of the key (4) | page number (8)
//	leaf element    kind (4) | distance of the key (4) | length of the key (4) | length of the value (4)
//	bucket          number of its first page, or 0 (8) | - (8) | where that is 0, a leaf page; it is the value of a leaf element
const (
	pageHeader   = 16
	elementSize  = 16
	bucketHeader = 16
	branchPage   = 1
	leafPage     = 2
	bucketLeaf   = 1
)

// tree visits the pages of a file, from the root to the leaves of all buckets.
type tree struct {
	file     *os.File
	pageSize int
	visited  []bool // by page number
}

// ErrPageTwice says that two pages lead to one, or that one leads back to itself.
var ErrPageTwice = fmt.Errorf("%w: put the last backup in its place: two of its pages lead to one", ErrDamaged)

// checkTree returns an error unless each page that a transaction can reach is one that belongs to a tree and is there once. bbolt's own
// functions follow pages that lead back to themselves for ever.
func checkTree(tx *bbolt.Tx) error {
	file, err := os.Open(tx.DB().Path())
	if err != nil {
		return err
	}
	defer file.Close()
	size := tx.DB().Info().PageSize
	t := &tree{file: file, pageSize: size, visited: make([]bool, tx.Size()/int64(size))}
	return t.visit(uint64(tx.Cursor().Bucket().Root()))
}

func (t *tree) visit(number uint64) error {
	page, err := t.read(number)
	if err != nil {
		return err
	}
	switch kind := order.Uint16(page[8:]); kind {
	case leafPage:
		return t.visitBuckets(page)
	case branchPage:
		return t.eachElement(page, func(element []byte) error { return t.visit(order.Uint64(element[8:])) })
	default:
		return t.damaged("page %d is of kind %d", number, kind)
	}
}

// visitBuckets visits the pages of the buckets that a leaf page has. Where a bucket has none of its own, one follows in its value.
func (t *tree) visitBuckets(page []byte) error {
	return t.eachElement(page, func(element []byte) error {
		if order.Uint32(element)&bucketLeaf == 0 {
			return nil
		}
		value := element[order.Uint32(element[4:])+order.Uint32(element[8:]):][:order.Uint32(element[12:])]
		if len(value) < bucketHeader {
			return t.damaged("a bucket of %d bytes", len(value))
		}
		if first := order.Uint64(value); first != 0 {
			return t.visit(first)
		}
		inner := value[bucketHeader:]
		if len(inner) < pageHeader || order.Uint16(inner[8:]) != leafPage {
			return t.damaged("a bucket in a page is none")
		}
		return t.visitBuckets(inner)
	})
}

// eachElement calls visit for each element of a page, with all that follows it there, in which its key and its value lie.
func (t *tree) eachElement(page []byte, visit func(element []byte) error) error {
	count := int(order.Uint16(page[10:]))
	if pageHeader+count*elementSize > len(page) {
		return t.damaged("%d elements in a page of %d bytes", count, len(page))
	}
	for i := range count {
		element := page[pageHeader+i*elementSize:]
		end := uint64(order.Uint32(element)) + uint64(order.Uint32(element[4:]))
		if order.Uint16(page[8:]) == leafPage {
			end = uint64(order.Uint32(element[4:])) + uint64(order.Uint32(element[8:])) + uint64(order.Uint32(element[12:]))
		}
		if end > uint64(len(element)) {
			return t.damaged("an element lies outside of its page")
		}
		if err := visit(element); err != nil {
			return err
		}
	}
	return nil
}

func (t *tree) damaged(format string, args ...any) error {
	return Damaged(t.file.Name(), fmt.Sprintf(format, args...))
}

// order is that of the bytes of a number in bbolt's pages.
var order = binary.NativeEndian

// read returns a page with those that continue it, which nothing else may lead to.
func (t *tree) read(number uint64) ([]byte, error) {
	header := make([]byte, pageHeader)
	if number >= uint64(len(t.visited)) {
		return nil, t.damaged("page %d is not in the file", number)
	}
	if _, err := t.file.ReadAt(header, int64(number)*int64(t.pageSize)); err != nil {
		return nil, err
	}
	end := number + 1 + uint64(order.Uint32(header[12:]))
	if order.Uint64(header) != number || end > uint64(len(t.visited)) {
		return nil, t.damaged("page %d calls itself %d and ends before %d", number, order.Uint64(header), end)
	}
	for i := number; i < end; i++ {
		if t.visited[i] {
			return nil, fmt.Errorf("%w: page %d", ErrPageTwice, i)
		}
		t.visited[i] = true
	}
	pages := make([]byte, int(end-number)*t.pageSize)
	_, err := t.file.ReadAt(pages, int64(number)*int64(t.pageSize))
	return pages, err
}
