package bolt

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"sitegrade/db/bolt/internal/search"
)

// TestSelectionsHoldEveryPage takes pages from selections that keep far fewer rows than there are, with keys that many rows have in
// common, from one selection and from several that share the rows.
func TestSelectionsHoldEveryPage(t *testing.T) {
	pick := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		d := search.Direction{Descending: pick.IntN(2) == 0}
		rows := make([]search.Match, pick.IntN(400))
		for i := range rows {
			rows[i].Key = []byte{byte(pick.IntN(1 + pick.IntN(20)))}
			binary.BigEndian.PutUint64(rows[i].ID[:], pick.Uint64())
		}
		sorted := slices.SortedFunc(slices.Values(rows), d.Compare)
		lowest := pick.IntN(len(rows) + 20)
		end := lowest + 1 + pick.IntN(12)
		s := &search.Selection{Direction: d, Keep: 12 + pick.IntN(50)}
		if len(rows) > 0 && pick.IntN(2) == 0 {
			s.From = &sorted[min(lowest, pick.IntN(len(rows)))]
		}
		got, total, err := (&finder{}).narrow(s, lowest, end, func(s *search.Selection) error {
			other := *s
			for _, m := range rows {
				if pick.IntN(2) == 0 {
					s.Add(m.Key, m.ID[:])
				} else {
					other.Add(m.Key, m.ID[:])
				}
			}
			s.Take(&other)
			return nil
		})
		want := sorted[min(lowest, len(rows)):min(end, len(rows))]
		if err != nil || total != len(rows) || !slices.EqualFunc(got, want, func(x, y search.Match) bool { return d.Compare(x, y) == 0 }) {
			t.Fatalf("rows %d to %d of %d: %v of %d, not %v, %v", lowest, end, len(rows), got, total, want, err)
		}
	}
}

// TestSampleThatMisleads draws samples that have nothing to do with where the rows are.
func TestSampleThatMisleads(t *testing.T) {
	f := &finder{}
	show := func(s *search.Selection) error {
		for i := range 1000 {
			s.Add(binary.BigEndian.AppendUint16(nil, uint16(i)), make([]byte, 16))
		}
		return nil
	}
	for _, where := range []byte{0, 2, 200} {
		misled := &sample{step: 7, Selection: search.Selection{Keep: math.MaxInt / 4}}
		for i := range 100 {
			misled.Add([]byte{where, byte(i)}, make([]byte, 16))
		}
		for _, lowest := range []int{0, 10, 500, 990, 2000} {
			rows, total, err := f.near(misled, lowest, lowest+10, show)
			if err != nil || total != 1000 || len(rows) != max(0, min(10, 1000-lowest)) || len(rows) > 0 && binary.BigEndian.Uint16(rows[0].Key) != uint16(lowest) {
				t.Errorf("sampled at %d, from row %d: %v of %d, %v", where, lowest, rows, total, err)
			}
		}
	}
}
