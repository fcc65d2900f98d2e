package notify

import (
	"crypto/ed25519"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"strings"
)

// Signature is how messages of the standard format are signed.
type Signature string

// The signatures.
const (
	V1  Signature = "v1"  // HMAC-SHA256 with a secret that both sides know
	V1a Signature = "v1a" // ed25519: the receiver has the public key only
)

// Signatures are all of them.
var Signatures = []Signature{V1, V1a}

// The prefixes of keys as Standard Webhooks writes them.
const (
	sharedPrefix  = "whsec_"
	privatePrefix = "whsk_"
	publicPrefix  = "whpk_"
)

// Bytes of a shared secret.
const (
	minShared = 24
	newShared = 32
	maxShared = 64
)

// Secret is what messages are signed with. Printing one shows nothing of it.
type Secret struct {
	signature Signature
	key       []byte // shared, or an ed25519.PrivateKey
}

// NewSecret returns a random secret.
func NewSecret(s Signature) Secret {
	if s == V1a {
		_, key, _ := ed25519.GenerateKey(rand.Reader) // crypto/rand returns no errors
		return Secret{V1a, key}
	}
	key := make([]byte, newShared)
	rand.Read(key)
	return Secret{V1, key}
}

// The errors of ParseSecret hold nothing of what was parsed.
var (
	errPrefix = errors.New("a webhook secret begins with whsec_, or with whsk_ for v1a")
	errShared = errors.New("after whsec_ must come the base64 of 24 to 64 bytes")
	errKey    = errors.New("after whsk_ must come the base64 of an ed25519 private key, 64 bytes with its public key")
)

// ParseSecret returns the secret that Text wrote: whsec_ with 24 to 64 bytes for v1, whsk_ for v1a.
func ParseSecret(text string) (Secret, error) {
	if encoded, ok := strings.CutPrefix(text, sharedPrefix); ok {
		key, err := base64.StdEncoding.DecodeString(encoded)
		if err != nil || len(key) < minShared || len(key) > maxShared {
			return Secret{}, errShared
		}
		return Secret{V1, key}, nil
	}
	encoded, ok := strings.CutPrefix(text, privatePrefix)
	if !ok {
		return Secret{}, errPrefix
	}
	key, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil || len(key) != ed25519.PrivateKeySize || !ed25519.NewKeyFromSeed(key[:ed25519.SeedSize]).Equal(ed25519.PrivateKey(key)) {
		return Secret{}, errKey
	}
	return Secret{V1a, key}, nil
}

// Text returns the secret as it is stored: whsec_ or whsk_ and base64.
func (s Secret) Text() string {
	prefix := sharedPrefix
	if s.signature == V1a {
		prefix = privatePrefix
	}
	return prefix + base64.StdEncoding.EncodeToString(s.key)
}

// Shown returns what the receiver verifies with, and gets to see once: the shared secret, whsec_, or the public key, whpk_.
func (s Secret) Shown() string {
	if s.signature != V1a {
		return s.Text()
	}
	public := ed25519.PrivateKey(s.key).Public().(ed25519.PublicKey)
	return publicPrefix + base64.StdEncoding.EncodeToString(public)
}

// Signature returns what the secret signs.
func (s Secret) Signature() Signature { return s.signature }

// String returns a word in place of the secret, so that no log can show it.
func (s Secret) String() string { return "[secret]" }

// GoString does as String.
func (s Secret) GoString() string { return s.String() }

// sign returns the signature of a text as a header holds it: "v1," or "v1a," and base64.
func (s Secret) sign(text []byte) string {
	var sum []byte
	if s.signature == V1a {
		sum = ed25519.Sign(s.key, text)
	} else {
		mac := hmac.New(sha256.New, s.key)
		mac.Write(text)
		sum = mac.Sum(nil)
	}
	return string(s.signature) + "," + base64.StdEncoding.EncodeToString(sum)
}
