package record

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"encoding/base32"

	"github.com/google/uuid"
)

// shareKeySize is how many bytes the key has that the addresses of an account's shared pages are made from.
const shareKeySize = 16

// shareEncoding is base32 in lower case: 26 letters and digits that can be read out, and that no check of addresses minds.
var shareEncoding = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)

// NewShareKey returns a key for an account, at random.
func NewShareKey() []byte {
	key := make([]byte, shareKeySize)
	_, _ = rand.Read(key) // never fails (crypto/rand)
	return key
}

// ShareCipher returns what EncodeShare needs of a key, and what decrypts what DecodeShare returns. The error says that the key has a wrong
// length.
func ShareCipher(key []byte) (cipher.Block, error) { return aes.NewCipher(key) }

// EncodeShare returns the address part of a report's shared page: its id, encrypted under a key that only its account has. To everybody else
// that is 128 random bits, and no index is needed to find the report again.
func EncodeShare(block cipher.Block, id uuid.UUID) string {
	var out [16]byte
	block.Encrypt(out[:], id[:])
	return shareEncoding.EncodeToString(out[:])
}

// DecodeShare returns the encrypted id that an address part stands for, and whether it is one. An address has one spelling.
func DecodeShare(share string) (encrypted [16]byte, ok bool) {
	in, err := shareEncoding.DecodeString(share)
	if err != nil || len(in) != len(encrypted) || shareEncoding.EncodeToString(in) != share {
		return encrypted, false
	}
	return [16]byte(in), true
}
