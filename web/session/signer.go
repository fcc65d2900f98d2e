package session

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
)

// Signer is the secret that cookies are signed with.
type Signer []byte

// NewSigner returns a signer with this secret; with one of its own for as long as the process lives when that is empty.
func NewSigner(secret []byte) Signer {
	if len(secret) > 0 {
		return Signer(secret)
	}
	own := make(Signer, sha256.Size)
	_, _ = rand.Read(own) // never fails (crypto/rand)
	return own
}

// Sign returns the signature (HMAC-SHA256) of what is said for a purpose. Those of two purposes never stand for each other.
func (s Signer) Sign(purpose string, said []byte) []byte {
	mac := hmac.New(sha256.New, s)
	mac.Write([]byte(purpose + "|"))
	mac.Write(said)
	return mac.Sum(nil)
}
