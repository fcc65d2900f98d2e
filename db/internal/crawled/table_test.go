package crawled

import (
	"testing"

	"github.com/google/uuid"

	"sitegrade/audit"
)

// The issues of each check have a number of their own in the keys.
func TestCheckNumbers(t *testing.T) {
	checks := map[uint16]string{}
	for _, c := range audit.SiteChecks() {
		number := checkNumber(c.ID)
		if other := checks[number]; other != "" {
			t.Errorf("%s and %s have the same number", c.ID, other)
		}
		checks[number] = c.ID
	}
}

func TestChunks(t *testing.T) {
	w := newChunkWriter(uuid.New(), pagesKind, 0)
	var entries []entry
	const rows = chunkRows + 3
	for i := range rows {
		full, err := w.add(cells{number: uint16(i), flags: byte(i % 2), text: string(rune('a' + i%26))}, i)
		if err != nil {
			t.Fatal(err)
		}
		entries = append(entries, full...)
	}
	entries = append(entries, w.flush()...)
	if len(entries) != 4 || w.flush() != nil {
		t.Fatalf("%d entries for two chunks", len(entries))
	}
	n := 0
	for _, chunk := range []int{0, 2} {
		if err := eachCells(entries[chunk].value, func(row int, number uint16, flags byte, text []byte) {
			if int(number) != n || flags != byte(n%2) || string(text) != string(rune('a'+n%26)) {
				t.Errorf("row %d has %d, %d, %s", n, number, flags, text)
			}
			n++
		}); err != nil {
			t.Fatal(err)
		}
	}
	if n != rows {
		t.Errorf("%d rows, not %d", n, rows)
	}
	for _, damaged := range [][]byte{nil, {0, 9}, entries[0].value[:len(entries[0].value)-1]} {
		if err := eachCells(damaged, func(int, uint16, byte, []byte) {}); err == nil {
			t.Errorf("%d damaged bytes are read", len(damaged))
		}
	}
}
