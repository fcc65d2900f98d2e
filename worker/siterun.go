package worker

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"

	"sitegrade/audit"
	"sitegrade/crawl"
	"sitegrade/db"
	"sitegrade/weburl"
)

// siteRun is a crawl as it runs.
type siteRun struct {
	*Crawler
	db.ClaimedCrawl
	log      *slog.Logger
	changed  <-chan struct{} // tells that somebody may have stopped or deleted the crawl
	frontier *crawl.Frontier
	visitor  *crawl.Visitor

	keeping sync.Mutex           // held while what was seen is stored
	reports map[string]uuid.UUID // of the pages that are kept, by address; guarded by keeping

	mu       sync.Mutex // guards what follows
	found    map[*crawl.Visit]*audit.Report
	seen     []*crawl.Visit // what is not kept yet, in its order
	progress db.CrawlProgress
	limits   []db.CrawlLimit
	failure  string // why the first address gave no response; "" once one gave a response
	answered bool   // one did
}

func newSiteRun(c *Crawler, claimed db.ClaimedCrawl, changed <-chan struct{}, log *slog.Logger) *siteRun {
	start := []*weburl.URL{weburl.Restore(claimed.URL)}
	if claimed.URLs != nil {
		start = nil
		for _, address := range claimed.URLs {
			start = append(start, weburl.Restore(address))
		}
	}
	header := map[string][]string{}
	for name, value := range claimed.Headers {
		header[name] = []string{value}
	}
	o := crawl.Options{
		Mode: crawl.Mode(claimed.Mode), MaxPages: claimed.MaxPages, MaxDepth: claimed.MaxDepth, Include: claimed.Include, Exclude: claimed.Exclude,
	}
	r := &siteRun{
		Crawler: c, ClaimedCrawl: claimed, log: log, changed: changed, reports: map[string]uuid.UUID{}, found: map[*crawl.Visit]*audit.Report{},
		frontier: crawl.New(o, start...), visitor: crawl.NewVisitor(c.auditor, start[0], header, time.Now),
	}
	r.visitor.Remember(r.noteBeside)
	return r
}

// Why a crawl ends early.
var (
	errGone    = errors.New("the crawl was deleted")
	errStopped = errors.New("somebody stopped the crawl")
)

// run crawls until the site is done, somebody stops it, or ctx ends.
func (r *siteRun) run(ctx context.Context) error {
	err := r.goOn(ctx)
	if r.Failure != nil && err == nil {
		return r.fail(ctx, r.Failure)
	}
	status := db.CrawlEnded
	if err == nil {
		status, err = r.visitAll(ctx)
	}
	if err == nil && ctx.Err() == nil {
		err = r.finish(ctx, status)
	}
	if errors.Is(err, errGone) || errors.Is(err, db.ErrNotFound) {
		return nil
	}
	return err
}

// goOn hands the frontier what an earlier process has seen.
func (r *siteRun) goOn(ctx context.Context) error {
	for after := 0; ; after += visitsRead {
		batches, err := r.store.Visits(ctx, r.Account, r.ID, after, visitsRead)
		if err != nil {
			return err
		}
		for _, batch := range batches {
			if err := r.recall(batch); err != nil {
				return err
			}
		}
		if len(batches) < visitsRead {
			return nil
		}
	}
}

func (r *siteRun) recall(batch []byte) error {
	d := json.NewDecoder(bytes.NewReader(batch))
	for {
		v := new(crawl.Visit)
		if err := d.Decode(v); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return fmt.Errorf("reading what was visited: %w", err)
		}
		if id, err := uuid.Parse(v.Report); err == nil {
			r.reports[v.URL] = id
		}
		v.Report = ""
		if err := r.visitor.Recall(v); err != nil {
			return err
		}
		if v.Kind == crawl.Beside {
			continue
		}
		r.frontier.Done(*v)
		r.noteFailure(v)
	}
}

// noteFailure remembers why there was no response at all.
func (r *siteRun) noteFailure(v *crawl.Visit) {
	r.answered = r.answered || v.Status != 0
	if r.answered {
		r.failure = ""
	} else if r.failure == "" {
		r.failure = v.Failure
	}
}

