package auth

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash/crc32"
	"math/big"
	"strings"
)

// The secret of an API key is
//
//	sg_ | 160 random bits, 27 characters | CRC32 (IEEE) of those characters, 6 characters
//
// Both numbers are in base62, padded with 0 on the left. The prefix lets scanners of leaked secrets find it, and the checksum
// lets them, and us, tell a secret from a typing error without asking a database.
const (
	secretPrefix = "sg_"
	randomBits   = 160
	randomWidth  = 27
	sumWidth     = 6
	secretLength = len(secretPrefix) + randomWidth + sumWidth
)

// base62Digits are the digits in the order of their worth.
const base62Digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

// NewSecret returns the secret of a new API key: 36 characters.
func NewSecret() string {
	var random [randomBits / 8]byte
	_, _ = rand.Read(random[:]) // never fails (crypto/rand)
	text := base62(new(big.Int).SetBytes(random[:]), randomWidth)
	return secretPrefix + text + checksum(text)
}

// WellFormed reports whether a text has the form of a secret, its checksum included. It says nothing about a key being known.
func WellFormed(secret string) bool {
	if len(secret) != secretLength || !strings.HasPrefix(secret, secretPrefix) {
		return false
	}
	random, sum := secret[len(secretPrefix):secretLength-sumWidth], secret[secretLength-sumWidth:]
	return strings.Trim(random, base62Digits) == "" && sum == checksum(random)
}

func checksum(random string) string {
	sum := crc32.ChecksumIEEE([]byte(random))
	return base62(new(big.Int).SetUint64(uint64(sum)), sumWidth)
}

// base62 returns n with that many digits, which must be enough.
func base62(n *big.Int, width int) string {
	rest, digit, base := new(big.Int).Set(n), new(big.Int), big.NewInt(int64(len(base62Digits)))
	text := make([]byte, width)
	for i := width - 1; i >= 0; i-- {
		rest.QuoRem(rest, base, digit)
		text[i] = base62Digits[digit.Int64()]
	}
	return string(text)
}

// Hash is the SHA-256 of a secret, the only form in which a secret is kept. Secrets have 160 random bits, so that no slow hash
// is needed. Its text form is 64 lower-case hexadecimal digits.
type Hash [sha256.Size]byte

// HashSecret returns the hash of a whole secret, prefix and checksum included.
func HashSecret(secret string) Hash { return sha256.Sum256([]byte(secret)) }

// String returns the text form.
func (h Hash) String() string { return hex.EncodeToString(h[:]) }

// MarshalText returns the text form.
func (h Hash) MarshalText() ([]byte, error) { return []byte(h.String()), nil }

// UnmarshalText reads the text form; upper-case digits will do.
func (h *Hash) UnmarshalText(text []byte) error {
	if len(text) != hex.EncodedLen(len(h)) {
		return fmt.Errorf("the hash of a key has %d hexadecimal digits, not %d characters", hex.EncodedLen(len(h)), len(text))
	}
	if _, err := hex.Decode(h[:], text); err != nil {
		return fmt.Errorf("the hash of a key has only hexadecimal digits: %w", err)
	}
	return nil
}
