package worker

import (
	"fmt"
	"net"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"sitegrade/audit"
	"sitegrade/db"
	"sitegrade/db/bolt"
	"sitegrade/fetch"
	"sitegrade/weburl"
)

// newSilentHost returns the address of a host that takes connections and never responds.
func newSilentHost(t *testing.T) string {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	return "http://" + listener.Addr().String()
}

// An account with a long row of hosts that never respond does not keep the page of another account waiting: neither does it have all places,
// nor does its row hide what waits behind it.
func TestSilentHostsOfOneAccountDoNotHoldUpAnother(t *testing.T) {
	b := newBench(t, bolt.Options{})
	for range 38 {
		host := newSilentHost(t)
		var pages []string
		for i := range 32 {
			pages = append(pages, fmt.Sprintf("%s/%d", host, i))
		}
		b.createAll("default", pages...)
	}
	quick := newSite(t, nil)
	behind := b.createFor("other", quick.URL+"/")
	w := New(b.store, b.auditor, Options{Grace: time.Millisecond})
	w.windowSize = 50
	stop := b.run(w)
	b.waitFor(w, "other", behind)
	late := b.createFor("third", quick.URL+"/late")
	b.waitFor(w, "third", late)
	stop()
	if s := w.Stats(); s.Done != 2 || len(s.Failed) != 0 {
		t.Errorf("stats %+v: the silent hosts should still be waited for", s)
	}
}

func TestHostThatGivesNoResponseIsSilent(t *testing.T) {
	b := newBench(t, bolt.Options{})
	b.auditor = audit.New(fetch.New(fetch.Options{AllowNetworks: loopback}), audit.Options{SiteRequests: -1, Samples: -1, Timeout: 50 * time.Millisecond})
	site, silent := newSite(t, nil), newSilentHost(t)
	w, stop := b.start(Options{})
	first, second := b.create(silent+"/"), b.create(site.URL+"/")
	b.wait(w, first, second)
	stop()
	if now := time.Now(); !w.load.isSilent(weburl.Restore(silent+"/").HostKey(), now) || w.load.isSilent(weburl.Restore(site.URL+"/").HostKey(), now) {
		t.Errorf("%v counts as silent", w.load.silent)
	}
}

// Reports of one address that wait together are one audit, whosever they are.
func TestReportsOfOneAddressShareAnAudit(t *testing.T) {
	b := newBench(t, bolt.Options{})
	site := newSite(t, nil)
	ids := map[string][]uuid.UUID{}
	for _, account := range []string{"default", "other", "third"} {
		ids[account] = b.createAll(account, slices.Repeat([]string{site.URL + "/"}, 100)...)
	}
	w, stop := b.start(Options{})
	for account, all := range ids {
		b.waitFor(w, account, all...)
		for _, id := range all {
			r, found, err := b.store.Report(b.ctx, account, id)
			if err != nil || r.Status != db.Done || found == nil || found.Page.Title != "A page for the worker to audit" {
				t.Fatalf("report %+v, found %v: %v", r, found, err)
			}
		}
	}
	stop()
	if all, _ := site.requests(); all != 1 || w.Stats().Done != 1 {
		t.Errorf("%d requests, stats %+v", all, w.Stats())
	}
}

// A report that is queued when the audit of its address has begun gets a new one, which begins when the first has ended.
func TestReportsQueuedLaterGetAnotherAudit(t *testing.T) {
	b := newBench(t, bolt.Options{})
	gate := make(chan struct{})
	site, free := newSite(t, gate), newSite(t, nil)
	first := b.create(site.URL + "/")
	w, stop := b.start(Options{})
	b.arrival(site)
	var later []uuid.UUID
	for range 20 {
		later = append(later, b.create(site.URL+"/"))
	}
	other := b.create(free.URL + "/") // its end shows that the queue was read
	b.wait(w, other)
	gate <- struct{}{}
	b.arrival(site)
	b.wait(w, first)
	for _, id := range later {
		b.wantStatus(id, db.Running)
	}
	gate <- struct{}{}
	b.wait(w, later...)
	for _, id := range append(later, first) {
		b.wantStatus(id, db.Done)
	}
	stop()
	if all, peak := site.requests(); all != 2 || peak != 1 {
		t.Errorf("%d requests, %d at once; want 2, one after the other", all, peak)
	}
}

// Reports that were deleted, or asked for again, while others waited for the same audit go their own way.
func TestSharedAuditOfChangedReports(t *testing.T) {
	b := newBench(t, bolt.Options{})
	gate := make(chan struct{})
	site := newSite(t, gate)
	kept, again, deleted := b.create(site.URL+"/"), b.create(site.URL+"/"), b.create(site.URL+"/")
	w, _ := b.start(Options{})
	b.arrival(site)
	b.regenerate(again)
	if err := b.store.DeleteReport(b.ctx, "default", deleted, nil); err != nil {
		t.Fatal(err)
	}
	gate <- struct{}{}
	b.wait(w, kept, deleted)
	b.arrival(site)
	gate <- struct{}{}
	b.wait(w, again)
	b.wantStatus(kept, db.Done)
	b.wantStatus(again, db.Done)
	if all, _ := site.requests(); all != 2 {
		t.Errorf("%d requests, want one for all and one for what was asked for again", all)
	}
}