// visitAll visits what the frontier gives out until nothing is left or somebody stops the crawl. All that was seen is kept then.
func (r *siteRun) visitAll(ctx context.Context) (db.CrawlStatus, error) {
	running, end := context.WithCancelCause(ctx)
	var besides sync.WaitGroup
	besides.Go(func() { r.watch(running, end) })
	keep := func(v *crawl.Visit) error { return r.note(running, v) }
	d := crawl.Driver{Frontier: r.frontier, Ask: r.ask, Keep: keep, Counted: r.counted, Now: time.Now, After: time.After}
	r.counted()
	err := d.Run(running)
	end(nil)
	besides.Wait()
	r.counted()
	switch {
	case errors.Is(err, errStopped):
		return db.CrawlStopped, r.keep(ctx)
	case err == nil || ctx.Err() != nil:
		return db.CrawlEnded, r.keep(ctx)
	}
	return "", err
}

// watch keeps from time to time what was seen, and ends the crawl when that is not possible, and when somebody stopped or deleted it.
func (r *siteRun) watch(ctx context.Context, end context.CancelCauseFunc) {
	tick := time.NewTicker(keepPause)
	defer tick.Stop()
	for err := r.standing(ctx); ; {
		if err != nil {
			end(err)
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			err = r.keep(ctx)
		case <-r.changed:
			err = r.standing(ctx)
		}
	}
}

// standing returns errStopped or errGone if somebody wants the crawl to end.
func (r *siteRun) standing(ctx context.Context) error {
	now, err := r.store.Crawl(ctx, r.Account, r.ID)
	switch {
	case errors.Is(err, db.ErrNotFound):
		return errGone
	case err == nil && now.Stopping:
		return errStopped
	case ctx.Err() != nil:
		return nil
	}
	return err
}

// ask visits an address. Whatever happens in there, the server goes on.
func (r *siteRun) ask(ctx context.Context, a crawl.Address) (v *crawl.Visit, err error) {
	defer func() {
		if p := recover(); p != nil {
			r.log.Error("a visit panicked", "url", a.URL.String(), "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
			v, err = &crawl.Visit{URL: a.URL.String(), Kind: a.Kind, At: time.Now().UTC(), Failure: string(audit.CodeUnreachable)}, nil
		}
	}()
	v, found, err := r.visitor.Visit(ctx, a)
	if found != nil {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.found[v] = found
	}
	return v, err
}

// note takes what came of an address. It waits while too much is not kept yet.
func (r *siteRun) note(ctx context.Context, v *crawl.Visit) error {
	r.mu.Lock()
	r.seen = append(r.seen, v)
	r.noteFailure(v)
	full := len(r.seen) >= pagesAtOnce
	r.mu.Unlock()
	if full {
		return r.keep(ctx)
	}
	return nil
}

// noteBeside takes what was asked for beside addresses. Whatever note waits for is kept with it.
func (r *siteRun) noteBeside(v *crawl.Visit) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.seen = append(r.seen, v)
}

// counted notes how far the crawl has come.
func (r *siteRun) counted() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.progress, r.limits = db.CrawlProgress(r.frontier.Progress()), limitsOf(r.frontier.Limits())
}

// take returns what was seen since the last time.
func (r *siteRun) take() (seen []*crawl.Visit, b db.CrawlBatch) {
	r.mu.Lock()
	defer r.mu.Unlock()
	seen, r.seen = r.seen, nil
	b.Progress, b.Limits = r.progress, r.limits
	var of []int // the visits of the pages
	for i, v := range seen {
		if found := r.found[v]; found != nil {
			b.Pages = append(b.Pages, db.VisitedPage{URL: v.URL, Found: found})
			of = append(of, i)
			delete(r.found, v)
		}
	}
	b.Pack = func(reports []uuid.UUID) ([]byte, error) {
		for i, id := range reports {
			kept := *seen[of[i]] // the frontier has the other
			kept.Report = id.String()
			seen[of[i]] = &kept
		}
		return pack(seen)
	}
	return seen, b
}

