package bolt

import (
	"bytes"

	"github.com/google/uuid"

	"sitegrade/audit"
	"sitegrade/db"
	"sitegrade/db/internal/record"
)

// found returns what the last successful audit of a report found, or nil.
func (a *accountTx) found(id uuid.UUID) (*audit.Report, error) {
	return record.UnpackFound(id, a.bucket(foundBucket).Get(id[:]))
}

// findings are what is known of a report's page, as a transaction saw it. They outlive that, since unpacking takes longer than
// reading them.
type findings struct {
	id       uuid.UUID
	packed   []byte
	siblings audit.Siblings
	accepted map[string]db.Accepted
}

func (d *DB) findings(a *accountTx, r *record.Record) (findings, error) {
	siblings, err := a.siblings(r)
	if err != nil {
		return findings{}, err
	}
	accepted, err := d.acceptedFor(a, r)
	return findings{r.ID, bytes.Clone(a.bucket(foundBucket).Get(r.ID[:])), siblings, accepted}, err
}

// compared returns what was found, with what other reports of the project have in common with it, and what is accepted of it; nil before the
// first success.
func (f findings) compared() (*audit.Report, error) {
	found, err := record.UnpackFound(f.id, f.packed)
	if found != nil {
		found.Compare(f.siblings)
		db.MarkAccepted(found, f.accepted)
	}
	return found, err
}
