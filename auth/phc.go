package auth

import (
	"encoding/base64"
	"errors"
	"fmt"
	"strings"

	"golang.org/x/crypto/argon2"
)

// passwordHash is an argon2id hash with what it was made with.
type passwordHash struct {
	memory uint32 // KiB
	passes uint32
	lanes  uint8
	salt   []byte
	sum    []byte
}

// A hash may come from an import, and whoever wrote it would like our memory and time: what it may ask for is bounded.
const (
	maxMemory     = 64 * 1024 // KiB
	maxPasses     = 10
	maxLanes      = 4
	minSalt       = 8
	minSum        = 16
	maxSaltOrSum  = 64
	memoryPerLane = 8   // KiB, the least that argon2 works with (RFC 9106, 3.1)
	maxPHC        = 256 // bytes; what fits the bounds is shorter
)

// phcEncoding is the PHC string format's base64: no padding, and no second spelling of the same bytes.
var phcEncoding = base64.RawStdEncoding.Strict()

const phcForm = "$argon2id$v=19$m=19456,t=2,p=1$salt$hash"

// String returns the PHC text form.
func (h passwordHash) String() string {
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, h.memory, h.passes, h.lanes,
		phcEncoding.EncodeToString(h.salt), phcEncoding.EncodeToString(h.sum))
}

// parsePasswordHash reads what String gives and nothing else: one hash has one text.
func parsePasswordHash(phc string) (passwordHash, error) {
	if len(phc) > maxPHC {
		return passwordHash{}, fmt.Errorf("a password's hash has at most %d bytes, not %d", maxPHC, len(phc))
	}
	parts := strings.Split(phc, "$")
	if len(parts) != 6 {
		return passwordHash{}, errors.New("a password's hash has the form " + phcForm)
	}
	h, err := parseCost(parts[3])
	if err != nil {
		return passwordHash{}, err
	}
	if h.salt, err = decodeBounded("salt", parts[4], minSalt); err != nil {
		return passwordHash{}, err
	}
	if h.sum, err = decodeBounded("hash", parts[5], minSum); err != nil {
		return passwordHash{}, err
	}
	if h.String() != phc {
		return passwordHash{}, errors.New("a password's hash is argon2id, version 19, in the form " + phcForm)
	}
	return h, nil
}

// parseCost reads "m=19456,t=2,p=1". The caller compares with the text that it stands for, which refuses other spellings.
func parseCost(text string) (passwordHash, error) {
	var h passwordHash
	if _, err := fmt.Sscanf(text, "m=%d,t=%d,p=%d", &h.memory, &h.passes, &h.lanes); err != nil {
		return h, errors.New("the cost of a password's hash has the form m=19456,t=2,p=1")
	}
	switch {
	case h.lanes < 1 || h.lanes > maxLanes:
		return h, fmt.Errorf("p of a password's hash is 1 to %d, not %d", maxLanes, h.lanes)
	case h.passes < 1 || h.passes > maxPasses:
		return h, fmt.Errorf("t of a password's hash is 1 to %d, not %d", maxPasses, h.passes)
	case h.memory < memoryPerLane*uint32(h.lanes) || h.memory > maxMemory:
		return h, fmt.Errorf("m of a password's hash is %d for each lane to %d KiB, not %d", memoryPerLane, maxMemory, h.memory)
	}
	return h, nil
}

func decodeBounded(what, text string, least int) ([]byte, error) {
	b, err := phcEncoding.DecodeString(text)
	if err != nil || len(b) < least || len(b) > maxSaltOrSum {
		return nil, fmt.Errorf("the %s of a password's hash is %d to %d bytes in base64 without padding", what, least, maxSaltOrSum)
	}
	return b, nil
}
