package web

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
)

// signer is the secret that cookies are signed with.
type signer []byte

// newSigner returns a signer with this secret; with one of its own for as long as the process lives when that is empty.
func newSigner(secret []byte) signer {
	if len(secret) > 0 {
		return signer(secret)
	}
	own := make(signer, sha256.Size)
	_, _ = rand.Read(own) // never fails (crypto/rand)
	return own
}

// sign returns the signature (HMAC-SHA256) of what is said for a purpose. Those of two purposes never stand for each other.
func (s signer) sign(purpose string, said []byte) []byte {
	mac := hmac.New(sha256.New, s)
	mac.Write([]byte(purpose + "|"))
	mac.Write(said)
	return mac.Sum(nil)
}