// keep stores what was seen since the last time. While the database is full it tries again and again, until ctx ends.
func (r *siteRun) keep(ctx context.Context) error {
	r.keeping.Lock()
	defer r.keeping.Unlock()
	seen, b := r.take()
	if len(seen) == 0 {
		return nil
	}
	for {
		reports, err := r.store.AppendVisits(context.WithoutCancel(ctx), r.Account, r.ID, b)
		if err == nil {
			for i, p := range b.Pages {
				r.reports[p.URL] = reports[i]
			}
			return nil
		}
		switch full := errors.Is(err, db.ErrFull); {
		case !full && !errors.Is(err, db.ErrUnavailable), ctx.Err() != nil:
			return err
		case full:
			r.log.Error("a crawl waits because the database is full: delete reports, raise max_size or make room on the disk", "again_in", r.retry)
		}
		await(ctx, nil, r.retry)
	}
}

// pack returns what is kept of visits: a line of JSON for each.
func pack(seen []*crawl.Visit) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	for _, v := range seen {
		if err := e.Encode(v); err != nil {
			return nil, fmt.Errorf("keeping what was visited: %w", err)
		}
	}
	return b.Bytes(), nil
}

// finish stores what all visits say together.
func (r *siteRun) finish(ctx context.Context, status db.CrawlStatus) error {
	progress := r.frontier.Progress()
	if status == db.CrawlEnded && r.failure != "" {
		return r.fail(ctx, &audit.Failure{Code: audit.Code(r.failure), Detail: "No address of the site gave a response."})
	}
	findings := r.frontier.Findings()
	if err := r.store.KeepCrawlRows(ctx, r.Account, r.ID, r.resultOf(findings)); err != nil {
		return err
	}
	s := findings.Summary()
	return r.store.FinishCrawl(ctx, r.Account, r.ID, db.CrawlEnd{
		Status: status, Progress: db.CrawlProgress(progress), Limits: limitsOf(s.Limits), Score: s.Score,
		Summary: &db.CrawlSummary{
			Pages: s.Pages, Indexable: s.Indexable, Good: s.Good, Decent: s.Decent, Bad: s.Bad, High: s.High, Medium: s.Medium, Low: s.Low, Why: s.Why,
		},
	})
}

// fail ends a crawl that came to nothing.
func (r *siteRun) fail(ctx context.Context, failure *audit.Failure) error {
	return r.store.FinishCrawl(ctx, r.Account, r.ID, db.CrawlEnd{
		Status: db.CrawlFailed, Progress: db.CrawlProgress(r.frontier.Progress()), Limits: limitsOf(r.frontier.Limits()), Failure: failure,
	})
}

func limitsOf(limits []crawl.Limit) []db.CrawlLimit {
	all := make([]db.CrawlLimit, 0, len(limits))
	for _, l := range limits {
		all = append(all, db.CrawlLimit(l))
	}
	return all
}

// resultOf returns the rows of a crawl with the reports of its pages.
func (r *siteRun) resultOf(findings *crawl.Findings) db.CrawlResult {
	return db.CrawlResult{
		Pages: func(yield func(db.CrawlPage) bool) {
			for p := range findings.Rows() {
				row := db.CrawlPage{
					URL: p.URL, Status: p.Status, Depth: p.Depth, Inlinks: p.Inlinks, Outlinks: p.Outlinks, Reason: string(p.Reason),
					Canonical: p.Canonical, Title: p.Title, Report: r.reports[p.URL], Score: p.Score,
				}
				if !yield(row) {
					return
				}
			}
		},
		Folders: func(yield func(db.CrawlFolder) bool) {
			for _, f := range findings.Folders() {
				row := db.CrawlFolder{URL: f.URL, Level: f.Level, Pages: f.Pages, Score: f.Score, Good: f.Good, Decent: f.Decent, Bad: f.Bad}
				if !yield(row) {
					return
				}
			}
		},
		Links: func(yield func(db.CrawlLink) bool) {
			for l := range findings.Links() {
				row := db.CrawlLink{Target: l.Target, Status: l.Status, Broken: l.Broken, Sources: l.Sources}
				for _, s := range l.First {
					row.First = append(row.First, db.LinkSource(s))
				}
				if !yield(row) {
					return
				}
			}
		},
		Issues: func(yield func(db.CrawlIssue) bool) {
			for i := range findings.Issues() {
				if !yield(db.CrawlIssue{Check: i.Check, URL: i.URL, Report: r.reports[i.URL], Evidence: slices.Clone(i.Evidence)}) {
					return
				}
			}
		},
	}
}
