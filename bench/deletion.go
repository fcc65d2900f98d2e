package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"sitegrade/sortfilter"
)

// deletion is what others see while a product removes a project that has all reports of the set.
type deletion struct {
	engine   string
	reports  int           // that the project had
	answered time.Duration // until the deletion was acknowledged
	quiet    sample        // of creates before it
	beside   sample        // of creates while its records were removed
	lists    sample        // of lists that were read meanwhile
	halves   int           // of these lists, those that had neither all of the project nor nothing of it
	left     int           // differences that the check found afterwards
}

// How many reports are created and lists are read a second, how long before a deletion, and how long from its beginning on.
const (
	createsBeside  = 100
	readsBeside    = 100
	beforeDeletion = 20 * time.Second
	afterDeletion  = 60 * time.Second
)

// hugeProject is the project that is deleted.
const hugeProject = "everything"

// measureDeletion loads the set once more, as one project, and deletes that while clients create and one reads.
func (b *bench) measureDeletion(r *results, full, _ *environment) error {
	for _, name := range products {
		if !slices.Contains(r.engines, name) {
			continue
		}
		d, err := b.deletionFrom(name, full.set)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		r.deletions = append(r.deletions, d)
		say("%s: project of %d reports deleted: creates meanwhile took %s in 99 of 100 cases", name, d.reports, d.beside.p99)
	}
	return nil
}

// storing is an engine that is a product.
type storing interface {
	engine
	inside() *product
}

func (p *product) inside() *product { return p }

func (b *bench) deletionFrom(name string, set *dataset) (d deletion, err error) {
	e := newEngine(name).(storing)
	if err := openNew(e, filepath.Join(b.dir, "deletion-"+name)); err != nil {
		return d, err
	}
	defer func() { err = errors.Join(err, e.close()) }()
	if err := e.inside().loadAsOne(set.path); err != nil {
		return d, err
	}
	d, err = e.inside().deleteProject(hugeProject)
	d.engine = name
	return d, err
}

// loadAsOne loads the reports of a file of import lines into one project.
func (s *product) loadAsOne(path string) error {
	lines, in := io.Pipe()
	go func() {
		out := json.NewEncoder(in)
		in.CloseWithError(readLines(path, func(line *reportLine) error {
			if line.Kind != "report" {
				return nil
			}
			line.Project = hugeProject
			return out.Encode(line)
		}))
	}()
	_, err := s.store.Import(context.Background(), account, lines, nil)
	return errors.Join(err, lines.Close())
}

func (s *product) deleteProject(name string) (d deletion, err error) {
	ctx := context.Background()
	p, err := s.store.Project(ctx, account, name)
	if err != nil {
		return d, err
	}
	d.reports = p.Reports.Total
	before, err := s.goodReports()
	if err != nil {
		return d, err
	}
	if d.quiet, err = openLoop(createsBeside, beforeDeletion, s.createBeside); err != nil {
		return d, err
	}
	var createErr, readErr error
	var halves atomic.Int64
	var others sync.WaitGroup
	others.Go(func() { d.beside, createErr = openLoop(createsBeside, afterDeletion, s.createBeside) })
	others.Go(func() {
		// Creates make no good reports, so that only the deletion changes their number.
		d.lists, readErr = openLoop(readsBeside, afterDeletion, func(int) error {
			good, err := s.goodReports()
			if good != before && good != before-p.Reports.Good {
				halves.Add(1)
			}
			return err
		})
	})
	began := time.Now()
	err = s.store.DeleteProject(ctx, account, name, nil)
	d.answered = time.Since(began)
	others.Wait()
	d.halves = int(halves.Load())
	if err = errors.Join(err, createErr, readErr); err != nil {
		return d, err
	}
	check, err := s.store.Check(ctx)
	d.left = len(check.Differences) + check.More
	return d, err
}

// createBeside creates a report of another project than that which is deleted.
func (s *product) createBeside(n int) error {
	return s.create(fmt.Sprintf("https://beside.example/%d", n))
}

// goodReports returns the number of good reports, and fails when a page of them is not full.
func (s *product) goodReports() (int, error) {
	page, err := s.store.Reports(context.Background(), account, sortfilter.Query{SortBy: sortfilter.ByID, Result: "good", PerPage: 100, Page: 1})
	if err == nil && len(page.Rows) != min(100, page.Total) {
		err = fmt.Errorf("a page of %d good reports has %d rows", page.Total, len(page.Rows))
	}
	return page.Total, err
}

func (r *results) writeDeletions(b *strings.Builder) {
	for _, d := range r.deletions {
		d.write(b)
	}
}

func (d *deletion) write(b *strings.Builder) {
	fmt.Fprintf(b, "\n### Deleting a project in %s\n\nSitegrade deletes a project of %d reports while %d reports of another are created and %d lists are read a second, each at "+
		"its time whatever became of those before it. The deletion was acknowledged after %s ms. In the %s from then on, half of the creates took up to %s ms and "+
		"99 of 100 up to %s ms from the moment at which they were due; in the %s before, %s and %s ms. The lists took %s and %s ms, and %d of them were between "+
		"all and nothing. The check found %d differences afterwards.\n",
		d.engine, d.reports, createsBeside, readsBeside, milliseconds(d.answered), afterDeletion, milliseconds(d.beside.p50), milliseconds(d.beside.p99),
		beforeDeletion, milliseconds(d.quiet.p50), milliseconds(d.quiet.p99), milliseconds(d.lists.p50), milliseconds(d.lists.p99), d.halves, d.left)
}
