package order

import (
	"bytes"

	"go.etcd.io/bbolt"
)

// bbolt takes emptied pages out of a bucket only at the commit. Until then its cursors (1.5.0) meet them in the transaction that did
// the deleting:
//
//   - Last never returns when all of a bucket's pages are empty, if there are at least two.
//   - Prev returns nil on an empty page, though there may be entries before it. Only further calls reach those, and at the beginning
//     of the bucket they return nil for ever.
//   - First, Next and Seek step over empty pages and return nil when there is nothing more.
//
// So whatever moves backwards and may run in a transaction that writes uses the functions below.

// LastEntry moves c to the last entry and returns it; nil where there is none.
func LastEntry(c *bbolt.Cursor) (key, value []byte) {
	if first, _ := c.First(); first == nil {
		return nil, nil
	}
	return c.Last()
}

// EntryBefore moves c to the last entry before key and returns it; nil where there is none.
func EntryBefore(c *bbolt.Cursor, key []byte) (k, v []byte) {
	if found, _ := c.Seek(key); found == nil {
		return LastEntry(c)
	}
	if k, v = c.Prev(); k != nil || !c.Bucket().Writable() {
		return k, v
	}
	if first, _ := c.First(); first == nil || bytes.Compare(first, key) >= 0 {
		return nil, nil
	}
	c.Seek(key)
	for k == nil {
		k, v = c.Prev()
	}
	return k, v
}

// EntryAtOrBefore moves c to the last entry that is not after key and returns it; nil where there is none.
func EntryAtOrBefore(c *bbolt.Cursor, key []byte) (k, v []byte) {
	if k, v = c.Seek(key); bytes.Equal(k, key) {
		return k, v
	}
	return EntryBefore(c, key)
}
