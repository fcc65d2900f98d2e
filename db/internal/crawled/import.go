package crawled

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/google/uuid"

	"sitegrade/db"
	"sitegrade/db/internal/record"
	"sitegrade/db/internal/tenant"
)

// Import stores a crawl of an import under the project of its name, and reports whether it was not there yet.
func (s *Sites) Import(a tenant.Account, c db.MovedCrawl) (stored bool, err error) {
	if a.Bucket(Crawls).Get(c.ID[:]) != nil {
		return false, nil
	}
	if a.Bucket(Dropped).Get(c.ID[:]) != nil {
		return false, fmt.Errorf("id: the crawl %s was deleted, and something of it is still being removed: import it again later", c.ID)
	}
	if c.Project, err = s.MakeProject(a, c.Project.Name); err != nil {
		return false, err
	}
	if c.ID == uuid.Nil {
		c.ID = s.Engine.NextID()
	}
	if c.CreatedAt.IsZero() {
		c.CreatedAt = s.Engine.Now()
	}
	if !c.Status.Unfinished() && c.FinishedAt.IsZero() {
		c.FinishedAt = c.CreatedAt
	}
	return true, errors.Join(putStart(a, c.ID, c.URLs), put(a, &Stored{Crawl: c.Crawl, Failing: c.Failing}))
}

// Rows stores the rows of an import, in one transaction.
type Rows struct {
	account tenant.Account
	crawls  map[uuid.UUID]*importing
}

// importing is a crawl whose rows are being imported.
type importing struct {
	*Stored
	tables map[tableName]*chunkWriter
}

// Import stores a row behind those that its list has, and reports whether it was not there yet.
func (r *Rows) Import(a tenant.Account, row db.CrawlRow) (stored bool, err error) {
	c, err := r.of(a, row.Crawl)
	if err != nil || c.Status.Unfinished() {
		return false, err // one that has not ended will have rows of its own
	}
	switch {
	case row.Page != nil:
		return c.add(a, tableName{kind: pagesKind}, row.Number, &c.Stored.Rows.Pages, pageCells(*row.Page), row.Page)
	case row.Link != nil:
		return c.add(a, tableName{kind: linksKind}, row.Number, &c.Stored.Rows.Links, linkCells(*row.Link), row.Link)
	case row.Folder != nil:
		return c.add(a, tableName{kind: foldersKind}, row.Number, &c.Stored.Rows.Folders, folderCells(*row.Folder), row.Folder)
	}
	n := c.Issues[row.Issue.Check]
	stored, err = c.add(a, tableName{issuesKind, checkNumber(row.Issue.Check)}, row.Number, &n, issueCells(*row.Issue), row.Issue)
	c.Issues[row.Issue.Check] = n
	return stored, err
}

// of returns the crawl whose rows are imported.
func (r *Rows) of(a tenant.Account, id uuid.UUID) (*importing, error) {
	if r.crawls == nil {
		r.account, r.crawls = a, map[uuid.UUID]*importing{}
	}
	if c := r.crawls[id]; c != nil {
		return c, nil
	}
	stored, err := get(a, id)
	if err != nil {
		return nil, fmt.Errorf("id: the line of the crawl %s must come before its rows", id)
	}
	if stored.Issues == nil {
		stored.Issues = map[string]int{}
	}
	r.crawls[id] = &importing{stored, map[tableName]*chunkWriter{}}
	return r.crawls[id], nil
}

// add puts a row behind the n that a table has, unless it is among them.
func (c *importing) add(a tenant.Account, name tableName, number int, n *int, of cells, row any) (stored bool, err error) {
	switch {
	case number < *n:
		return false, nil
	case number > *n:
		return false, fmt.Errorf("number: the line of row %d must come before that of row %d", *n, number)
	}
	w := c.tables[name]
	if w == nil {
		w = newChunkWriter(c.ID, name.kind, name.sub)
		if err := w.goOn(a, *n); err != nil {
			return false, err
		}
		c.tables[name] = w
	}
	full, err := w.add(of, row)
	*n = w.rows
	return true, errors.Join(err, putEntries(a, full))
}

// Flush stores what is left of the last chunks, and how many rows the crawls have. It is to be called once, behind the last row of the transaction.
func (r *Rows) Flush() error {
	for _, c := range r.crawls {
		if len(c.tables) == 0 {
			continue
		}
		for _, w := range c.tables {
			if err := putEntries(r.account, w.flush()); err != nil {
				return err
			}
		}
		if err := put(r.account, c.Stored); err != nil {
			return err
		}
	}
	return nil
}

// goOn has the writer add rows behind the n that its table has.
func (w *chunkWriter) goOn(a tenant.Account, n int) error {
	w.rows = n
	in := n % chunkRows // of the last chunk, which is not full
	if in == 0 {
		return nil
	}
	number := binary.BigEndian.AppendUint32(nil, uint32(n/chunkRows))
	columns := a.Bucket(Data).Get(append(w.prefix(columnsPart), number...))
	rows, err := record.Unpack(a.Bucket(Data).Get(append(w.prefix(rowsPart), number...)))
	heads, ends := 2+in*rowHead, 2+in*4
	if err != nil || len(columns) < heads || len(rows) < ends || int(binary.BigEndian.Uint16(columns)) != in {
		return fmt.Errorf("%w: the last rows of a crawl", record.ErrDamaged)
	}
	w.heads, w.texts = bytes.Clone(columns[2:heads]), bytes.Clone(columns[heads:])
	w.ends, w.content = bytes.Clone(rows[2:ends]), bytes.Clone(rows[ends:])
	return nil
}
