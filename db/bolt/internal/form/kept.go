package form

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"github.com/google/uuid"

	"sitegrade/db/internal/record"
)

// askedForm is added to the status of what is stored since what was asked for is compared without its password. What is older has a sum that a
// password could be guessed from; it is compared with nothing, and gone after a day. manyForm is added instead where a create made several
// reports, whose ids follow the password's hash: how many come behind the first, and they.
const (
	askedForm = 1000
	manyForm  = 2000
)

// Kept returns the stored form: the first report's id, the sum, the time, the status, the password's hash, the other reports' ids, the response.
func Kept(k *record.Kept) []byte {
	b := make([]byte, 0, 160+16*len(k.Others)+len(k.Packed))
	b = append(b, k.ReportID[:]...)
	b = append(b, k.Asked.Sum[:]...)
	b = binary.AppendVarint(b, k.Stored)
	if len(k.Others) == 0 {
		b = binary.AppendUvarint(b, uint64(k.Status+askedForm))
		return append(appendText(b, k.Asked.PasswordHash), k.Packed...)
	}
	b = binary.AppendUvarint(b, uint64(k.Status+manyForm))
	b = appendText(b, k.Asked.PasswordHash)
	b = binary.AppendUvarint(b, uint64(len(k.Others)))
	for _, id := range k.Others {
		b = append(b, id[:]...)
	}
	return append(b, k.Packed...)
}

// ReadKept reads what Kept wrote, and what an earlier version did, whose responses are not packed.
func ReadKept(stored []byte) (*record.Kept, error) {
	k := new(record.Kept)
	d := decoder{rest: stored}
	copy(k.ReportID[:], d.take(16))
	copy(k.Asked.Sum[:], d.take(32))
	k.Stored, k.Status = d.varint(), int(d.uvarint())
	many := k.Status >= manyForm
	if k.Known = k.Status >= askedForm; k.Known {
		k.Status %= askedForm
		k.Asked.PasswordHash = d.text()
	}
	if many {
		for n := d.uvarint(); n > 0 && !d.failed; n-- {
			var id uuid.UUID
			copy(id[:], d.take(16))
			k.Others = append(k.Others, id)
		}
	}
	if k.Known {
		k.Packed = bytes.Clone(d.rest)
	} else {
		k.Packed = record.Pack(d.rest)
	}
	if d.failed {
		return nil, fmt.Errorf("%w: a kept response", Err)
	}
	return k, nil
}
