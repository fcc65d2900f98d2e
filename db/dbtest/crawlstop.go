package dbtest

import (
	"errors"
	"testing"

	"sitegrade/audit"
	"sitegrade/db"
)

func (s suite) testCrawlsAreStopped(t *testing.T) {
	d := s.open(t, Options{})
	hook(t, d, db.NewWebhook{Events: []string{"crawl.done"}, Project: ""})
	runs, waits := start(t, d, "a", db.NewCrawl{URL: "https://example.com/"}), start(t, d, "a", db.NewCrawl{URL: "https://example.com/"})
	take(t, d, 2, runs.ID)
	refused := errors.New("refused")
	if _, err := d.StopCrawl(t.Context(), "a", waits.ID, func(db.Crawl) error { return refused }); !errors.Is(err, refused) {
		t.Errorf("what its check refuses gives %v", err)
	}
	if _, err := d.StopCrawl(t.Context(), "b", waits.ID, nil); !errors.Is(err, db.ErrNotFound) {
		t.Errorf("another account gets %v", err)
	}
	stopped, err := d.StopCrawl(t.Context(), "a", waits.ID, nil)
	if err != nil || stopped.Status != db.CrawlStopped || stopped.FinishedAt.IsZero() || stopped.Revision <= waits.Revision {
		t.Errorf("one that waited is %+v, %v", stopped, err)
	}
	takeNone(t, d, 9)
	stopping, err := d.StopCrawl(t.Context(), "a", runs.ID, nil)
	if err != nil || stopping.Status != db.CrawlRunning || !stopping.Stopping {
		t.Errorf("one that runs is %+v, %v", stopping, err)
	}
	saw(t, d, "a", runs.ID, "the last") // what was under way
	if err := d.FinishCrawl(t.Context(), "a", runs.ID, ended(db.CrawlStopped, 0)); err != nil {
		t.Fatal(err)
	}
	d.ReleaseCrawl("a", runs.ID)
	end, err := d.Crawl(t.Context(), "a", runs.ID)
	if err != nil || end.Status != db.CrawlStopped || end.Stopping {
		t.Errorf("in the end it is %+v, %v", end, err)
	}
	if again, err := d.StopCrawl(t.Context(), "a", runs.ID, nil); err != nil || again.Revision != end.Revision || !again.FinishedAt.Equal(end.FinishedAt) {
		t.Errorf("one that has ended becomes %+v, %v", again, err)
	}
	claimedAs(t, d, 1) // of the one that ran
	failed := start(t, d, "a", db.NewCrawl{URL: "https://example.com/"})
	take(t, d, 1, failed.ID)
	if err := d.FinishCrawl(t.Context(), "a", failed.ID, db.CrawlEnd{Status: db.CrawlFailed, Failure: &audit.Failure{Code: audit.CodeDNS, Detail: "No such name."}}); err != nil {
		t.Fatal(err)
	}
	if end, err := d.Crawl(t.Context(), "a", failed.ID); err != nil || end.Status != db.CrawlFailed || end.Failure == nil || end.Failure.Code != audit.CodeDNS || end.Score != nil {
		t.Errorf("one that failed is %+v, %v", end, err)
	}
	claimedAs(t, d, 0)
}

// testCrawlsAreStoppedAtTheirEnd stops a crawl whose crawler has nothing left to visit, and ends it before it hears of that.
func (s suite) testCrawlsAreStoppedAtTheirEnd(t *testing.T) {
	d := s.open(t, Options{})
	late := start(t, d, "a", db.NewCrawl{URL: "https://example.com/"})
	take(t, d, 1, late.ID)
	if _, err := d.StopCrawl(t.Context(), "a", late.ID, nil); err != nil {
		t.Fatal(err)
	}
	if err := d.FinishCrawl(t.Context(), "a", late.ID, ended(db.CrawlEnded, 2)); err != nil {
		t.Fatal(err)
	}
	d.ReleaseCrawl("a", late.ID)
	if end, err := d.Crawl(t.Context(), "a", late.ID); err != nil || end.Status != db.CrawlStopped || end.Stopping || end.Summary.Pages != 2 {
		t.Errorf("one that was stopped when nothing was left is %+v, %v", end, err)
	}
}
