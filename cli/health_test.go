package cli

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"sitegrade/db"
	"sitegrade/db/bolt"
)

// newHealth returns the health of a server over an empty database.
func newHealth(t *testing.T) *health {
	t.Helper()
	dir := t.TempDir()
	store, err := bolt.Open(filepath.Join(dir, databaseName), bolt.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	return &health{store: store, data: dir, running: func() int { return 0 }}
}

// TestWriteThatDoesNotEnd holds up the writer from inside a change, as a fault in the database would.
func TestWriteThatDoesNotEnd(t *testing.T) {
	h := newHealth(t)
	r, err := h.store.CreateReport(t.Context(), "default", db.NewReport{URL: "https://example.com/"})
	if err != nil {
		t.Fatal(err)
	}
	begun, end, ended := make(chan struct{}), make(chan struct{}), make(chan error)
	go func() {
		_, _, err := h.store.UpdateReport(t.Context(), "default", r.ID, db.Change{Regenerate: true}, func(db.Report) error {
			close(begun)
			<-end
			return nil
		})
		ended <- err
	}()
	<-begun
	now := time.Now()
	if troubles := h.look(now.Add(stuckAfter / 2)); len(troubles) > 0 {
		t.Errorf("too early: %q", troubles)
	}
	if troubles := h.look(now.Add(stuckAfter + time.Second)); len(troubles) != 1 || !strings.HasPrefix(troubles[0], "a write to the database has not ended for 3") {
		t.Errorf("%q", troubles)
	}
	close(end)
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	if _, err := h.store.CreateReport(t.Context(), "default", db.NewReport{URL: "https://example.com/"}); err != nil {
		t.Fatal(err)
	}
}

// TestDatabaseThatDoesNotAnswer has an earlier question to it open.
func TestDatabaseThatDoesNotAnswer(t *testing.T) {
	t.Parallel() // it mostly waits
	h := newHealth(t)
	h.asked = make(chan statsAnswer, 1)
	if troubles := h.look(time.Now()); !slices.Equal(troubles, []string{"the database has not answered for 5s"}) {
		t.Errorf("%q", troubles)
	}
	h.asked <- statsAnswer{}
	if troubles := h.look(time.Now()); len(troubles) > 0 {
		t.Errorf("when it answers again: %q", troubles)
	}
}
