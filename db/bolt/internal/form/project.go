package form

import (
	"encoding/binary"

	"github.com/google/uuid"
)

// Project returns the stored form of a project; its number is its key.
func Project(id uuid.UUID, created int64, name string) []byte {
	b := make([]byte, 0, 32+len(name))
	b = append(b, id[:]...)
	b = binary.AppendVarint(b, created)
	return appendText(b, name)
}

// ReadProject reads what Project wrote.
func ReadProject(stored []byte) (id uuid.UUID, created int64, name string, err error) {
	d := decoder{rest: stored}
	copy(id[:], d.take(16))
	created, name = d.varint(), d.text()
	if d.failed || len(d.rest) > 0 {
		err = Err
	}
	return id, created, name, err
}
