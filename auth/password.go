package auth

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"runtime"

	"golang.org/x/crypto/argon2"
)

// The cost of a password's hash: argon2id with 19 MiB, two passes and one lane, the least that OWASP's Password Storage Cheat
// Sheet recommends.
const (
	passwordMemory = 19 * 1024 // KiB
	passwordPasses = 2
	passwordLanes  = 1
	saltLength     = 16
	sumLength      = 32
)

// maxHashing bounds how many passwords are hashed at once, in the whole process: each takes its memory and a core.
const maxHashing = 4

// hashing has a place for each password that is being hashed. There is one for the process because memory and cores are one.
var hashing = make(chan struct{}, min(maxHashing, runtime.GOMAXPROCS(0)))

// HashPassword returns the argon2id hash of a password with a new salt, in the PHC text form ($argon2id$v=19$m=19456,t=2,p=1$salt$hash). It
// waits while too many others are being hashed; the error is that of ctx.
func HashPassword(ctx context.Context, password string) (string, error) {
	h := passwordHash{memory: passwordMemory, passes: passwordPasses, lanes: passwordLanes, salt: make([]byte, saltLength)}
	_, _ = rand.Read(h.salt) // never fails (crypto/rand)
	sum, err := h.compute(ctx, password, sumLength)
	if err != nil {
		return "", err
	}
	h.sum = sum
	return h.String(), nil
}

// VerifyPassword reports whether a hash in PHC text form was made from the password. It waits while too many others are being hashed. The
// error is that of ctx, or says why the hash cannot be used.
func VerifyPassword(ctx context.Context, phc, password string) (bool, error) {
	h, err := parsePasswordHash(phc)
	if err != nil {
		return false, err
	}
	sum, err := h.compute(ctx, password, len(h.sum))
	if err != nil {
		return false, err
	}
	return subtle.ConstantTimeCompare(sum, h.sum) == 1, nil
}

// CheckPasswordHash says why a hash in PHC text form, of an import for example, could not be verified against; nil if it could.
func CheckPasswordHash(phc string) error {
	_, err := parsePasswordHash(phc)
	return err
}

// compute returns the hash of a password with the cost and the salt of h, in that many bytes.
func (h passwordHash) compute(ctx context.Context, password string, length int) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	select {
	case hashing <- struct{}{}:
		defer func() { <-hashing }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	return argon2.IDKey([]byte(password), h.salt, h.passes, h.memory, h.lanes, uint32(length)), nil
}
