package bolt

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"sync"

	"github.com/google/uuid"
	"go.etcd.io/bbolt"

	"sitegrade/db"
	"sitegrade/db/internal/record"
)

// importBatch is how many lines are stored in one transaction, all or none. Larger batches write each page of the indexes less often,
// and leave more free pages behind, whose list every later start reads: of a million lines 20,000 at once took 35 s and left 27,000,
// 5,000 took 47 s and left 5,500, 2,000 took 79 s and left 1,000.
const importBatch = 2_000

// MaxLine is how many bytes a line of an import may have.
const MaxLine = 64 << 20

// Import is documented in db.Store.
func (d *DB) Import(ctx context.Context, account string, r io.Reader, progress func(db.ImportStats)) (db.ImportStats, error) {
	var stats db.ImportStats
	if err := d.finishPurges(ctx); err != nil {
		return stats, err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	for batch := range parsedBatches(ctx, account, r) {
		if batch.err != nil {
			return stats, fmt.Errorf("line %d: %w (the first %d lines are stored: mend the line and import again from line %d on)",
				batch.errLine, batch.err, stats.Lines, stats.Lines+1)
		}
		skipped, err := d.storeBatch(ctx, batch.lines)
		if err != nil {
			return stats, fmt.Errorf("lines %d to %d: %w", stats.Lines+1, stats.Lines+batch.read, err)
		}
		stats.Lines += batch.read
		stats.Imported += len(batch.lines) - skipped
		stats.Skipped += skipped
		if progress != nil {
			progress(stats)
		}
	}
	return stats, ctx.Err()
}

// finishPurges waits until nothing is left of deleted projects, whose reports may be what is imported.
func (d *DB) finishPurges(ctx context.Context) error {
	names, err := d.accountsPurging()
	if err != nil {
		return err
	}
	for _, name := range names {
		if err := d.purgeAll(ctx, name); err != nil {
			return err
		}
	}
	return nil
}

// batch is lines that were parsed, or why one of them could not be.
type batch struct {
	lines   []imported
	read    int // lines of input, empty ones too
	err     error
	errLine int
}

// parsedBatches returns the batches of an import in order. The next one is parsed while one is stored.
func parsedBatches(ctx context.Context, account string, r io.Reader) <-chan batch {
	out := make(chan batch)
	go func() {
		defer close(out)
		in := bufio.NewReaderSize(r, 1<<20)
		for first := 1; ; {
			texts, err := readLines(in, importBatch)
			b := parseBatch(texts, account, first)
			if b.err == nil && err != nil && !errors.Is(err, io.EOF) {
				b.err, b.errLine = err, first+len(texts)
			}
			select {
			case out <- b:
			case <-ctx.Done():
				return
			}
			if err != nil || b.err != nil {
				return
			}
			first += len(texts)
		}
	}()
	return out
}

// readLines returns up to n lines. The error is io.EOF behind the last.
func readLines(r *bufio.Reader, n int) ([][]byte, error) {
	var lines [][]byte
	for len(lines) < n {
		text, err := readLine(r)
		if len(text) > 0 || err == nil {
			lines = append(lines, text)
		}
		if err != nil {
			return lines, err
		}
	}
	return lines, nil
}

func readLine(r *bufio.Reader) ([]byte, error) {
	var text []byte
	for {
		part, err := r.ReadSlice('\n')
		text = append(text, part...)
		switch {
		case len(text) > MaxLine:
			return nil, fmt.Errorf("longer than %d bytes", MaxLine)
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		}
		return text, err
	}
}

// parseBatch parses lines on all cores. Of several bad lines the first is told.
func parseBatch(texts [][]byte, account string, first int) batch {
	parsed := make([]imported, len(texts))
	errs := make([]error, len(texts))
	var wg sync.WaitGroup
	cores := runtime.GOMAXPROCS(0)
	for core := range cores {
		wg.Go(func() {
			for i := len(texts) * core / cores; i < len(texts)*(core+1)/cores; i++ {
				if text := bytes.TrimSpace(texts[i]); len(text) > 0 {
					parsed[i], errs[i] = parseLine(text, account)
				}
			}
		})
	}
	wg.Wait()
	b := batch{read: len(texts)}
	for i := range parsed {
		if errs[i] != nil {
			return batch{err: errs[i], errLine: first + i}
		}
		if parsed[i].Kind != "" {
			b.lines = append(b.lines, parsed[i])
		}
	}
	return b
}

// imported is a parsed line, with its report as it is stored.
type imported struct {
	db.ParsedLine
	record *record.Record // without a project's number
	packed []byte         // the findings
}

func parseLine(text []byte, account string) (imported, error) {
	l, err := db.ParseLine(text, account)
	in := imported{ParsedLine: l}
	if err != nil || l.Kind != db.ReportLine {
		return in, err
	}
	in.record = record.OfLine(&l)
	if l.Findings != nil {
		in.packed, err = record.PackFound(l.Findings)
	}
	return in, err
}

// storeBatch stores parsed lines in one transaction and returns how many it skipped.
func (d *DB) storeBatch(ctx context.Context, lines []imported) (skipped int, err error) {
	var queued []string
	err = d.file.Add(ctx, func(tx *bbolt.Tx) error {
		s := storing{d: d, tx: tx, now: record.Milliseconds(d.options.Now()), accounts: map[string]*storingAccount{}}
		for _, l := range lines {
			if err := s.store(l); err != nil {
				return err
			}
		}
		skipped, queued = s.skipped, s.queued()
		return s.finish()
	})
	if err == nil {
		for _, account := range queued {
			d.announce(db.News{Account: account, Queued: true})
		}
	}
	return skipped, err
}

// storing is the transaction that stores a batch.
type storing struct {
	d        *DB
	tx       *bbolt.Tx
	now      int64
	accounts map[string]*storingAccount
	skipped  int
}

type storingAccount struct {
	*accountTx
	indexing
	projects map[string]uint32 // by name as written
	queued   bool              // a report of the batch waits for an audit
}

func (s *storing) account(name string) (*storingAccount, error) {
	if a := s.accounts[name]; a != nil {
		return a, nil
	}
	a, err := makeAccount(s.tx, name)
	if err != nil {
		return nil, err
	}
	s.accounts[name] = &storingAccount{accountTx: a, projects: map[string]uint32{}}
	return s.accounts[name], nil
}

// queued returns the accounts of which the batch queued reports.
func (s *storing) queued() []string {
	var names []string
	for name, a := range s.accounts {
		if a.queued {
			names = append(names, name)
		}
	}
	return names
}

// finish writes the indexes.
func (s *storing) finish() error {
	for _, a := range s.accounts {
		if err := a.apply(a.accountTx); err != nil {
			return err
		}
	}
	return nil
}

func (s *storing) store(l imported) error {
	known := s.tx.Bucket(accountsBucket).Bucket([]byte(l.Account)) != nil
	a, err := s.account(l.Account)
	if err != nil {
		return err
	}
	switch l.Kind {
	case db.AccountLine:
		if known {
			s.skipped++
			return nil
		}
		return s.storeShareKey(a, l.ShareKey)
	case db.KeyLine:
		return s.storeKey(l)
	case db.ProjectLine:
		return s.storeProject(a, l.Project)
	}
	return s.storeReport(a, l)
}

// storeShareKey takes over the key that the addresses of shared pages are made from, unless another account has it: an address must
// lead to one account.
func (s *storing) storeShareKey(a *storingAccount, key []byte) error {
	taken := key == nil
	err := eachAccount(s.tx, func(other *accountTx) error {
		taken = taken || bytes.Equal(key, other.bucket(settingsBucket).Get(shareKeyKey))
		return nil
	})
	if taken || err != nil {
		return err
	}
	return a.putShareKey(key)
}

func (s *storing) storeKey(l imported) error {
	k := l.Key
	if k.CreatedAt.IsZero() {
		k.CreatedAt = record.Instant(s.now)
	}
	if k.ID == uuid.Nil {
		k.ID = s.d.ids.Next(record.Instant(s.now))
	}
	err := addKey(s.tx, k)
	if errors.As(err, new(*db.InvalidError)) {
		s.skipped++
		return nil
	}
	return err
}

func (s *storing) storeProject(a *storingAccount, l db.Project) error {
	if a.numberOf(l.Name) != nil || a.bucket(projectIDsBucket).Get(l.ID[:]) != nil {
		s.skipped++
		return nil
	}
	p := &project{id: l.ID, name: l.Name, created: record.Milliseconds(l.CreatedAt)}
	if p.created == 0 {
		p.created = s.now
	}
	if p.id == uuid.Nil {
		p.id = record.NewID(p.created, 0)
	}
	_, err := a.addProject(p)
	return err
}

func (s *storing) storeReport(a *storingAccount, l imported) error {
	r := *l.record
	if r.ID != uuid.Nil {
		if _, err := a.record(r.ID); err == nil {
			s.skipped++
			return nil
		}
	}
	r.Complete(&s.d.ids, s.now)
	name := l.Report.Project.Name
	number, known := a.projects[name]
	if !known {
		p, err := a.makeProject(name, &s.d.ids, s.now)
		if err != nil {
			return err
		}
		number = p.number
		a.projects[name] = number
	}
	r.Project = number
	if l.packed != nil {
		if err := a.bucket(foundBucket).Put(r.ID[:], l.packed); err != nil {
			return err
		}
	}
	a.replace(nil, &r)
	a.queued = a.queued || r.Status == db.Queued
	return errors.Join(a.putRecord(&r), a.enqueue(&r))
}
