package api

import (
	"encoding/json"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"sitegrade/audit"
	"sitegrade/db"
)

// FuzzAppendString holds what is written by hand against encoding/json.
func FuzzAppendString(f *testing.F) {
	for _, s := range []string{"", "plain", "\"\\/\b\f\n\r\t\x00\x1f\x7f", "é世\U0001F600", "\u2028\u2029", "\xff\xed\xa0\x80a", "\uFFFD", "<&>"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		written := appendString(nil, s)
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
		if got := string(appendTime(nil, moment)); got != want {
			t.Errorf("%v is written as %s, not %s", moment, got, want)
		}
	}
}

func TestIDs(t *testing.T) {
	for range 100 {
		id := uuid.New()
		if got := string(appendID(nil, id)); got != `"`+id.String()+`"` {
			t.Errorf("%s is written as %s", id, got)
		}
	}
}

// TestReportRow has every field of a row, spelt out.
func TestReportRow(t *testing.T) {
	r := rowOfAList(1)[0]
	const want = `{"id":"019b7e5a-3c00-7000-8000-000000000001","url":"https://example.com/a?b=\"c\"&d=<e>",` +
		`"project":{"id":"019b7e5a-3c00-7000-8000-000000000002","name":"Grüße"},"status":"failed","result":"decent","score":55,"privacy":2,` +
		`"share_url":"http://localhost/r/AAAAAAAAAAAAAAAAAAAAAA","generated_at":"2026-01-02T03:04:05.678Z",` +
		`"created_at":"2026-01-02T03:04:05.678Z","updated_at":"2026-01-02T03:04:05.678Z","error":{"code":"timeout","detail":"Took too long."}}`
	if got := string(appendReport(nil, r, "http://localhost")); got != want {
		t.Errorf("\n%s, not\n%s", got, want)
	}
}

// rowOfAList returns n rows that are all alike.
func rowOfAList(n int) []db.Report {
	at := time.Date(2026, 1, 2, 3, 4, 5, 678_000_000, time.UTC)
	row := db.Report{
		ID:      uuid.MustParse("019b7e5a-3c00-7000-8000-000000000001"),
		Project: db.ProjectRef{ID: uuid.MustParse("019b7e5a-3c00-7000-8000-000000000002"), Name: "Grüße"},
		URL:     `https://example.com/a?b="c"&d=<e>`, Status: db.Failed, Result: audit.Decent, Score: 55, Privacy: db.Password,
		PasswordHash: "secret", Share: "AAAAAAAAAAAAAAAAAAAAAA", GeneratedAt: at, CreatedAt: at, UpdatedAt: at,
		Failure: &audit.Failure{Code: audit.CodeTimeout, Detail: "Took too long."},
	}
	rows := make([]db.Report, n)
	for i := range rows {
		rows[i] = row
	}
	return rows
}

// TestFoundFieldsAreAll holds that every field of audit.Report is shown, so that a new one is not forgotten.
func TestFoundFieldsAreAll(t *testing.T) {
	var whole, shown map[string]json.RawMessage
	stored, err := json.Marshal(audit.Report{})
	if err != nil {
		t.Fatal(err)
	}
	document, err := AppendReport(nil, rowOfAList(1)[0], &audit.Report{}, "")
	if err != nil {
		t.Fatal(err)
	}
	for text, into := range map[string]*map[string]json.RawMessage{string(stored): &whole, string(document): &shown} {
		if err := json.Unmarshal([]byte(text), into); err != nil {
			t.Fatalf("%v in %s", err, text)
		}
	}
	for name := range whole {
		if _, ok := shown[name]; !ok {
			t.Errorf("%s is not shown", name)
		}
	}
}

func BenchmarkListRows(b *testing.B) {
	rows := rowOfAList(100)
	buffer := make([]byte, 0, 1<<17)
	b.ReportAllocs()
	for b.Loop() {
		buffer = buffer[:0]
		for _, r := range rows {
			buffer = appendReport(buffer, r, "http://localhost:8080")
		}
	}
	b.SetBytes(int64(len(buffer)))
}
