package bolt

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"sitegrade/db/bolt/internal/search"
	"sitegrade/db/internal/record"
	"sitegrade/sortfilter"
)

// searched is a database with enough reports for several slices, and what a search in it must find.
type searched struct {
	t    *testing.T
	d    *DB
	pick *rand.Rand
	urls map[uuid.UUID]string
}

// load imports n reports whose ids lie between from and from+width.
func (s *searched) load(n, from, width int) {
	s.t.Helper()
	var lines bytes.Buffer
	for range n {
		id := record.NewID(int64(from+s.pick.IntN(width)), uint16(s.pick.IntN(4096)))
		url := fmt.Sprintf("https://example.com/%x/%d", s.pick.Uint64(), s.pick.IntN(100))
		s.urls[id] = url
		fmt.Fprintf(&lines, `{"kind":"report","account":"a","id":%q,"url":%q,"result":"good"}`+"\n", id, url)
	}
	if stats, err := s.d.Import(s.t.Context(), "", &lines, nil); err != nil || stats.Imported != n {
		s.t.Fatalf("import: %+v, %v", stats, err)
	}
}

// holds compares random searches with what they must find.
func (s *searched) holds() {
	s.t.Helper()
	ids := make([]uuid.UUID, 0, len(s.urls))
	for id := range s.urls {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, func(x, y uuid.UUID) int { return bytes.Compare(x[:], y[:]) })
	for range 40 {
		url := s.urls[ids[s.pick.IntN(len(ids))]]
		start := s.pick.IntN(len(url) - 5)
		needle := url[start : start+2+s.pick.IntN(len(url)-start-2)]
		q := query(func(q *sortfilter.Query) { q.Search, q.Ascending, q.PerPage = needle, s.pick.IntN(2) == 0, 100 })
		var want []string
		for _, id := range ids {
			if strings.Contains(s.urls[id], needle) {
				want = append(want, s.urls[id])
			}
		}
		if !q.Ascending {
			slices.Reverse(want)
		}
		if got := urls(s.t, s.d, len(want), q); !slices.Equal(got, want[:min(100, len(want))]) {
			s.t.Fatalf("search for %q finds %d of %d", needle, len(got), len(want))
		}
	}
	mustCheck(s.t, s.d)
}

func TestSearchThroughSlices(t *testing.T) {
	s := &searched{t: t, d: open(t), pick: rand.New(rand.NewPCG(1, 2)), urls: map[uuid.UUID]string{}}
	const blocksOfRows = search.SliceBlocks * search.BlockRows
	s.load(3*blocksOfRows+500, 1_000_000, 1_000_000)
	s.holds()
	s.load(1000, 1_500_000, 1000) // into the middle
	s.holds()
	s.load(10, 1, 1000) // before all others
	s.holds()
	deleted := 0
	for id := range s.urls {
		if deleted++; deleted%3 > 0 && deleted < 600 {
			if err := s.d.DeleteReport(t.Context(), "a", id, nil); err != nil {
				t.Fatal(err)
			}
			delete(s.urls, id)
		}
	}
	s.holds()
	if err := s.d.DeleteProject(t.Context(), "a", "example.com", nil); err != nil {
		t.Fatal(err)
	}
	s.d.purging.Wait()
	if got := urls(t, s.d, 0, query(func(q *sortfilter.Query) { q.Search = "example" })); len(got) > 0 {
		t.Errorf("a deleted project is found: %v", got)
	}
	s.urls = map[uuid.UUID]string{}
	s.load(300, 5, 1_000_000)
	s.holds()
}
