package db

import (
	"encoding/json"
	"fmt"

	"github.com/google/uuid"
	"github.com/klauspost/compress/zstd"

	"sitegrade/audit"
)

// The coders are safe for concurrent use by EncodeAll and DecodeAll.
var (
	foundEncoder, _ = zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedDefault), zstd.WithEncoderConcurrency(1))
	foundDecoder, _ = zstd.NewReader(nil, zstd.WithDecoderMaxMemory(64<<20), zstd.WithDecoderConcurrency(0))
)

// packFound gives the stored form of what an audit found.
func packFound(found *audit.Report) ([]byte, error) {
	text, err := json.Marshal(found)
	if err != nil {
		return nil, fmt.Errorf("packing what was found: %w", err)
	}
	return foundEncoder.EncodeAll(text, make([]byte, 0, len(text)/6)), nil
}

// found gives what the last successful audit of a report found, or nil.
func (a *accountTx) found(id uuid.UUID) (*audit.Report, error) {
	packed := a.bucket(foundBucket).Get(id[:])
	if packed == nil {
		return nil, nil
	}
	text, err := foundDecoder.DecodeAll(packed, nil)
	if err != nil {
		return nil, fmt.Errorf("unpacking what was found of report %s: %w", id, err)
	}
	found := new(audit.Report)
	if err := json.Unmarshal(text, found); err != nil {
		return nil, fmt.Errorf("reading what was found of report %s: %w", id, err)
	}
	return found, nil
}
