package form

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/uuid"

	"sitegrade/audit"
	"sitegrade/db"
	"sitegrade/db/internal/record"
)

func TestRecordsSurviveTheirStoredForm(t *testing.T) {
	id := uuid.Must(uuid.NewV7())
	for _, r := range []record.Record{
		{ID: id},
		{ID: id, Project: 1<<32 - 1, URL: strings.Repeat("u", 2048), Status: db.Failed, Result: audit.Good, Score: 100, Privacy: db.Password, PasswordHash: "h", Created: 5,
			Updated: 3, Generated: -1, Queued: 1 << 50, Revision: 1 << 60, Failure: &audit.Failure{Code: "dns", Detail: "d"}, Traits: record.Traits{1, 2, 3, 1 << 63}},
	} {
		stored := Record(&r)
		got, err := ReadRecord(id, stored)
		if err != nil || fmt.Sprintf("%+v", got.Failure) != fmt.Sprintf("%+v", r.Failure) {
			t.Fatalf("%+v: %v", r, err)
		}
		got.Failure = r.Failure
		if *got != r {
			t.Errorf("got %+v, not %+v", *got, r)
		}
		if project, url := PeekRecord(stored); project != r.Project || string(url) != r.URL {
			t.Errorf("peek: %d %s", project, url)
		}
		for n := range len(stored) {
			if _, err := ReadRecord(id, stored[:n]); err == nil {
				t.Fatalf("a record cut at %d of %d bytes is read", n, len(stored))
			}
		}
	}
}

func FuzzRecord(f *testing.F) {
	f.Add(Record(&record.Record{URL: "https://example.com/", Failure: &audit.Failure{}}))
	f.Fuzz(func(t *testing.T, stored []byte) {
		PeekRecord(stored)
		r, err := ReadRecord(uuid.Nil, stored)
		if err != nil {
			return
		}
		again, err := ReadRecord(uuid.Nil, Record(r))
		if err != nil || again.URL != r.URL || again.Revision != r.Revision || again.Traits != r.Traits {
			t.Fatalf("%+v becomes %+v, %v", r, again, err)
		}
	})
}
