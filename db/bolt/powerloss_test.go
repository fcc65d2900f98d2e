package bolt

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/uuid"

	"sitegrade/audit"
	"sitegrade/db"
)

var powerLosses = flag.Int("powerloss.rounds", 50, "after how many writes TestPowerLossLosesNothing cuts the power")

const (
	sector    = 512      // what a disk writes whole or not at all
	metaPages = 2 * 4096 // the two pages that name the state of the file, which are written after all others were synced
)

// TestPowerLossLosesNothing cuts the power in the middle of commits. A commit writes pages, syncs, writes one meta page, and syncs
// again; a disk that loses its power between two syncs has any part of what was written since the first of them. From the file before and
// after a commit such states are made, and each must open, be consistent, and have all that was acknowledged before.
func TestPowerLossLosesNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sitegrade.db")
	d, err := Open(path, Options{MaxSize: 64 << 20}) // which makes the file grow by small steps
	if err != nil {
		t.Fatal(err)
	}
	l := &losses{t: t, random: rand.New(rand.NewPCG(uint64(os.Getpid()), 1)), db: d, live: map[uuid.UUID]bool{}}
	cut := filepath.Join(t.TempDir(), "cut.db")
	for round := range *powerLosses {
		before := l.image(path)
		touched := l.write(round)
		after := l.image(path)
		for name, state := range map[string][]byte{
			"while the pages are written":         l.mixed(before, after, metaPages, len(after)),
			"while the meta page is written":      l.mixed(l.pagesOf(before, after), after, 0, metaPages),
			"after the pages, before their state": l.pagesOf(before, after),
		} {
			l.compare(cut, state, fmt.Sprintf("round %d, %s", round, name), touched)
		}
	}
	if err := d.Close(); err != nil {
		t.Error(err)
	}
}

// losses is a database with what was acknowledged of it.
type losses struct {
	t      *testing.T
	random *rand.Rand
	db     *DB
	live   map[uuid.UUID]bool
}

func (l *losses) image(path string) []byte {
	l.t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		l.t.Fatal(err)
	}
	return content
}

// write does one write, which is one commit, and gives the report that it made or deleted, whose state is open until then.
func (l *losses) write(round int) uuid.UUID {
	l.t.Helper()
	if round%3 == 2 {
		for id := range l.live {
			if err := l.db.DeleteReport(l.t.Context(), "a", id, nil); err != nil {
				l.t.Fatal(err)
			}
			delete(l.live, id)
			return id
		}
	}
	if round%3 == 1 {
		for id := range l.live {
			r, _, err := l.db.Report(l.t.Context(), "a", id)
			if err != nil {
				l.t.Fatal(err)
			}
			if r.Status == db.Queued {
				finish(l.t, l.db, r, audit.Good)
				return uuid.Nil
			}
		}
	}
	r := create(l.t, l.db, fmt.Sprintf("https://example.com/%d", round))
	l.live[r.ID] = true
	return r.ID
}

// mixed returns before with some of the sectors from one place to another as they are afterwards.
func (l *losses) mixed(before, after []byte, from, to int) []byte {
	state := l.grown(before, after)
	share := l.random.Float64()
	for at := from; at < to; at += sector {
		if l.random.Float64() < share {
			copy(state[at:at+sector], after[at:])
		}
	}
	return state
}

// pagesOf returns after with the meta pages of before.
func (l *losses) pagesOf(before, after []byte) []byte {
	state := bytes.Clone(after)
	copy(state[:metaPages], before)
	return state
}

// grown returns before in the length of after: a file grows, synced, before its pages are written.
func (l *losses) grown(before, after []byte) []byte {
	return append(bytes.Clone(before), make([]byte, len(after)-len(before))...)
}

// compare opens a file of that content and holds that it is consistent and has what is live, apart from the report that was touched.
func (l *losses) compare(path string, content []byte, when string, touched uuid.UUID) {
	l.t.Helper()
	if err := os.WriteFile(path, content, 0o600); err != nil {
		l.t.Fatal(err)
	}
	d, err := Open(path, Options{MaxSize: 64 << 20})
	if err != nil {
		l.t.Fatalf("%s: %v", when, err)
	}
	defer d.Close()
	result, err := d.Check(l.t.Context())
	if err != nil || len(result.Differences) > 0 {
		l.t.Fatalf("%s: %v %v", when, result.Differences, err)
	}
	want := len(l.live)
	for id := range l.live {
		if _, _, err := d.Report(l.t.Context(), "a", id); errors.Is(err, db.ErrNotFound) && id == touched {
			want--
		} else if err != nil {
			l.t.Fatalf("%s: report %s: %v", when, id, err)
		}
	}
	if _, _, err := d.Report(l.t.Context(), "a", touched); err == nil && !l.live[touched] {
		want++
	}
	if result.Reports != want {
		l.t.Fatalf("%s: %d reports, not %d", when, result.Reports, want)
	}
}
