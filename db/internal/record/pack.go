package record

import (
	"encoding/json"
	"fmt"

	"github.com/google/uuid"
	"github.com/klauspost/compress/zstd"

	"sitegrade/audit"
)

// The coders are safe for concurrent use by EncodeAll and DecodeAll.
var (
	packer, _   = zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedDefault), zstd.WithEncoderConcurrency(1))
	unpacker, _ = zstd.NewReader(nil, zstd.WithDecoderMaxMemory(64<<20), zstd.WithDecoderConcurrency(0))
)

// PackFound returns what an audit found in its stored form, compressed JSON.
func PackFound(found *audit.Report) ([]byte, error) {
	text, err := json.Marshal(audit.Keep(found))
	if err != nil {
		return nil, fmt.Errorf("packing what was found: %w", err)
	}
	return packer.EncodeAll(text, make([]byte, 0, len(text)/6)), nil
}

// UnpackFound reads what PackFound gave for a report; nil stands for nothing found.
func UnpackFound(id uuid.UUID, packed []byte) (*audit.Report, error) {
	if packed == nil {
		return nil, nil
	}
	text, err := Unpack(packed)
	if err != nil {
		return nil, fmt.Errorf("unpacking what was found of report %s: %w", id, err)
	}
	var kept audit.Kept
	if err := json.Unmarshal(text, &kept); err != nil {
		return nil, fmt.Errorf("reading what was found of report %s: %w", id, err)
	}
	found, err := kept.Found()
	if err != nil {
		return nil, fmt.Errorf("reading what was found of report %s: %w", id, err)
	}
	return found, nil
}

// FailedIn returns the checks that failed in what PackFound gave for a report, at a third of the cost of reading all of it; not one of nothing found.
func FailedIn(id uuid.UUID, packed []byte) (failed []string, err error) {
	if packed == nil {
		return nil, nil
	}
	text, err := Unpack(packed)
	if err != nil {
		return nil, fmt.Errorf("unpacking what was found of report %s: %w", id, err)
	}
	var found struct {
		Checks []struct {
			ID     string       `json:"id"`
			Status audit.Status `json:"status"`
		} `json:"checks"`
	}
	if err := json.Unmarshal(text, &found); err != nil {
		return nil, fmt.Errorf("reading what was found of report %s: %w", id, err)
	}
	for _, c := range found.Checks {
		if c.Status == audit.Failed {
			failed = append(failed, c.ID)
		}
	}
	return failed, nil
}

// Pack returns a text compressed.
func Pack(text []byte) []byte { return packer.EncodeAll(text, nil) }

// Unpack reads what Pack gave.
func Unpack(packed []byte) ([]byte, error) { return unpacker.DecodeAll(packed, nil) }
