package past

import (
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"sitegrade/audit"
	"sitegrade/db"
)

// memory keeps the chunks of one report as an engine does.
type memory struct {
	chunks [][]byte
	heads  []Head
	lists  map[uint64][]byte
}

func (m *memory) list(key uint64) (*List, error) {
	if m.lists[key] == nil {
		return nil, fmt.Errorf("no list %x", key)
	}
	return ReadList(m.lists[key])
}

func (m *memory) add(t fataler, g *db.Generation) {
	t.Helper()
	list := ListOf(g)
	if packed, ok := m.lists[list.Key()]; ok {
		var err error
		if list, err = ReadList(packed); err != nil {
			t.Fatalf("%v", err)
		}
	} else {
		packed, err := list.Pack()
		if err != nil {
			t.Fatalf("%v", err)
		}
		m.lists[list.Key()] = packed
	}
	var before Head
	if n := len(m.chunks); n > 0 {
		before = m.heads[n-1]
		longer, err := Append(m.chunks[n-1], before, g, list, m.list)
		if err != nil {
			t.Fatalf("%v", err)
		}
		if longer != nil {
			m.chunks[n-1] = longer
			m.heads[n-1] = m.head(t, longer, before.First)
			return
		}
	}
	chunk, first := Begin(before, g, list)
	m.chunks, m.heads = append(m.chunks, chunk), append(m.heads, m.head(t, chunk, first))
}

func (m *memory) head(t fataler, chunk []byte, first int) Head {
	t.Helper()
	h, err := ReadHead(chunk, first)
	if err != nil {
		t.Fatalf("%v", err)
	}
	return h
}

func (m *memory) all(t fataler) []db.Generation {
	t.Helper()
	var read []db.Generation
	for i, chunk := range m.chunks {
		if err := Read(chunk, m.heads[i], m.list, func(g *db.Generation) bool {
			kept := *g
			kept.Categories, kept.Outcomes = append([]db.CategoryScore(nil), g.Categories...), append([]db.KeptOutcome(nil), g.Outcomes...)
			read = append(read, kept)
			return true
		}); err != nil {
			t.Fatalf("chunk %d: %v", i, err)
		}
	}
	return read
}

type fataler interface {
	Helper()
	Fatalf(string, ...any)
}

// drawn returns a generation of any kind.
func drawn(t *rapid.T) db.Generation {
	at := time.UnixMilli(rapid.Int64Range(1, 1<<42).Draw(t, "at")).UTC()
	if rapid.IntRange(0, 3).Draw(t, "kind") == 0 {
		code := rapid.SampledFrom([]audit.Code{audit.CodeDNS, audit.CodeTimeout}).Draw(t, "code")
		return db.Generation{GeneratedAt: at, Failure: &audit.Failure{Code: code, Detail: "It failed."}, Score: db.NoScore}
	}
	g := db.Generation{
		GeneratedAt: at, Result: audit.Result(rapid.IntRange(1, 3).Draw(t, "result")), Score: rapid.IntRange(-1, 100).Draw(t, "score"),
		Grader: rapid.IntRange(0, 3).Draw(t, "grader"), HTTPStatus: rapid.SampledFrom([]int{0, 200, 404}).Draw(t, "status"),
		Sample: rapid.SampledFrom([]string{"", "0a1b2c3d"}).Draw(t, "sample"),
	}
	for i := range rapid.IntRange(0, 2).Draw(t, "categories") {
		c := db.CategoryScore{ID: fmt.Sprintf("c%d", i)}
		if score := rapid.IntRange(-1, 100).Draw(t, "category"); score >= 0 {
			c.Score = &score
		}
		g.Categories = append(g.Categories, c)
	}
	for i := range rapid.SampledFrom([]int{0, 1, 5, 133}).Draw(t, "checks") {
		g.Outcomes = append(g.Outcomes, db.KeptOutcome{
			ID: fmt.Sprintf("check-%d", i), Category: fmt.Sprintf("c%d", i%2), Severity: rapid.SampledFrom(severities).Draw(t, "severity"),
			Status: rapid.SampledFrom(statuses).Draw(t, "outcome"), Unseen: rapid.SampledFrom(unseens).Draw(t, "unseen"),
		})
	}
	return g
}

// TestGenerationsSurviveTheirChunks packs generations of all kinds and reads them again.
func TestGenerationsSurviveTheirChunks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := memory{lists: map[uint64][]byte{}}
		var want []db.Generation
		success, at := 0, int64(0)
		for i := range rapid.IntRange(1, 40).Draw(t, "generations") {
			g := drawn(t)
			m.add(t, &g)
			g.Number = i + 1
			if g.Failure == nil {
				success, at = g.Number, g.GeneratedAt.UnixMilli()
			}
			want = append(want, g)
		}
		got := m.all(t)
		for i := range want {
			if i >= len(got) || !reflect.DeepEqual(got[i], want[i]) {
				t.Fatalf("number %d of %d is\n%+v, not\n%+v", i+1, len(got), got[i], want[i])
			}
		}
		if h := m.heads[len(m.heads)-1]; h.Newest() != len(want) || h.Success != success || h.SuccessAt != at {
			t.Fatalf("%+v is the head of %d generations, %d successful at %d", h, len(want), success, at)
		}
	})
}

// TestCutChunksAreRefused cuts a chunk everywhere.
func TestCutChunksAreRefused(t *testing.T) {
	m := memory{lists: map[uint64][]byte{}}
	for i := range 5 {
		score := 50 + i
		m.add(t, &db.Generation{
			GeneratedAt: time.UnixMilli(int64(1000 * i)), Result: audit.Good, Score: score, Grader: 2, HTTPStatus: 200, Sample: "0a1b2c3d",
			Categories: []db.CategoryScore{{ID: "seo", Score: &score}},
			Outcomes:   []db.KeptOutcome{{ID: "h1", Category: "seo", Severity: audit.High, Status: statuses[i%4], Unseen: unseens[i]}},
		})
		m.add(t, &db.Generation{Failure: &audit.Failure{Code: audit.CodeDNS, Detail: fmt.Sprint(i)}, Score: db.NoScore})
	}
	chunk, h := m.chunks[0], m.heads[0]
	for n := range len(chunk) {
		if _, err := ReadHead(chunk[:n], 1); err != nil {
			continue
		}
		if err := Read(chunk[:n], h, m.list, func(*db.Generation) bool { return true }); err == nil {
			t.Fatalf("a chunk cut at %d of %d bytes is read", n, len(chunk))
		}
	}
	if err := Read(append(slices.Clone(chunk), 0), h, m.list, func(*db.Generation) bool { return true }); err == nil {
		t.Error("a byte behind the last generation is not noticed")
	}
}

func FuzzChunk(f *testing.F) {
	m := memory{lists: map[uint64][]byte{}}
	g := db.Generation{Result: audit.Good, Score: 90, Outcomes: []db.KeptOutcome{{ID: "h1", Category: "seo", Severity: audit.High, Status: audit.Failed}}}
	m.add(f, &g)
	m.add(f, &g)
	f.Add(m.chunks[0])
	f.Fuzz(func(t *testing.T, chunk []byte) {
		if h, err := ReadHead(chunk, 1); err == nil {
			_ = Read(chunk, h, m.list, func(g *db.Generation) bool { return g.Number < 1000 })
		}
	})
}
