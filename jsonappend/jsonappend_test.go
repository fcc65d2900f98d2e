package jsonappend

import (
	"encoding/json"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"
)

// FuzzString holds what is written by hand against encoding/json.
func FuzzString(f *testing.F) {
	for _, s := range []string{"", "plain", "\"\\/\b\f\n\r\t\x00\x1f\x7f", "é世\U0001F600", "\u2028\u2029", "\xff\xed\xa0\x80a", "\uFFFD", "<&>"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		written := String(nil, s)
		var read string
		if err := json.Unmarshal(written, &read); err != nil {
			t.Fatalf("%q is written as %s: %v", s, written, err)
		}
		if want := strings.ToValidUTF8(each(s), "\uFFFD"); read != want {
			t.Errorf("%q is read back as %q", s, read)
		}
		if !utf8.Valid(written) || strings.ContainsAny(string(written), "\u2028\u2029\n\r") {
			t.Errorf("%q is written as %q", s, written)
		}
	})
}

// each returns s with every byte that is not UTF-8 replaced by itself, one by one, as encoding/json does.
func each(s string) string {
	var b strings.Builder
	for _, r := range s {
		b.WriteRune(r)
	}
	return b.String()
}

func TestTimes(t *testing.T) {
	berlin := time.FixedZone("CET", 3600)
	for want, moment := range map[string]time.Time{
		`"2026-01-02T03:04:05.678Z"`: time.Date(2026, 1, 2, 4, 4, 5, 678_999_999, berlin),
		`"2026-01-02T03:04:05.000Z"`: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC),
		`null`:                       {},
	} {
		if got := string(Time(nil, moment)); got != want {
			t.Errorf("%v is written as %s, not %s", moment, got, want)
		}
		if !moment.IsZero() && moment.UTC().Format(`"`+TimeLayout+`"`) != want {
			t.Errorf("TimeLayout writes %v otherwise", moment)
		}
	}
}

func TestIDs(t *testing.T) {
	for range 100 {
		id := uuid.New()
		if got := string(UUID(nil, id)); got != `"`+id.String()+`"` {
			t.Errorf("%s is written as %s", id, got)
		}
	}
}
