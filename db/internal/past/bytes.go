package past

import (
	"encoding/binary"
	"slices"

	"sitegrade/audit"
	"sitegrade/db"
)

// The codes of what is stored. A code is never changed or used again.
var (
	statuses   = []audit.Status{audit.NotApplicable, audit.Passed, audit.Warning, audit.Failed}
	severities = []audit.Severity{audit.High, audit.Medium, audit.Low, audit.Info}
	unseens    = []audit.Unseen{"", audit.UnseenSample, audit.UnseenTimeout, audit.UnseenHost, audit.UnseenSize, audit.UnseenScript}
)

// code returns the place of a value among the codes; what has none counts as other.
func code[T comparable](codes []T, value, other T) byte {
	if i := slices.Index(codes, value); i >= 0 {
		return byte(i)
	}
	return code(codes, other, other)
}

// noteOf returns what an outcome has beside its status: three bits for what was not seen, and the severity where it is not that of the
// list; 0 for nothing.
func noteOf(o db.KeptOutcome, listed audit.Severity) byte {
	note := code(unseens, o.Unseen, "")
	if o.Severity != listed {
		note |= (1 + code(severities, o.Severity, audit.Info)) << 3
	}
	return note
}

// outcome returns what stands for a check of a list.
func (c Check) outcome(status, note byte) db.KeptOutcome {
	o := db.KeptOutcome{ID: c.ID, Category: c.Category, Severity: c.Severity, Status: statuses[status&3]}
	if unseen := int(note & 7); unseen < len(unseens) {
		o.Unseen = unseens[unseen]
	}
	if severity := int(note >> 3); severity > 0 && severity <= len(severities) {
		o.Severity = severities[severity-1]
	}
	return o
}

// appendChanges appends where and how two rows of equal length differ: how many values, and for each the distance from the one before it,
// with its lowest bits for the value.
func appendChanges(b, old, new []byte, bits int) []byte {
	n := 0
	for i := range new {
		if old[i] != new[i] {
			n++
		}
	}
	b = binary.AppendUvarint(b, uint64(n))
	last := 0
	for i := range new {
		if old[i] != new[i] {
			b = binary.AppendUvarint(b, uint64(i-last)<<bits|uint64(new[i]))
			last = i
		}
	}
	return b
}

// readChanges applies what appendChanges wrote.
func (d *decoder) readChanges(row []byte, bits int) {
	at := uint64(0)
	for n := d.uvarint(); n > 0 && !d.failed; n-- {
		change := d.uvarint()
		if at += change >> bits; at >= uint64(len(row)) {
			d.fail()
			return
		}
		row[at] = byte(change & (1<<bits - 1))
	}
}

// appendQuarters appends values of two bits, four in a byte.
func appendQuarters(b, values []byte) []byte {
	for i := 0; i < len(values); i += 4 {
		var four byte
		for j, v := range values[i:min(i+4, len(values))] {
			four |= v << (2 * j)
		}
		b = append(b, four)
	}
	return b
}

// readQuarters reads what appendQuarters wrote.
func (d *decoder) readQuarters(values []byte) {
	packed := d.take((len(values) + 3) / 4)
	for i := range values {
		if packed != nil {
			values[i] = packed[i/4] >> (2 * (i % 4)) & 3
		}
	}
}

// decoder reads fields one after the other; after the first that is missing, failed is true and all are zero.
type decoder struct {
	rest   []byte
	failed bool
}

func (d *decoder) fail() { d.failed, d.rest = true, nil }

func (d *decoder) take(n int) []byte {
	if n < 0 || n > len(d.rest) {
		d.fail()
		return nil
	}
	b := d.rest[:n:n]
	d.rest = d.rest[n:]
	return b
}

func (d *decoder) uint16() uint16 {
	if b := d.take(2); b != nil {
		return binary.BigEndian.Uint16(b)
	}
	return 0
}

func (d *decoder) uint64() uint64 {
	if b := d.take(8); b != nil {
		return binary.BigEndian.Uint64(b)
	}
	return 0
}

func (d *decoder) byte() byte {
	if b := d.take(1); b != nil {
		return b[0]
	}
	return 0
}

func (d *decoder) uvarint() uint64 {
	v, n := binary.Uvarint(d.rest)
	if n <= 0 {
		d.fail()
		return 0
	}
	d.take(n)
	return v
}

func (d *decoder) varint() int64 {
	v, n := binary.Varint(d.rest)
	if n <= 0 {
		d.fail()
		return 0
	}
	d.take(n)
	return v
}

func (d *decoder) text() string {
	n := d.uvarint()
	if n > uint64(len(d.rest)) {
		d.fail()
		return ""
	}
	return string(d.take(int(n)))
}

func appendText(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}
