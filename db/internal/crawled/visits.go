package crawled

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"

	"github.com/google/uuid"

	"sitegrade/audit"
	"sitegrade/db"
	"sitegrade/db/internal/record"
	"sitegrade/db/internal/tenant"
)

// headersLost is why a crawl fails whose headers can no longer be read.
var headersLost = audit.Failure{Code: audit.CodeUnreachable, Detail: "The headers of the crawl cannot be read, since the secret that they were sealed with has changed. Start it again with its headers."}

// The kinds of what is kept of a crawl in Data, the first byte behind its id.
const (
	visitsKind byte = 'v' // number of the batch -> packed visits
	startKind  byte = 'u' // -> the addresses of a list
	pagesKind  byte = 'p' // tables; see table.go
	linksKind  byte = 'l'
	issuesKind byte = 'i'
	// foldersKind is the table of folders.
	foldersKind byte = 'f'
)

func dataKey(id uuid.UUID, kind byte, number int) []byte {
	return binary.BigEndian.AppendUint32(append(id[:], kind), uint32(number))
}

// putStart keeps the addresses of a list.
func putStart(a tenant.Account, id uuid.UUID, urls []string) error {
	if len(urls) == 0 {
		return nil
	}
	text, err := json.Marshal(urls)
	if err != nil {
		return fmt.Errorf("storing a list: %w", err)
	}
	return a.Bucket(Data).Put(dataKey(id, startKind, 0), record.Pack(text))
}

// start returns the addresses of a list; nil for another crawl.
func start(a tenant.Account, id uuid.UUID) (urls []string, err error) {
	packed := a.Bucket(Data).Get(dataKey(id, startKind, 0))
	if packed == nil {
		return nil, nil
	}
	text, err := record.Unpack(packed)
	if err != nil {
		return nil, fmt.Errorf("reading a list: %w", err)
	}
	return urls, json.Unmarshal(text, &urls)
}

// AppendVisits is documented in db.Store.
func (s *Sites) AppendVisits(ctx context.Context, account string, id uuid.UUID, b db.CrawlBatch) (reports []uuid.UUID, err error) {
	pages := make([]Page, len(b.Pages))
	for i, p := range b.Pages {
		packed, err := record.PackFound(p.Found)
		if err != nil {
			return nil, err
		}
		pages[i] = Page{p.URL, p.Found, packed}
	}
	var told bool
	err = s.Engine.Add(ctx, account, func(a tenant.Account) error {
		c, err := s.runs(a, id)
		if err != nil {
			return err
		}
		if reports, told, err = s.Keep(a, c.Project.ID, c.Privacy, pages); err != nil {
			return err
		}
		visits, err := b.Pack(reports)
		if err != nil {
			return err
		}
		if visits != nil {
			if err := a.Bucket(Data).Put(dataKey(id, visitsKind, c.Batches), record.Pack(visits)); err != nil {
				return err
			}
			c.Batches++
		}
		c.Progress, c.Limits = b.Progress, b.Limits
		return put(a, c)
	})
	if err == nil && told {
		s.Announce(db.News{Account: account, Told: true})
	}
	return reports, err
}

// Visits is documented in db.Store.
func (s *Sites) Visits(ctx context.Context, account string, id uuid.UUID, after, limit int) (batches [][]byte, err error) {
	err = s.Engine.View(ctx, account, func(a tenant.Account) error {
		if _, err := get(a, id); err != nil {
			return err
		}
		prefix := append(id[:], visitsKind)
		c := a.Bucket(Data).Cursor()
		for k, packed := c.Seek(dataKey(id, visitsKind, after)); bytes.HasPrefix(k, prefix) && len(batches) < limit; k, packed = c.Next() {
			visits, err := record.Unpack(packed)
			if err != nil {
				return fmt.Errorf("reading visits of crawl %s: %w", id, err)
			}
			batches = append(batches, visits)
		}
		return nil
	})
	return batches, err
}

// What is removed of a crawl.
const (
	visitsAlone byte = iota
	wholeCrawl
)

// removeData notes that something of a crawl is to be removed; PurgeSome does it.
func removeData(a tenant.Account, id uuid.UUID, what byte) error {
	return a.Bucket(Dropped).Put(id[:], []byte{what})
}

// PurgeSome removes up to n entries of what crawls have left, and reports whether there may be more.
func PurgeSome(a tenant.Account, n int) (more bool, err error) {
	id, what := a.Bucket(Dropped).Cursor().First()
	if id == nil {
		return false, nil
	}
	prefix := bytes.Clone(id)
	if what[0] == visitsAlone {
		prefix = append(prefix, visitsKind)
	}
	var keys [][]byte
	c := a.Bucket(Data).Cursor()
	for k, _ := c.Seek(prefix); bytes.HasPrefix(k, prefix) && len(keys) < n; k, _ = c.Next() {
		keys = append(keys, bytes.Clone(k)) // deleting moves a cursor
	}
	for _, key := range keys {
		if err := a.Bucket(Data).Delete(key); err != nil {
			return false, err
		}
	}
	if len(keys) < n {
		return true, a.Bucket(Dropped).Delete(bytes.Clone(id))
	}
	return true, nil
}

// Purging reports whether crawls have left something that is to be removed.
func Purging(a tenant.Account) bool {
	id, _ := a.Bucket(Dropped).Cursor().First()
	return id != nil
}
