package crawled

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"io"
	"maps"
	"slices"

	"github.com/google/uuid"

	"sitegrade/db"
	"sitegrade/db/internal/tenant"
	"sitegrade/db/internal/transfer"
)

// Export writes the crawls of an account, each with its rows behind it, a chunk of rows in each transaction.
func (s *Sites) Export(ctx context.Context, account string, w io.Writer) error {
	var e exporting
	return transfer.Write(ctx, w, func(out *json.Encoder) (more bool, err error) {
		err = s.Engine.View(ctx, account, func(a tenant.Account) error {
			more, err = e.next(a, out)
			return err
		})
		return more, err
	})
}

// exporting is how far an export has come: the crawl that was written last, its tables that are still to be written, and the next chunk of the
// first of these.
type exporting struct {
	crawl  uuid.UUID
	tables []tableName
	chunk  uint32
}

// next writes a chunk of rows or, behind those, the next crawl.
func (e *exporting) next(a tenant.Account, out *json.Encoder) (more bool, err error) {
	if len(e.tables) > 0 {
		some, err := e.tables[0].export(a, e.crawl, e.chunk, out)
		if e.chunk++; !some {
			e.tables, e.chunk = e.tables[1:], 0
		}
		return true, err
	}
	cursor := a.Bucket(Crawls).Cursor()
	id, stored := cursor.Seek(e.crawl[:])
	if bytes.Equal(id, e.crawl[:]) {
		id, stored = cursor.Next()
	}
	if id == nil {
		return false, nil
	}
	c, err := tenant.Decode[Stored](stored)
	if err != nil {
		return false, err
	}
	e.crawl = c.ID
	moved := db.MovedCrawl{Crawl: c.Crawl, Failing: c.Failing, Headers: len(c.Sealed) > 0}
	if c.Status.Unfinished() {
		if moved.URLs, err = start(a, c.ID); err != nil {
			return false, err
		}
	} else {
		e.tables = append(e.tables, tableName{kind: pagesKind}, tableName{kind: linksKind}, tableName{kind: foldersKind})
		for _, check := range slices.Sorted(maps.Keys(c.Issues)) {
			e.tables = append(e.tables, tableName{issuesKind, checkNumber(check)})
		}
	}
	return true, out.Encode(db.LineOfCrawl(a.Name, moved))
}

// export writes the rows of a chunk, and reports whether the table has it.
func (n tableName) export(a tenant.Account, crawl uuid.UUID, chunk uint32, out *json.Encoder) (some bool, err error) {
	switch n.kind {
	case pagesKind:
		return exportChunk(a, n, crawl, chunk, out, func(p *db.CrawlPage) db.CrawlRow { return db.CrawlRow{Page: p} })
	case linksKind:
		return exportChunk(a, n, crawl, chunk, out, func(l *db.CrawlLink) db.CrawlRow { return db.CrawlRow{Link: l} })
	case foldersKind:
		return exportChunk(a, n, crawl, chunk, out, func(f *db.CrawlFolder) db.CrawlRow { return db.CrawlRow{Folder: f} })
	}
	return exportChunk(a, n, crawl, chunk, out, func(i *db.CrawlIssue) db.CrawlRow { return db.CrawlRow{Issue: i} })
}

func exportChunk[Row any](
	a tenant.Account, n tableName, crawl uuid.UUID, chunk uint32, out *json.Encoder, asRow func(*Row) db.CrawlRow,
) (some bool, err error) {
	t := table[Row]{a: a, crawl: crawl, kind: n.kind, sub: n.sub}
	columns := a.Bucket(Data).Get(binary.BigEndian.AppendUint32(tablePrefix(crawl, n.kind, n.sub, columnsPart), chunk))
	if columns == nil {
		return false, nil
	}
	rows, err := t.chunk(chunk)
	if err != nil {
		return false, err
	}
	for i := range int(binary.BigEndian.Uint16(columns)) {
		row, err := decodeRow[Row](rows, i)
		if err != nil {
			return false, err
		}
		line := asRow(&row)
		line.Crawl, line.Number = crawl, int(chunk)*chunkRows+i
		if err := out.Encode(db.LineOfCrawlRow(a.Name, line)); err != nil {
			return false, err
		}
	}
	return true, nil
}
