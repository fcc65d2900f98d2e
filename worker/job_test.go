package worker

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"sitegrade/audit"
	"sitegrade/db"
	"sitegrade/db/bolt"
)

func TestStoppingBreaksOffAfterTheGrace(t *testing.T) {
	b := newBench(t, bolt.Options{})
	gate := make(chan struct{})
	site := newSite(t, gate)
	w, stop := b.start(Options{Grace: time.Millisecond, PerHost: 1})
	running, waiting := b.create(site.URL+"/running"), b.create(site.URL+"/waiting")
	b.arrival(site)
	b.wantStatus(running, db.Running)
	stop()
	b.wantStatus(running, db.Queued)
	b.wantStatus(waiting, db.Queued)
	if s := w.Stats(); s.Done != 0 || len(s.Failed) != 0 || s.Running != 0 {
		t.Errorf("stats %+v", s)
	}

	close(gate)
	next, _ := b.start(Options{})
	b.wait(next, running, waiting)
	b.wantStatus(running, db.Done)
	b.wantStatus(waiting, db.Done)
}

func TestStoppingLetsRunningAuditsFinish(t *testing.T) {
	b := newBench(t, bolt.Options{})
	gate := make(chan struct{})
	site := newSite(t, gate)
	_, stop := b.start(Options{Grace: patience, PerHost: 1})
	running, waiting := b.create(site.URL+"/running"), b.create(site.URL+"/waiting")
	b.arrival(site)
	stopped := make(chan struct{})
	go func() {
		stop()
		close(stopped)
	}()
	gate <- struct{}{}
	select {
	case <-stopped:
	case <-b.ctx.Done():
		t.Fatal("the worker does not stop")
	}
	b.wantStatus(running, db.Done)
	b.wantStatus(waiting, db.Queued)
}

func TestPanicIsAFailedReport(t *testing.T) {
	b := newBench(t, bolt.Options{})
	b.auditor = nil // whose method panics
	var log lockedBuffer
	w, _ := b.start(Options{Log: slog.New(slog.NewTextHandler(&log, nil))})
	id := b.create("http://127.0.0.1:1/")
	b.wait(w, id)
	r, _ := b.report(id)
	if r.Status != db.Failed || r.Failure == nil || r.Failure.Code != audit.CodeUnreachable || r.Failure.Detail != brokenOff {
		t.Errorf("report %+v, %v", r, r.Failure)
	}
	if text := log.String(); !strings.Contains(text, "panicked") || !strings.Contains(text, "job.go") || !strings.Contains(text, id.String()) {
		t.Errorf("log %s", text)
	}
}

func TestDeletedWhileRunning(t *testing.T) {
	b := newBench(t, bolt.Options{})
	gate := make(chan struct{})
	site := newSite(t, gate)
	w, _ := b.start(Options{PerHost: 1})
	running, waiting, last := b.create(site.URL+"/running"), b.create(site.URL+"/waiting"), b.create(site.URL+"/last")
	b.arrival(site)
	for _, id := range []uuid.UUID{running, waiting} {
		if err := b.store.DeleteReport(b.ctx, "default", id, nil); err != nil {
			t.Fatal(err)
		}
	}
	close(gate)
	b.wait(w, running, waiting, last)
	b.wantStatus(last, db.Done)
	for _, id := range []uuid.UUID{running, waiting} {
		if _, _, err := b.store.Report(b.ctx, "default", id); !errors.Is(err, db.ErrNotFound) {
			t.Errorf("a deleted report came back: %v", err)
		}
	}
	if all, _ := site.requests(); all != 2 {
		t.Errorf("%d requests, and the report deleted in the queue needs none", all)
	}
}

// While the database is full, what was found waits, without being fetched again and again, and the report stays queued.
func TestFullDatabase(t *testing.T) {
	b := newBench(t, bolt.Options{MaxSize: 1 << 20})
	site := newSite(t, nil)
	ids := b.createUntilFull(site.URL)
	logged := make(signals, 100)
	_, stop := b.start(Options{Audits: 2, Retry: time.Millisecond, Log: slog.New(slog.NewTextHandler(logged, nil))})
	b.await(logged, "the database is full")
	stop()
	stored := b.count(ids, db.Done)
	if waiting := b.count(ids, db.Queued); waiting == 0 || stored+waiting != len(ids) {
		t.Errorf("of %d reports %d are done and %d wait", len(ids), stored, waiting)
	}
	if all, _ := site.requests(); all > stored+1 {
		t.Errorf("%d requests for %d stored reports and one that could not be stored", all, stored)
	}

	b.reopen(bolt.Options{})
	w, _ := b.start(Options{})
	b.wait(w, ids...)
	if n := b.count(ids, db.Done); n != len(ids) {
		t.Errorf("%d of %d reports are done when there is room again", n, len(ids))
	}
}

// count returns how many of the reports have the status.
func (b *bench) count(ids []uuid.UUID, status db.Status) (n int) {
	for _, id := range ids {
		if r, _ := b.report(id); r.Status == status {
			n++
		}
	}
	return n
}

func (b *bench) createUntilFull(address string) (ids []uuid.UUID) {
	for i := 0; ; i++ {
		r, err := b.store.CreateReport(b.ctx, "default", db.NewReport{URL: fmt.Sprintf("%s/%d?%s", address, i, strings.Repeat("x", 1500))})
		if errors.Is(err, db.ErrFull) {
			return ids
		}
		if err != nil {
			b.Fatal(err)
		}
		ids = append(ids, r.ID)
	}
}

// signals is a log whose lines can be waited for.
type signals chan string

func (s signals) Write(line []byte) (int, error) {
	select {
	case s <- string(line):
	default:
	}
	return len(line), nil
}

func (b *bench) await(lines signals, text string) {
	b.Helper()
	for {
		select {
		case line := <-lines:
			if strings.Contains(line, text) {
				return
			}
		case <-b.ctx.Done():
			b.Fatalf("the log never said %q", text)
		}
	}
}

func TestFullIsLoggedOnce(t *testing.T) {
	var log lockedBuffer
	w := New(nil, nil, Options{Log: slog.New(slog.NewTextHandler(&log, nil))})
	for _, full := range []bool{false, true, true, true, false, false, true} {
		w.noteFull(full)
	}
	if full, again := strings.Count(log.String(), "is full"), strings.Count(log.String(), "again\""); full != 2 || again != 1 {
		t.Errorf("log %s", log.String())
	}
}

// lockedBuffer is a buffer that a log may write to while the test reads it.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}
