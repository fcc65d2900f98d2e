package crawled

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"github.com/google/uuid"

	"sitegrade/db/internal/tenant"
)

// Check compares what is derived from the crawls with them, and calls differ for each difference.
func Check(a tenant.Account, differ func(format string, args ...any)) error {
	known, crawls, open := map[uuid.UUID]*Stored{}, 0, 0
	if err := a.Bucket(Crawls).ForEach(func(id, stored []byte) error {
		crawls++
		c, err := tenant.Decode[Stored](stored)
		if err != nil || c.ID != uuid.UUID(id) {
			differ("account %q: the crawl %x is damaged (%v)", a.Name, id, err)
			return nil
		}
		known[c.ID] = &c
		if c.Status.Unfinished() {
			open++
			if !has(a.Bucket(Open), c.ID[:]) {
				differ("account %q: crawls_open lacks %s", a.Name, c.ID)
			}
		}
		if !has(a.Bucket(Of), ofKey(&c)) {
			differ("account %q: crawls_of lacks %s", a.Name, c.ID)
		}
		checkData(a, &c, differ)
		return nil
	}); err != nil {
		return err
	}
	if n := tenant.Count(a.Bucket(Open)); n != open {
		differ("account %q: crawls_open has %d entries for %d crawls that are open", a.Name, n, open)
	}
	if n := tenant.Count(a.Bucket(Of)); n != crawls {
		differ("account %q: crawls_of has %d entries for %d crawls", a.Name, n, crawls)
	}
	return checkOwners(a, known, differ)
}

// checkData counts the visits of a crawl that has not ended, or the rows of one that has.
func checkData(a tenant.Account, c *Stored, differ func(format string, args ...any)) {
	if c.Status.Unfinished() {
		n := 0
		prefix, cursor := append(bytes.Clone(c.ID[:]), visitsKind), a.Bucket(Data).Cursor()
		for k, _ := cursor.Seek(prefix); bytes.HasPrefix(k, prefix); k, _ = cursor.Next() {
			n++
		}
		if n != c.Batches {
			differ("account %q: crawl %s has %d batches of visits, not %d", a.Name, c.ID, n, c.Batches)
		}
		return
	}
	if n, err := checkTable(a, c.ID, tableName{kind: pagesKind}, pageCells); err != nil || n != c.Rows.Pages {
		differ("account %q: crawl %s has %d pages, not %d (%v)", a.Name, c.ID, n, c.Rows.Pages, err)
	}
	if n, err := checkTable(a, c.ID, tableName{kind: linksKind}, linkCells); err != nil || n != c.Rows.Links {
		differ("account %q: crawl %s has %d links, not %d (%v)", a.Name, c.ID, n, c.Rows.Links, err)
	}
	if n, err := checkTable(a, c.ID, tableName{kind: foldersKind}, folderCells); err != nil || n != c.Rows.Folders {
		differ("account %q: crawl %s has %d folders, not %d (%v)", a.Name, c.ID, n, c.Rows.Folders, err)
	}
	for check, want := range c.Issues {
		if n, err := checkTable(a, c.ID, tableName{issuesKind, checkNumber(check)}, issueCells); err != nil || n != want {
			differ("account %q: crawl %s has %d issues %s, not %d (%v)", a.Name, c.ID, n, check, want, err)
		}
	}
}

// checkTable reads all rows of a table, compares the columns with them, and returns how many there are.
func checkTable[Row any](a tenant.Account, crawl uuid.UUID, name tableName, cellsOf func(Row) cells) (n int, err error) {
	t := table[Row]{a: a, crawl: crawl, kind: name.kind, sub: name.sub}
	for number, columns := range t.columns() {
		var all []cells
		if err := eachCells(columns, func(_ int, number uint16, flags byte, text []byte) {
			all = append(all, cells{number, flags, string(text)})
		}); err != nil {
			return n, err
		}
		chunk, err := t.chunk(number)
		if err != nil {
			return n, err
		}
		for i, of := range all {
			row, err := decodeRow[Row](chunk, i)
			if err != nil {
				return n, err
			}
			if want := cellsOf(row); want.bounded() != of {
				return n, fmt.Errorf("the columns of row %d are %v, not %v", n+i, of, want)
			}
		}
		n += len(all)
	}
	return n, nil
}

// checkOwners looks for what belongs to no crawl, or to no list of a crawl that has ended.
func checkOwners(a tenant.Account, known map[uuid.UUID]*Stored, differ func(format string, args ...any)) error {
	dropped, told := a.Bucket(Dropped), map[uuid.UUID]bool{}
	return a.Bucket(Data).ForEach(func(k, _ []byte) error {
		id := uuid.UUID(k[:16])
		switch c := known[id]; {
		case told[id] || has(dropped, id[:]): // once is enough, and what is being removed may be anything
		case c == nil:
			differ("account %q: crawl_data has something of %s, which does not exist", a.Name, id)
			told[id] = true
		case !c.Status.Unfinished() && !c.owns(k[16:]):
			differ("account %q: crawl_data has something of %s that belongs to no list of it", a.Name, id)
			told[id] = true
		}
		return nil
	})
}

// owns reports whether a crawl that has ended has an entry of Data, whose key is given without its id.
func (c *Stored) owns(key []byte) bool {
	switch kind := key[0]; {
	case kind == startKind:
		return true
	case kind == visitsKind || len(key) < 3:
		return false
	case kind == issuesKind:
		for check := range c.Issues {
			if checkNumber(check) == binary.BigEndian.Uint16(key[1:]) {
				return true
			}
		}
		return false
	}
	return binary.BigEndian.Uint16(key[1:]) == 0
}

func has(b tenant.Bucket, key []byte) bool {
	k, _ := b.Cursor().Seek(key)
	return bytes.Equal(k, key)
}
