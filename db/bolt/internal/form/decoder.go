// Package form turns what the engine stores by itself into bytes and back: reports, projects, and the responses kept for idempotency keys. A
// form that was ever released is read for ever.
package form

import (
	"encoding/binary"

	"sitegrade/db/internal/record"
)

// Err says that something stored cannot be read.
var Err = record.ErrDamaged

// appendText appends a string with its length before it.
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
