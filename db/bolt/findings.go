package bolt

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/google/uuid"
	"github.com/klauspost/compress/zstd"

	"sitegrade/audit"
)

// The coders are safe for concurrent use by EncodeAll and DecodeAll.
var (
	findingsEncoder, _ = zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedDefault), zstd.WithEncoderConcurrency(1))
	findingsDecoder, _ = zstd.NewReader(nil, zstd.WithDecoderMaxMemory(64<<20), zstd.WithDecoderConcurrency(0))
)

// packFound returns the stored form of what an audit found.
func packFound(found *audit.Report) ([]byte, error) {
	text, err := json.Marshal(found)
	if err != nil {
		return nil, fmt.Errorf("packing what was found: %w", err)
	}
	return findingsEncoder.EncodeAll(text, make([]byte, 0, len(text)/6)), nil
}

// found returns what the last successful audit of a report found, or nil.
func (a *accountTx) found(id uuid.UUID) (*audit.Report, error) {
	return unpackFound(id, a.bucket(foundBucket).Get(id[:]))
}

// unpackFound reads the stored form; nothing of it stands for nothing found.
func unpackFound(id uuid.UUID, packed []byte) (*audit.Report, error) {
	if packed == nil {
		return nil, nil
	}
	text, err := findingsDecoder.DecodeAll(packed, nil)
	if err != nil {
		return nil, fmt.Errorf("unpacking what was found of report %s: %w", id, err)
	}
	found := new(audit.Report)
	if err := json.Unmarshal(text, found); err != nil {
		return nil, fmt.Errorf("reading what was found of report %s: %w", id, err)
	}
	return found, nil
}

// findings are what is known of a report's page, as a transaction saw it. They outlive that, since unpacking takes longer than
// reading them.
type findings struct {
	id       uuid.UUID
	packed   []byte
	siblings audit.Siblings
}

func (a *accountTx) findings(r *record) (findings, error) {
	siblings, err := a.siblings(r)
	return findings{id: r.id, packed: bytes.Clone(a.bucket(foundBucket).Get(r.id[:])), siblings: siblings}, err
}

// compared returns what was found, with what other reports of the project have in common with it; nil before the first success.
func (f findings) compared() (*audit.Report, error) {
	found, err := unpackFound(f.id, f.packed)
	if found != nil {
		found.Compare(f.siblings)
	}
	return found, err
}
