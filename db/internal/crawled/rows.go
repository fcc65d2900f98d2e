package crawled

import (
	"bytes"
	"context"
	"fmt"
	"iter"

	"github.com/google/uuid"

	"sitegrade/db"
	"sitegrade/db/internal/tenant"
	"sitegrade/sortfilter"
)

// entriesAtOnce is how many entries a transaction writes or removes: whoever writes meanwhile waits for it.
const entriesAtOnce = 32

// The flags of rows.
const (
	isIndexable byte = 1 << iota // of a page
	isBroken                     // of a link
)

// rowWriter writes the tables of a crawl in small transactions.
type rowWriter struct {
	sites   *Sites
	ctx     context.Context
	account string
	id      uuid.UUID
	entries []entry
}

// put stores entries, perhaps later.
func (w *rowWriter) put(entries []entry) error {
	if w.entries = append(w.entries, entries...); len(w.entries) < entriesAtOnce {
		return nil
	}
	return w.flush()
}

func (w *rowWriter) flush() error {
	err := w.sites.Engine.Add(w.ctx, w.account, func(a tenant.Account) error {
		if _, err := w.sites.runs(a, w.id); err != nil {
			return err
		}
		return putEntries(a, w.entries)
	})
	w.entries = nil
	return err
}

func putEntries(a tenant.Account, entries []entry) error {
	for _, e := range entries {
		if err := a.Bucket(Data).Put(e.key, e.value); err != nil {
			return err
		}
	}
	return nil
}

// KeepCrawlRows is documented in db.Store.
func (s *Sites) KeepCrawlRows(ctx context.Context, account string, id uuid.UUID, r db.CrawlResult) error {
	for _, kind := range []byte{pagesKind, linksKind, issuesKind, foldersKind} {
		if err := s.removeRows(ctx, account, id, kind); err != nil {
			return err
		}
	}
	w := &rowWriter{sites: s, ctx: ctx, account: account, id: id}
	pages, err := writeTable(w, pagesKind, r.Pages, pageCells)
	if err != nil {
		return err
	}
	links, err := writeTable(w, linksKind, r.Links, linkCells)
	if err != nil {
		return err
	}
	folders, err := writeTable(w, foldersKind, r.Folders, folderCells)
	if err != nil {
		return err
	}
	issues, err := w.writeIssues(r.Issues)
	if err == nil {
		err = w.flush()
	}
	if err != nil {
		return err
	}
	return s.Engine.Add(ctx, account, func(a tenant.Account) error {
		c, err := s.runs(a, id)
		if err != nil {
			return err
		}
		c.Rows, c.Issues = db.CrawlRows{Pages: pages, Links: links, Folders: folders}, issues
		return put(a, c)
	})
}

// writeTable writes the rows of a table and returns how many there are.
func writeTable[Row any](w *rowWriter, kind byte, rows iter.Seq[Row], cellsOf func(Row) cells) (int, error) {
	chunks := newChunkWriter(w.id, kind, 0)
	for row := range rows {
		full, err := chunks.add(cellsOf(row), row)
		if err == nil {
			err = w.put(full)
		}
		if err != nil {
			return 0, err
		}
	}
	return chunks.rows, w.put(chunks.flush())
}

// writeIssues writes a table for each check and returns how many addresses it names.
func (w *rowWriter) writeIssues(issues iter.Seq[db.CrawlIssue]) (map[string]int, error) {
	named := map[string]int{}
	var chunks *chunkWriter
	check := ""
	for issue := range issues {
		if issue.Check != check {
			if chunks != nil {
				if err := w.put(chunks.flush()); err != nil {
					return nil, err
				}
			}
			check = issue.Check
			chunks = newChunkWriter(w.id, issuesKind, checkNumber(check))
		}
		named[check]++
		full, err := chunks.add(issueCells(issue), issue)
		if err == nil {
			err = w.put(full)
		}
		if err != nil {
			return nil, err
		}
	}
	if chunks == nil {
		return named, nil
	}
	return named, w.put(chunks.flush())
}

