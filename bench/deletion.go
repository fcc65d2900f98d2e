package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"sitegrade/db"
	"sitegrade/sortfilter"
)

// deletion is what others see while Sitegrade deletes its largest project.
type deletion struct {
	reports  int           // that the project had
	answered time.Duration // until the deletion was acknowledged
	creates  int           // by one client, meanwhile
	longest  time.Duration // that one of them took
	lists    int           // that were read meanwhile
	halves   int           // lists that had neither all of the project nor nothing of it
	left     int           // differences that the check found afterwards
}

// afterDeletion is how long others go on after a deletion was acknowledged, while its records are removed.
const afterDeletion = 20 * time.Second

// measureDeletion deletes the largest project of Sitegrade while one client creates and another reads. It comes last: the engines
// do not hold the same any more.
func (b *bench) measureDeletion(r *results, full, _ *environment) error {
	for _, e := range full.engines {
		s, ok := e.(*sitegrade)
		if !ok {
			continue
		}
		d, err := s.deleteProject(full.set.top().name)
		if err != nil {
			return err
		}
		r.deletion = &d
		say("project of %d reports deleted: longest create meanwhile %s", d.reports, d.longest)
	}
	return nil
}

func (s *sitegrade) deleteProject(name string) (d deletion, err error) {
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
	var stop atomic.Bool
	var createErr, readErr error
	var others sync.WaitGroup
	others.Go(func() { createErr = d.create(s, &stop) })
	others.Go(func() { readErr = d.read(s, &stop, before, before-p.Reports.Good) })
	began := time.Now()
	err = s.store.DeleteProject(ctx, account, name, nil)
	d.answered = time.Since(began)
	time.Sleep(afterDeletion)
	stop.Store(true)
	others.Wait()
	if err = errors.Join(err, createErr, readErr); err != nil {
		return d, err
	}
	check, err := s.store.Check(ctx)
	d.left = len(check.Differences) + check.More
	return d, err
}

// create makes reports one after the other.
func (d *deletion) create(s *sitegrade, stop *atomic.Bool) error {
	for !stop.Load() {
		began := time.Now()
		if _, err := s.store.CreateReport(context.Background(), account, db.NewReport{URL: fmt.Sprintf("https://beside.example/%d", d.creates)}); err != nil {
			return err
		}
		d.longest = max(d.longest, time.Since(began))
		d.creates++
	}
	return nil
}

// read counts good reports, of which creates make none, so that only the deletion changes their number.
func (d *deletion) read(s *sitegrade, stop *atomic.Bool, all, none int) error {
	for !stop.Load() {
		good, err := s.goodReports()
		if err != nil {
			return err
		}
		d.lists++
		if good != all && good != none {
			d.halves++
		}
	}
	return nil
}

// goodReports returns the number of good reports, and fails when a page of them is not full.
func (s *sitegrade) goodReports() (int, error) {
	page, err := s.store.Reports(context.Background(), account, sortfilter.Query{SortBy: sortfilter.ByID, Result: "good", PerPage: 100, Page: 1})
	if err == nil && len(page.Rows) != min(100, page.Total) {
		err = fmt.Errorf("a page of %d good reports has %d rows", page.Total, len(page.Rows))
	}
	return page.Total, err
}

func (r *results) writeDeletion(b *strings.Builder) {
	d := r.deletion
	if d == nil {
		return
	}
	fmt.Fprintf(b, "### Deleting a project\n\nSitegrade deletes a project of %d reports while one client creates and one reads. It was acknowledged after %s ms; within %s, "+
		"%d creates took at most %s ms each, and of %d lists %d were between all and nothing. The check found %d differences afterwards.\n\n",
		d.reports, milliseconds(d.answered), afterDeletion, d.creates, milliseconds(d.longest), d.lists, d.halves, d.left)
}
