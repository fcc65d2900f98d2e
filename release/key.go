// Package release reads what a release of Sitegrade consists of, from a folder or over HTTPS, and takes nothing from it that its makers have
// not signed.
//
// A release is a flat folder. SHA256SUMS has a line for each of its files, SHA256SUMS.sig is the signature of SHA256SUMS, and the program of
// version 1.2.3 for Linux on amd64 is in sitegrade_1.2.3_linux_amd64.tar.gz.
package release

import (
	"crypto/ed25519"
	"encoding/base64"
	"errors"
	"fmt"
)

// What the build of a release sets, with -ldflags "-X sitegrade/release.publicKey=...".
var (
	publicKey string // the key that releases are signed with, its public half: base64 of 32 bytes
	packaged  string // who has installed this program: a key of managers; "" for a program out of an archive
)

// ErrNoKey says that this program was not built as a release is, and knows nobody whose releases it could trust.
var ErrNoKey = errors.New("this program was built without the key that releases are signed with, so it cannot tell a release from a forgery: take the program from a release")

// Key returns the key whose signatures this program trusts. The error is ErrNoKey where the build named none.
func Key() (ed25519.PublicKey, error) {
	if publicKey == "" {
		return nil, ErrNoKey
	}
	key, err := base64.StdEncoding.DecodeString(publicKey)
	if err != nil || len(key) != ed25519.PublicKeySize {
		return nil, fmt.Errorf("the key that this program was built with is not the base64 of %d bytes", ed25519.PublicKeySize)
	}
	return key, nil
}
