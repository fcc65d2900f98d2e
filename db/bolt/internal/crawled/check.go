package crawled

import (
	"bytes"

	"github.com/google/uuid"
	"go.etcd.io/bbolt"

	"sitegrade/db"
	"sitegrade/db/bolt/internal/tenant"
)

// Check compares what is derived from the crawls with them, and calls differ for each difference.
func Check(a tenant.Account, differ func(format string, args ...any)) error {
	all, err := tenant.All[Stored](a.Bucket(Crawls))
	if err != nil {
		return err
	}
	known, open := map[uuid.UUID]bool{}, 0
	for _, c := range all {
		known[c.ID] = true
		if c.Status.Unfinished() {
			open++
			if !has(a.Bucket(Open), c.ID[:]) {
				differ("account %q: crawls_open lacks %s", a.Name, c.ID)
			}
		}
		if !has(a.Bucket(Of), ofKey(&c)) {
			differ("account %q: crawls_of lacks %s", a.Name, c.ID)
		}
		if err := checkRows(a, &c, differ); err != nil {
			return err
		}
	}
	if n := tenant.Count(a.Bucket(Open)); n != open {
		differ("account %q: crawls_open has %d entries for %d crawls that are open", a.Name, n, open)
	}
	if n := tenant.Count(a.Bucket(Of)); n != len(all) {
		differ("account %q: crawls_of has %d entries for %d crawls", a.Name, n, len(all))
	}
	return checkOwners(a, known, differ)
}

// checkRows counts the rows of a crawl that has ended, and reads them.
func checkRows(a tenant.Account, c *Stored, differ func(format string, args ...any)) error {
	if c.Status.Unfinished() {
		return nil
	}
	if n, err := (table[db.CrawlPage]{a: a, crawl: c.ID, kind: pagesKind}).check(); err != nil || n != c.Rows.Pages {
		differ("account %q: crawl %s has %d pages, not %d (%v)", a.Name, c.ID, n, c.Rows.Pages, err)
	}
	if n, err := (table[db.CrawlLink]{a: a, crawl: c.ID, kind: linksKind}).check(); err != nil || n != c.Rows.Links {
		differ("account %q: crawl %s has %d links, not %d (%v)", a.Name, c.ID, n, c.Rows.Links, err)
	}
	if n, err := (table[db.CrawlFolder]{a: a, crawl: c.ID, kind: foldersKind}).check(); err != nil || n != c.Rows.Folders {
		differ("account %q: crawl %s has %d folders, not %d (%v)", a.Name, c.ID, n, c.Rows.Folders, err)
	}
	for check, want := range c.Issues {
		if n, err := (table[db.CrawlIssue]{a: a, crawl: c.ID, kind: issuesKind, sub: checkNumber(check)}).check(); err != nil || n != want {
			differ("account %q: crawl %s has %d issues %s, not %d (%v)", a.Name, c.ID, n, check, want, err)
		}
	}
	return nil
}

// check reads all rows and returns how many there are.
func (t table[Row]) check() (n int, err error) {
	for number, columns := range t.columns() {
		in := 0
		if err := eachCells(columns, func(int, uint16, byte, []byte) { in++ }); err != nil {
			return n, err
		}
		chunk, err := t.chunk(number)
		if err != nil {
			return n, err
		}
		for row := range in {
			if _, err := decodeRow[Row](chunk, row); err != nil {
				return n, err
			}
		}
		n += in
	}
	return n, nil
}

// checkOwners looks for what belongs to no crawl.
func checkOwners(a tenant.Account, known map[uuid.UUID]bool, differ func(format string, args ...any)) error {
	dropped := a.Bucket(Dropped)
	return a.Bucket(Data).ForEach(func(k, _ []byte) error {
		if id := uuid.UUID(k[:16]); !known[id] && !has(dropped, id[:]) {
			differ("account %q: crawl_data has something of %s, which does not exist", a.Name, id)
			known[id] = true // once is enough
		}
		return nil
	})
}

func has(b *bbolt.Bucket, key []byte) bool {
	k, _ := b.Cursor().Seek(key)
	return bytes.Equal(k, key)
}
