package record

import (
	"bytes"
	"errors"
	"testing"
	"time"

	"github.com/google/uuid"

	"sitegrade/audit"
	"sitegrade/db"
)

func TestIDsRise(t *testing.T) {
	var ids IDs
	start := time.UnixMilli(1_700_000_000_000)
	last := uuid.Nil
	for i := range 10_000 { // more than a millisecond has
		id := ids.Next(start.Add(-time.Duration(i%3) * time.Hour)) // the clock goes back
		if bytes.Compare(last[:], id[:]) >= 0 || id.Version() != 7 || id.Variant() != uuid.RFC4122 {
			t.Fatalf("%s comes after %s", id, last)
		}
		last = id
	}
	if ms := IDTime(NewID(start.UnixMilli(), 0)); ms != start.UnixMilli() {
		t.Errorf("an id of %d tells %d", start.UnixMilli(), ms)
	}
}

func TestShareAddresses(t *testing.T) {
	block, err := ShareCipher(NewShareKey())
	if err != nil {
		t.Fatal(err)
	}
	id := NewID(1, 2)
	share := EncodeShare(block, id)
	encrypted, ok := DecodeShare(share)
	var got uuid.UUID
	if block.Decrypt(got[:], encrypted[:]); !ok || got != id {
		t.Errorf("%s leads to %s, not to %s", share, got, id)
	}
	for _, wrong := range []string{"", share[1:], share + "a", share[:25] + "z", share[:25] + "1"} { // the last letter of an address has two spare bits
		if _, ok := DecodeShare(wrong); ok {
			t.Errorf("%q is an address", wrong)
		}
	}
	if _, err := ShareCipher([]byte("short")); err == nil {
		t.Error("a short key is taken")
	}
}

func TestFinish(t *testing.T) {
	found := &audit.Report{Result: audit.Good, Score: 90, GeneratedAt: time.UnixMilli(7)}
	failure := &audit.Failure{Code: audit.CodeUnreachable}
	queued := Record{Score: NoScore, Status: db.Queued, Queued: 5, Revision: 1}
	for name, c := range map[string]struct {
		job     int64 // when it was queued
		found   *audit.Report
		failure *audit.Failure
		want    Record
	}{
		"done":             {5, found, nil, Record{Status: db.Done, Result: audit.Good, Score: 90, Generated: 7, Updated: 9, Revision: 2}},
		"failed":           {5, nil, failure, Record{Status: db.Failed, Score: NoScore, Failure: failure, Updated: 9, Revision: 2}},
		"and queued again": {4, found, nil, Record{Status: db.Queued, Queued: 5, Result: audit.Good, Score: 90, Generated: 7, Updated: 9, Revision: 2}},
	} {
		r := queued
		if r.Finish(db.Job{Queued: c.job}, c.found, c.failure, 9); r != c.want {
			t.Errorf("%s: %+v, not %+v", name, r, c.want)
		}
	}
}

func TestRefusedChangeLeavesTheRecord(t *testing.T) {
	r := Record{Status: db.Done, Revision: 1}
	private := db.Password
	if err := r.Change(db.Change{Privacy: &private, Regenerate: true}, "", 9); !errors.As(err, new(*db.InvalidError)) {
		t.Errorf("privacy 2 without a password gives %v", err)
	}
	if r != (Record{Status: db.Done, Revision: 1}) {
		t.Errorf("it becomes %+v", r)
	}
}
