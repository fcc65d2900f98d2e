package keyring

import (
	"testing"

	"sitegrade/auth"
)

// TestKeyReadBeforeAWriteIsNotRemembered has a key be written between its reading and its being remembered.
func TestKeyReadBeforeAWriteIsNotRemembered(t *testing.T) {
	var c cache
	k := auth.Key{Hash: auth.HashSecret("s")}
	_, _, generation := c.get(k.Hash)
	c.forget()
	c.put(k, generation)
	_, known, later := c.get(k.Hash)
	if known {
		t.Error("what was read before a write is remembered after it")
	}
	c.put(k, later)
	if _, known, _ = c.get(k.Hash); !known {
		t.Error("what was read after the write is not remembered")
	}
}
