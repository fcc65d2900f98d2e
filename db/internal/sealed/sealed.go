// Package sealed keeps encrypted what clients trust a store with, such as the headers that open a staging site.
package sealed

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
)

// Box seals and opens. A nil Box does neither.
type Box struct {
	aead cipher.AEAD
	sums []byte // the key of Sum
}

// ErrNoSecret says that a store was opened without the secret that it seals with.
var ErrNoSecret = errors.New("the database was opened without its secret")

// New returns the box of a secret, which is kept elsewhere than what it seals; nil for an empty one.
func New(secret []byte) (*Box, error) {
	if len(secret) == 0 {
		return nil, nil
	}
	key, err := hkdf.Key(sha256.New, secret, nil, "sitegrade sealed headers", 32)
	if err != nil {
		return nil, fmt.Errorf("deriving a key: %w", err)
	}
	sums, err := hkdf.Key(sha256.New, secret, nil, "sitegrade sums of headers", 32)
	if err != nil {
		return nil, fmt.Errorf("deriving a key: %w", err)
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	aead, err := cipher.NewGCMWithRandomNonce(block)
	return &Box{aead, sums}, err
}

// Seal returns headers encrypted; nil for no headers.
func (b *Box) Seal(headers map[string]string) ([]byte, error) {
	if len(headers) == 0 {
		return nil, nil
	}
	if b == nil {
		return nil, ErrNoSecret
	}
	text, err := json.Marshal(headers)
	if err != nil {
		return nil, err
	}
	return b.aead.Seal(nil, nil, text, nil), nil
}

// Open returns the headers that Seal was given.
func (b *Box) Open(sealed []byte) (headers map[string]string, err error) {
	if len(sealed) == 0 {
		return nil, nil
	}
	if b == nil {
		return nil, ErrNoSecret
	}
	text, err := b.aead.Open(nil, nil, sealed, nil)
	if err != nil {
		return nil, errors.New("headers were sealed with another secret")
	}
	return headers, json.Unmarshal(text, &headers)
}

// Sum returns what tells headers apart and tells nothing of them; "" for no headers.
func (b *Box) Sum(headers map[string]string) string {
	if len(headers) == 0 || b == nil {
		return ""
	}
	text, _ := json.Marshal(headers) // a map of strings can always be written, with its keys in order
	sum := hmac.New(sha256.New, b.sums)
	sum.Write(text)
	return fmt.Sprintf("%x", sum.Sum(nil))
}
