package form

import (
	"encoding/binary"
	"fmt"

	"github.com/google/uuid"

	"sitegrade/audit"
	"sitegrade/db"
	"sitegrade/db/internal/record"
)

// recordVersion is the first byte of a stored record.
const recordVersion = 1

// Record returns the stored form of a report; the id is its key.
func Record(r *record.Record) []byte {
	b := make([]byte, 0, 96+len(r.URL)+len(r.PasswordHash))
	b = append(b, recordVersion, byte(r.Status), byte(r.Result), r.Score, byte(r.Privacy))
	b = binary.BigEndian.AppendUint32(b, r.Project)
	b = binary.AppendVarint(b, r.Created)
	b = binary.AppendVarint(b, r.Updated-r.Created)
	b = binary.AppendVarint(b, r.Generated)
	b = binary.AppendVarint(b, r.Queued)
	b = binary.AppendUvarint(b, r.Revision)
	b = appendText(b, r.URL)
	b = appendText(b, r.PasswordHash)
	if r.Failure == nil {
		b = append(b, 0)
	} else {
		b = append(b, 1)
		b = appendText(b, string(r.Failure.Code))
		b = appendText(b, r.Failure.Detail)
	}
	if r.Traits == (record.Traits{}) {
		return append(b, 0)
	}
	b = append(b, 1)
	for _, hash := range r.Traits {
		b = binary.BigEndian.AppendUint64(b, hash)
	}
	return b
}

// ReadRecord reads what Record wrote. The record shares no memory with stored.
func ReadRecord(id uuid.UUID, stored []byte) (*record.Record, error) {
	r := new(record.Record)
	if err := ReadInto(r, id, stored); err != nil {
		return nil, err
	}
	return r, nil
}

// ReadInto is ReadRecord into memory that the caller has. Nothing is left of what was there.
func ReadInto(r *record.Record, id uuid.UUID, stored []byte) error {
	d := decoder{rest: stored}
	if d.byte() != recordVersion {
		return fmt.Errorf("%w: report %s has an unknown form", Err, id)
	}
	*r = record.Record{ID: id}
	r.Status, r.Result, r.Score, r.Privacy = db.Status(d.byte()), audit.Result(d.byte()), d.byte(), db.Privacy(d.byte())
	r.Project = d.uint32()
	r.Created = d.varint()
	r.Updated = r.Created + d.varint()
	r.Generated = d.varint()
	r.Queued = d.varint()
	r.Revision = d.uvarint()
	r.URL = d.text()
	r.PasswordHash = d.text()
	if d.byte() == 1 {
		r.Failure = &audit.Failure{Code: audit.Code(d.text()), Detail: d.text()}
	}
	if d.byte() == 1 {
		for i := range r.Traits {
			r.Traits[i] = d.uint64()
		}
	}
	if d.failed || len(d.rest) > 0 || r.Status > db.Failed || r.Result > audit.Good || r.Privacy > db.Password {
		return fmt.Errorf("%w: report %s", Err, id)
	}
	return nil
}

// PeekRecord returns the project and the url of a stored record without decoding the rest. The url is valid inside the transaction only.
func PeekRecord(stored []byte) (project uint32, url []byte) {
	d := decoder{rest: stored}
	d.take(5)
	project = d.uint32()
	for range 4 { // the times
		d.varint()
	}
	d.uvarint()
	return project, d.take(int(d.uvarint()))
}
