package db

import (
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"sitegrade/audit"
)

// TestReportRow has every field of a row, spelt out.
func TestReportRow(t *testing.T) {
	r := exampleReport()
	const want = `{"id":"019b7e5a-3c00-7000-8000-000000000001","url":"https://example.com/a?b=\"c\"&d=<e>",` +
		`"project":{"id":"019b7e5a-3c00-7000-8000-000000000002","name":"Grüße"},"status":"failed","result":"decent","score":55,"privacy":2,` +
		`"share_url":"http://localhost/r/AAAAAAAAAAAAAAAAAAAAAA","generated_at":"2026-01-02T03:04:05.678Z",` +
		`"created_at":"2026-01-02T03:04:05.678Z","updated_at":"2026-01-02T03:04:05.678Z","error":{"code":"timeout","detail":"Took too long."}}`
	if got := string(r.AppendJSON(nil, "http://localhost")); got != want {
		t.Errorf("\n%s, not\n%s", got, want)
	}
}

// exampleReport has a value in every field.
func exampleReport() Report {
	at := time.Date(2026, 1, 2, 3, 4, 5, 678_000_000, time.UTC)
	return Report{
		ID:      uuid.MustParse("019b7e5a-3c00-7000-8000-000000000001"),
		Project: ProjectRef{ID: uuid.MustParse("019b7e5a-3c00-7000-8000-000000000002"), Name: "Grüße"},
		URL:     `https://example.com/a?b="c"&d=<e>`, Status: Failed, Result: audit.Decent, Score: 55, Privacy: Password,
		PasswordHash: "secret", Share: "AAAAAAAAAAAAAAAAAAAAAA", GeneratedAt: at, CreatedAt: at, UpdatedAt: at,
		Failure: &audit.Failure{Code: audit.CodeTimeout, Detail: "Took too long."},
	}
}

func BenchmarkReportRows(b *testing.B) {
	rows := slices.Repeat([]Report{exampleReport()}, 100)
	buffer := make([]byte, 0, 1<<17)
	b.ReportAllocs()
	for b.Loop() {
		buffer = buffer[:0]
		for _, r := range rows {
			buffer = r.AppendJSON(buffer, "http://localhost:8080")
		}
	}
	b.SetBytes(int64(len(buffer)))
}
