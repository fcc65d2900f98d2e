package record

import (
	"crypto/sha256"
	"encoding/binary"

	"sitegrade/audit"
)

// Traits are hashes of what a page has in common with copies of it; 0 for what it has not.
type Traits [4]uint64

// TraitsOf returns the traits of a page, in the order of audit.Page.Traits.
func TraitsOf(p *audit.Page) Traits {
	var t Traits
	for i, text := range p.Traits() {
		t[i] = Hash(text)
	}
	return t
}

// Hash returns 64 bits that are the same for the same text, and 0 only for the empty one.
func Hash(text string) uint64 {
	if text == "" {
		return 0
	}
	sum := sha256.Sum256([]byte(text))
	return binary.BigEndian.Uint64(sum[:8]) | 1
}
