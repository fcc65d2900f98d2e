package transfer

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"sync"

	"sitegrade/db"
	"sitegrade/db/internal/record"
)

// Batch is how many lines of an import are stored in one transaction, all or none. Larger batches write each page of the indexes less often,
// and leave more free pages behind in a file of bolt, whose list every later start reads: of a million lines 20,000 at once took 35 s and left 27,000,
// 5,000 took 47 s and left 5,500, 2,000 took 79 s and left 1,000.
const Batch = 2_000

// MaxLine is how many bytes a line of an import may have.
const MaxLine = 64 << 20

// Import reads the lines of an import and has them stored in batches, in their order; the next batch is parsed while one is stored. store
// stores all lines of a batch or none, and returns how many it left out since they were there. account, progress, the result and the error
// are those of db.Store.
func Import(ctx context.Context, account string, r io.Reader, store func([]Line) (skipped int, err error), progress func(db.ImportStats)) (db.ImportStats, error) {
	var stats db.ImportStats
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	for batch := range parsedBatches(ctx, account, r) {
		if batch.err != nil {
			return stats, fmt.Errorf("line %d: %w (the first %d lines are stored: mend the line and import again from line %d on)",
				batch.errLine, batch.err, stats.Lines, stats.Lines+1)
		}
		skipped, err := store(batch.lines)
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

// batch is lines that were parsed, or why one of them could not be.
type batch struct {
	lines   []Line
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
			texts, err := readLines(in, Batch)
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
	parsed := make([]Line, len(texts))
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

// Line is a line that was parsed, with its report as it is stored.
type Line struct {
	db.ParsedLine
	Record *record.Record // without a project's number
	Packed []byte         // the findings, as record.PackFound gives them
}

func parseLine(text []byte, account string) (Line, error) {
	l, err := db.ParseLine(text, account)
	in := Line{ParsedLine: l}
	if err != nil {
		return in, err
	}
	if l.Kind == db.ReportLine {
		in.Record = record.OfLine(&l)
	}
	if l.Findings != nil {
		in.Packed, err = record.PackFound(l.Findings)
	}
	return in, err
}
