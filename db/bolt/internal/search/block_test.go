package search

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"sitegrade/audit"
)

// someRows returns rows in the order of their ids.
func someRows(random *rand.Rand, n int) []Row {
	rows := make([]Row, n)
	for i := range rows {
		rows[i] = Row{Result: audit.Result(i % 4), Project: random.Uint32(), Generated: random.Int64(), Text: fmt.Sprintf("https://example.com/%x", random.Uint64N(1<<40))}
		binary.BigEndian.PutUint64(rows[i].ID[:], uint64(i))
	}
	return rows
}

func TestBlocksSurviveTheirStoredForm(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{0, 1, 2, BlockRows} {
		rows := someRows(random, n)
		stored := EncodeBlock(rows)
		if got := OpenBlock(stored).Decode(); !slices.Equal(got, rows) {
			t.Errorf("got %v, not %v", got, rows)
		}
		for cut := range len(stored) {
			if got := OpenBlock(stored[:cut]).Decode(); len(got) > 0 {
				t.Fatalf("a block cut at %d of %d bytes has rows", cut, len(stored))
			}
		}
	}
}

// TestNeedlesFindTheirRows looks for parts of texts in blocks, as the texts alone tell, and in a slice over the blocks.
func TestNeedlesFindTheirRows(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	var blocks [][]byte
	var all [][]Row
	for range SliceBlocks - 3 {
		all = append(all, someRows(random, 1+random.IntN(BlockRows)))
		blocks = append(blocks, EncodeBlock(all[len(all)-1]))
	}
	slice := EncodeSlice(blocks)
	for range 200 {
		rows := all[random.IntN(len(all))]
		text := rows[random.IntN(len(rows))].Text
		from := random.IntN(len(text) - 1)
		part := text[from : from+1+random.IntN(len(text)-from)]
		n := NewNeedle(part)
		candidates := n.Candidates(slice)
		for i, rows := range all {
			var want, got []int
			for row, r := range rows {
				if strings.Contains(r.Text, part) {
					want = append(want, row)
				}
			}
			n.Matches(OpenBlock(blocks[i]), func(row int) { got = append(got, row) })
			if count := n.Count(BlockTexts(blocks[i])); !slices.Equal(got, want) || count != len(want) {
				t.Fatalf("%q is in rows %v, %d of them, not in %v", part, got, count, want)
			}
			if len(want) > 0 && (!n.MayBeIn(blocks[i]) || candidates&(1<<i) == 0) {
				t.Fatalf("%q is passed over in block %d", part, i)
			}
		}
		if candidates>>len(blocks) != 0 {
			t.Fatalf("candidates %b of %d blocks", candidates, len(blocks))
		}
	}
}

func TestMergedRows(t *testing.T) {
	rows := someRows(rand.New(rand.NewPCG(5, 6)), 6)
	changed := rows[2]
	changed.Text = "https://example.org/"
	got := MergeRows([]Row{rows[1], rows[2], rows[4]}, []RowChange{{Row: rows[0]}, {Row: changed}, {Row: rows[3], Remove: true}, {Row: rows[4], Remove: true}, {Row: rows[5]}})
	want := []Row{rows[0], rows[1], changed, rows[5]}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, not %v", got, want)
	}
	for name, c := range map[string]struct {
		new  []Row
		same bool
	}{
		"the same":     {rows, true},
		"one less":     {slices.Delete(slices.Clone(rows), 2, 3), true},
		"another text": {[]Row{rows[0], changed}, false},
		"another head": {rows[1:], false},
		"nothing":      {nil, false},
	} {
		if SameSlice(rows, c.new) != c.same {
			t.Errorf("%s: a slice holds: %t", name, !c.same)
		}
	}
}
