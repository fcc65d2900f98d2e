package worker

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"

	"sitegrade/db"
	"sitegrade/db/bolt"
)

func TestHostOf(t *testing.T) {
	for address, want := range map[string]string{
		"https://example.com/":             "example.com",
		"http://www.example.com/a//b?c=/d": "example.com",
		"http://127.0.0.1:8080/":           "127.0.0.1:8080",
		"https://[::1]:8443/x":             "[::1]:8443",
		"https://xn--bcher-kva.example/":   "xn--bcher-kva.example",
	} {
		if got := hostOf(address); got != want {
			t.Errorf("hostOf(%q) = %q", address, got)
		}
	}
}

func TestNextOfTheWindow(t *testing.T) {
	tests := []struct {
		name  string
		hosts []string // of the entries, oldest first
		busy  map[string]int
		want  int
	}{
		{"nothing waits", nil, nil, -1},
		{"the oldest", []string{"a", "b"}, nil, 0},
		{"not of a busy host", []string{"a", "a", "b"}, map[string]int{"a": 2}, 2},
		{"all are busy", []string{"a", "b"}, map[string]int{"a": 2, "b": 2}, -1},
		{"the least busy host", []string{"a", "a", "b", "c"}, map[string]int{"a": 1}, 2},
		{"the oldest of the least busy", []string{"a", "b", "c"}, map[string]int{"a": 1, "b": 1, "c": 1}, 0},
	}
	for _, test := range tests {
		v := newWindow()
		for _, host := range test.hosts {
			v.add(entry{Job: db.Job{ID: uuid.New()}, host: host})
		}
		if got := v.next(test.busy, 2); got != test.want {
			t.Errorf("%s: %d, want %d", test.name, got, test.want)
		}
	}
}

func TestHostsAreBusyWithinBounds(t *testing.T) {
	b := newBench(t, bolt.Options{})
	gate := make(chan struct{})
	slow, quick := newSite(t, gate), newSite(t, nil)
	var ofSlow, ofQuick []uuid.UUID
	for i := range 8 {
		ofSlow = append(ofSlow, b.create(fmt.Sprintf("%s/%d", slow.URL, i)))
	}
	for i := range 4 {
		ofQuick = append(ofQuick, b.create(fmt.Sprintf("%s/%d", quick.URL, i)))
	}
	w, _ := b.start(Options{})
	b.arrival(slow)
	b.arrival(slow)
	b.wait(w, ofQuick...)
	close(gate)
	b.wait(w, ofSlow...)
	if all, peak := slow.requests(); all != 8 || peak != 2 {
		t.Errorf("%d requests to the slow host, %d at once; want 8, 2 at once", all, peak)
	}
}

// More reports of one host than a reading brings neither hide the report of another host, nor fill the memory, nor get lost.
func TestOneHostDoesNotHideAnother(t *testing.T) {
	b := newBench(t, bolt.Options{})
	gate := make(chan struct{})
	slow, quick := newSite(t, gate), newSite(t, nil)
	narrow := func() *Worker {
		w := New(b.store, b.auditor, Options{Grace: time.Millisecond})
		w.window.size, w.window.hostShare = 20, 5
		return w
	}
	var ofSlow []uuid.UUID
	for i := range 60 {
		ofSlow = append(ofSlow, b.create(fmt.Sprintf("%s/%d", slow.URL, i)))
	}
	behind := b.create(quick.URL + "/")
	w := narrow()
	stop := b.run(w)
	b.wait(w, behind)
	b.wantStatus(behind, db.Done)
	stop()
	if n := len(w.window.entries); n > w.window.hostShare {
		t.Errorf("the window holds %d reports of one host", n)
	}

	close(gate)
	w = narrow()
	b.run(w)
	b.wait(w, ofSlow...)
	for _, id := range ofSlow {
		b.wantStatus(id, db.Done)
	}
	if all, _ := slow.requests(); all > len(ofSlow)+w.PerHost { // those that were broken off
		t.Errorf("%d requests for %d reports", all, len(ofSlow))
	}
}

// A host with a long row does not keep all places for itself.
func TestHostsTakeTurns(t *testing.T) {
	b := newBench(t, bolt.Options{})
	gate := make(chan struct{})
	first, second := newSite(t, gate), newSite(t, nil)
	const row = 50
	for i := range row {
		b.create(fmt.Sprintf("%s/%d", first.URL, i))
	}
	w, _ := b.start(Options{Workers: 2})
	b.arrival(first)
	b.arrival(first)
	late := b.create(second.URL + "/")
	waiting, answered := context.WithCancel(b.ctx)
	go func() { // lets the first host answer one by one while the other waits, and then at once
		defer close(gate)
		for {
			select {
			case gate <- struct{}{}:
			case <-waiting.Done():
				return
			}
		}
	}()
	b.wait(w, late)
	all, _ := first.requests()
	answered()
	b.wantStatus(late, db.Done)
	if all == row {
		t.Error("the other host came after the whole row of the first")
	}
}

func TestNoMoreAuditsThanWorkers(t *testing.T) {
	b := newBench(t, bolt.Options{})
	gate := make(chan struct{})
	var ids []uuid.UUID
	var sites []*site
	for range 6 {
		site := newSite(t, gate)
		sites = append(sites, site)
		ids = append(ids, b.create(site.URL+"/"))
	}
	w, stop := b.start(Options{Workers: 3})
	for _, site := range sites[:3] {
		b.arrival(site)
	}
	if n := w.Stats().Running; n != 3 {
		t.Errorf("%d audits at once, want 3", n)
	}
	close(gate)
	b.wait(w, ids...)
	stop()
	if s := w.Stats(); s.Done != 6 || s.Running != 0 {
		t.Errorf("stats %+v", s)
	}
}
