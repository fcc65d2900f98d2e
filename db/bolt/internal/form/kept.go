package form

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"sitegrade/db/internal/record"
)

// askedForm is added to the status of what is stored since what was asked for is compared without its password. What is older has a sum that a
// password could be guessed from; it is compared with nothing, and gone after a day.
const askedForm = 1000

// Kept returns the stored form: the report's id, the sum, the time, the status, the password's hash, the response.
func Kept(k *record.Kept) []byte {
	b := make([]byte, 0, 160+len(k.Packed))
	b = append(b, k.ReportID[:]...)
	b = append(b, k.Asked.Sum[:]...)
	b = binary.AppendVarint(b, k.Stored)
	b = binary.AppendUvarint(b, uint64(k.Status+askedForm))
	b = appendText(b, k.Asked.PasswordHash)
	return append(b, k.Packed...)
}

// ReadKept reads what Kept wrote, and what an earlier version did, whose responses are not packed.
func ReadKept(stored []byte) (*record.Kept, error) {
	k := new(record.Kept)
	d := decoder{rest: stored}
	copy(k.ReportID[:], d.take(16))
	copy(k.Asked.Sum[:], d.take(32))
	k.Stored, k.Status = d.varint(), int(d.uvarint())
	if k.Known = k.Status >= askedForm; k.Known {
		k.Status -= askedForm
		k.Asked.PasswordHash = d.text()
		k.Packed = bytes.Clone(d.rest)
	} else {
		k.Packed = record.Pack(d.rest)
	}
	if d.failed {
		return nil, fmt.Errorf("%w: a kept response", Err)
	}
	return k, nil
}
