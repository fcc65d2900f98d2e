package bolt

import (
	"bytes"

	"github.com/google/uuid"

	"sitegrade/audit"
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
}

func (a *accountTx) findings(r *record.Record) (findings, error) {
	siblings, err := a.siblings(r)
	return findings{id: r.ID, packed: bytes.Clone(a.bucket(foundBucket).Get(r.ID[:])), siblings: siblings}, err
}

// compared returns what was found, with what other reports of the project have in common with it; nil before the first success.
func (f findings) compared() (*audit.Report, error) {
	found, err := record.UnpackFound(f.id, f.packed)
	if found != nil {
		found.Compare(f.siblings)
	}
	return found, err
}