// removeRows removes what an earlier process wrote of a table.
func (s *Sites) removeRows(ctx context.Context, account string, id uuid.UUID, kind byte) error {
	prefix := append(id[:], kind)
	var keys [][]byte
	if err := s.Engine.View(ctx, account, func(a tenant.Account) error {
		c := a.Bucket(Data).Cursor()
		for k, _ := c.Seek(prefix); bytes.HasPrefix(k, prefix); k, _ = c.Next() {
			keys = append(keys, bytes.Clone(k))
		}
		return nil
	}); err != nil {
		return err
	}
	for len(keys) > 0 {
		some := keys[:min(entriesAtOnce, len(keys))]
		if err := s.Engine.Remove(ctx, account, func(a tenant.Account) error {
			if _, err := s.runs(a, id); err != nil {
				return err
			}
			for _, key := range some {
				if err := a.Bucket(Data).Delete(key); err != nil {
					return err
				}
			}
			return nil
		}); err != nil {
			return err
		}
		keys = keys[len(some):]
	}
	return nil
}

func pageCells(p db.CrawlPage) cells {
	c := cells{number: uint16(p.Status), text: sortfilter.Fold(p.URL)}
	if p.Reason == "" {
		c.flags = isIndexable
	}
	return c
}

func linkCells(l db.CrawlLink) cells {
	c := cells{number: uint16(l.Status), text: sortfilter.Fold(l.Target)}
	if l.Broken {
		c.flags = isBroken
	}
	return c
}

func issueCells(i db.CrawlIssue) cells { return cells{text: sortfilter.Fold(i.URL)} }

// folderCells has nothing: lists of folders are whole.
func folderCells(db.CrawlFolder) cells { return cells{} }

// CrawlPages is documented in db.Store.
func (s *Sites) CrawlPages(ctx context.Context, account string, id uuid.UUID, q sortfilter.Query) (db.Page[db.CrawlPage], error) {
	return readTable[db.CrawlPage](ctx, s, account, id, tableName{kind: pagesKind}, q, func(number uint16, flags byte) bool {
		return (q.HTTPStatus == 0 || int(number) == q.HTTPStatus) && (q.Indexable == nil || *q.Indexable == (flags&isIndexable != 0))
	})
}

// CrawlLinks is documented in db.Store.
func (s *Sites) CrawlLinks(ctx context.Context, account string, id uuid.UUID, q sortfilter.Query) (db.Page[db.CrawlLink], error) {
	return readTable[db.CrawlLink](ctx, s, account, id, tableName{kind: linksKind}, q, func(_ uint16, flags byte) bool {
		return q.Status == "" || flags&isBroken != 0
	})
}

// CrawlIssues is documented in db.Store.
func (s *Sites) CrawlIssues(ctx context.Context, account string, id uuid.UUID, check string, q sortfilter.Query) (db.Page[db.CrawlIssue], error) {
	page, err := readTable[db.CrawlIssue](ctx, s, account, id, tableName{issuesKind, checkNumber(check)}, q, nil)
	if err == nil && page.Total == 0 && q.Search == "" {
		err = fmt.Errorf("issues %q: %w", check, db.ErrNotFound)
	}
	return page, err
}

// tableName tells the tables of a crawl apart.
type tableName struct {
	kind byte
	sub  uint16
}

// readTable returns a page of a table of a crawl that has ended.
func readTable[Row any](
	ctx context.Context, s *Sites, account string, id uuid.UUID, name tableName, q sortfilter.Query, wanted func(number uint16, flags byte) bool,
) (page db.Page[Row], err error) {
	err = s.Engine.View(ctx, account, func(a tenant.Account) error {
		c, err := get(a, id)
		if err != nil || c.Status.Unfinished() {
			return err
		}
		page, err = table[Row]{a: a, crawl: id, kind: name.kind, sub: name.sub}.page(q, wanted)
		return err
	})
	return page, err
}
