// Package record has what any store keeps of a report, and what happens to that: how it is made, changed, finished and shown, its id, its
// findings in small, and the address of its shared page. It knows no engine, and nothing of where and how these stand.
package record

import (
	"errors"

	"github.com/google/uuid"

	"sitegrade/audit"
	"sitegrade/db"
)

// ErrDamaged says that something stored cannot be read.
var ErrDamaged = errors.New("a stored record is damaged")

// Record is a report as a store has it: what readers are shown, with its project as a number, and what its indexes are made from.
type Record struct {
	ID           uuid.UUID
	Project      uint32
	URL          string
	Status       db.Status
	Result       audit.Result
	Score        uint8 // NoScore before the first success
	Privacy      db.Privacy
	PasswordHash string
	Created      int64 // ms since 1970, as all times here
	Updated      int64
	Generated    int64 // 0 before the first success
	Queued       int64 // its turn (db.Job), the time it was queued at or db.Background more; 0 when it does not wait
	Revision     uint64
	Failure      *audit.Failure
	Traits       Traits
	Fresh        bool // never audited, and stored where no index is; not part of its stored form
}

// NoScore is the score of a record that has none.
const NoScore = 255

// New returns what all reports have in common that are made from n. passwordHash is that of its password.
func New(n db.NewReport, passwordHash string) Record {
	return Record{Score: NoScore, Privacy: n.Privacy, PasswordHash: passwordHash, Status: db.Queued, Revision: 1}
}

// OfLine returns the report of a line of an import, without its project.
func OfLine(l *db.ParsedLine) *Record {
	shown := &l.Report
	r := &Record{
		ID: shown.ID, URL: shown.URL, Status: shown.Status, Result: shown.Result, Score: NoScore, Privacy: shown.Privacy, PasswordHash: shown.PasswordHash,
		Created: Milliseconds(shown.CreatedAt), Updated: Milliseconds(shown.UpdatedAt), Generated: Milliseconds(shown.GeneratedAt),
		Revision: shown.Revision, Failure: shown.Failure,
	}
	if shown.Score != db.NoScore {
		r.Score = uint8(shown.Score)
	}
	if l.Findings != nil {
		r.Traits = TraitsOf(&l.Findings.Page)
	}
	return r
}

// Complete fills in the times and the id that a line of an import did not bring.
func (r *Record) Complete(ids *IDs, now int64) {
	switch {
	case r.Created == 0 && r.ID.Version() == 7:
		r.Created = IDTime(r.ID)
	case r.Created == 0:
		r.Created = now
	}
	if r.ID == uuid.Nil && r.Created == now {
		r.ID = ids.Next(Instant(now))
	} else if r.ID == uuid.Nil {
		r.ID = NewID(r.Created, 0)
	}
	if r.Updated == 0 {
		r.Updated = r.Created
	}
	if r.Generated == 0 && r.Result != 0 {
		r.Generated = r.Created
	}
	if r.Status == db.Queued {
		r.Queued = now
	}
}

// Change applies c. passwordHash is that of its password. The error is *db.InvalidError, and then nothing has changed.
func (r *Record) Change(c db.Change, passwordHash string, now int64) error {
	privacy, hash, err := c.ApplyPrivacy(r.Privacy, r.PasswordHash, passwordHash)
	if err != nil {
		return err
	}
	r.Privacy, r.PasswordHash = privacy, hash
	if c.Regenerate {
		r.queue(now)
	}
	r.Updated = now
	r.Revision++
	return nil
}

// queue has the report audited for somebody who asked. Its turn is another than that of the audit that may be running.
func (r *Record) queue(now int64) {
	r.Status, r.Failure, r.Queued = db.Queued, nil, max(now, r.Queued%db.Background+1)
}

// Schedule has the report audited when nobody waits for another. A report that waits already stays as it is, and then it reports false.
func (r *Record) Schedule(now int64) bool {
	if r.Status == db.Queued {
		return false
	}
	r.queue(now)
	r.Queued += db.Background
	r.Updated = now
	r.Revision++
	return true
}

// Finish takes what the audit of a job brought: what it found, or why it failed. A report that was queued anew meanwhile goes on waiting.
func (r *Record) Finish(j db.Job, found *audit.Report, failure *audit.Failure, now int64) {
	again := r.Queued != j.Queued
	if found != nil {
		r.Result, r.Score, r.Generated, r.Traits = found.Result, uint8(found.Score), Milliseconds(found.GeneratedAt), TraitsOf(&found.Page)
	}
	switch {
	case again:
		r.Status = db.Queued
	case found != nil:
		r.Status, r.Failure, r.Queued = db.Done, nil, 0
	default:
		r.Status, r.Failure, r.Queued = db.Failed, failure, 0
	}
	r.Updated = now
	r.Revision++
}

// Show returns the report as readers see it, but for the address of its shared page.
func (r *Record) Show(project db.ProjectRef, status db.Status) db.Report {
	shown := db.Report{
		ID: r.ID, Project: project, URL: r.URL, Status: status, Result: r.Result, Score: int(r.Score), Privacy: r.Privacy,
		PasswordHash: r.PasswordHash, GeneratedAt: Instant(r.Generated), CreatedAt: Instant(r.Created), UpdatedAt: Instant(r.Updated),
		Failure: r.Failure, Revision: r.Revision,
	}
	if r.Score == NoScore {
		shown.Score = db.NoScore
	}
	return shown
}
