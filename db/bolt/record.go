package bolt

import (
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"sitegrade/audit"
	"sitegrade/db"
)

// record is a report as it is stored: what Report shows, with its project as a number, and what its indexes are made from.
type record struct {
	id           uuid.UUID
	project      uint32
	url          string
	status       db.Status
	result       audit.Result
	score        uint8 // noScore before the first success
	privacy      db.Privacy
	passwordHash string
	created      int64 // ms
	updated      int64
	generated    int64 // 0 before the first success
	queued       int64 // when it was queued; 0 when it does not wait
	revision     uint64
	failure      *audit.Failure
	traits       traits
	fresh        bool // where it is stored; not part of its stored form
}

// noScore is the score of a record that has none.
const noScore = 255

// recordVersion is the first byte of a stored record.
const recordVersion = 1

var errRecord = errors.New("a stored record is damaged")

// encode returns the stored form; the id is its key.
func (r *record) encode() []byte {
	b := make([]byte, 0, 96+len(r.url)+len(r.passwordHash))
	b = append(b, recordVersion, byte(r.status), byte(r.result), r.score, byte(r.privacy))
	b = binary.BigEndian.AppendUint32(b, r.project)
	b = binary.AppendVarint(b, r.created)
	b = binary.AppendVarint(b, r.updated-r.created)
	b = binary.AppendVarint(b, r.generated)
	b = binary.AppendVarint(b, r.queued)
	b = binary.AppendUvarint(b, r.revision)
	b = appendText(b, r.url)
	b = appendText(b, r.passwordHash)
	if r.failure == nil {
		b = append(b, 0)
	} else {
		b = append(b, 1)
		b = appendText(b, string(r.failure.Code))
		b = appendText(b, r.failure.Detail)
	}
	if r.traits == (traits{}) {
		return append(b, 0)
	}
	b = append(b, 1)
	for _, hash := range r.traits {
		b = binary.BigEndian.AppendUint64(b, hash)
	}
	return b
}

// decodeRecord reads what encode wrote. The record shares no memory with stored.
func decodeRecord(id uuid.UUID, stored []byte) (*record, error) {
	r := new(record)
	if err := r.decode(id, stored); err != nil {
		return nil, err
	}
	return r, nil
}

// decode is decodeRecord into memory that the caller has. Nothing is left of what was there.
func (r *record) decode(id uuid.UUID, stored []byte) error {
	d := decoder{rest: stored}
	if d.byte() != recordVersion {
		return fmt.Errorf("%w: report %s has an unknown form", errRecord, id)
	}
	*r = record{id: id}
	r.status, r.result, r.score, r.privacy = db.Status(d.byte()), audit.Result(d.byte()), d.byte(), db.Privacy(d.byte())
	r.project = d.uint32()
	r.created = d.varint()
	r.updated = r.created + d.varint()
	r.generated = d.varint()
	r.queued = d.varint()
	r.revision = d.uvarint()
	r.url = d.text()
	r.passwordHash = d.text()
	if d.byte() == 1 {
		r.failure = &audit.Failure{Code: audit.Code(d.text()), Detail: d.text()}
	}
	if d.byte() == 1 {
		for i := range r.traits {
			r.traits[i] = d.uint64()
		}
	}
	if d.failed || len(d.rest) > 0 || r.status > db.Failed || r.result > audit.Good || r.privacy > db.Password {
		return fmt.Errorf("%w: report %s", errRecord, id)
	}
	return nil
}

// peekRecord returns the project and the url of a stored record without decoding the rest. The url is valid inside the transaction only.
func peekRecord(stored []byte) (project uint32, url []byte) {
	d := decoder{rest: stored}
	d.take(5)
	project = d.uint32()
	for range 4 { // the times
		d.varint()
	}
	d.uvarint()
	return project, d.take(int(d.uvarint()))
}

func appendText(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

// decoder reads fields one after the other; after the first that is missing, failed is true and all are zero.
type decoder struct {
	rest   []byte
	failed bool
}

func (d *decoder) take(n int) []byte {
	if n < 0 || n > len(d.rest) {
		d.failed, d.rest = true, nil
		return nil
	}
	b := d.rest[:n]
	d.rest = d.rest[n:]
	return b
}

func (d *decoder) byte() byte {
	if b := d.take(1); b != nil {
		return b[0]
	}
	return 0
}

func (d *decoder) uint32() uint32 {
	if b := d.take(4); b != nil {
		return binary.BigEndian.Uint32(b)
	}
	return 0
}

func (d *decoder) uint64() uint64 {
	if b := d.take(8); b != nil {
		return binary.BigEndian.Uint64(b)
	}
	return 0
}

func (d *decoder) uvarint() uint64 {
	v, n := binary.Uvarint(d.rest)
	if n <= 0 {
		d.take(-1)
		return 0
	}
	d.take(n)
	return v
}

func (d *decoder) varint() int64 {
	v, n := binary.Varint(d.rest)
	if n <= 0 {
		d.take(-1)
		return 0
	}
	d.take(n)
	return v
}

func (d *decoder) text() string {
	n := d.uvarint()
	if n > uint64(len(d.rest)) {
		d.take(-1)
		return ""
	}
	return string(d.take(int(n)))
}

// milliseconds returns a time as it is stored; 0 for the zero time.
func milliseconds(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

// instant reads what milliseconds gave.
func instant(ms int64) time.Time {
	if ms == 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}
