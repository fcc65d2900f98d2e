package main

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"fmt"
	"os"
	"path/filepath"
)

// readKey reads an ed25519 key as openssl writes it: a private one, with which the release is signed, or a public one, with which everybody can
// make the same release but for its signature. private is nil for a public one.
func readKey(path string) (public ed25519.PublicKey, private ed25519.PrivateKey, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, nil, err
	}
	block, _ := pem.Decode(text)
	if block == nil {
		return nil, nil, fmt.Errorf("%s has no key in PEM, as \"openssl genpkey -algorithm ed25519\" writes it", path)
	}
	var parsed any
	if block.Type == "PUBLIC KEY" {
		parsed, err = x509.ParsePKIXPublicKey(block.Bytes)
	} else {
		parsed, err = x509.ParsePKCS8PrivateKey(block.Bytes)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	switch key := parsed.(type) {
	case ed25519.PrivateKey:
		return key.Public().(ed25519.PublicKey), key, nil
	case ed25519.PublicKey:
		return key, nil, nil
	}
	return nil, nil, fmt.Errorf("%s has a key of another kind than ed25519", path)
}

// sum writes SHA256SUMS, which has all other files, and what proves it.
func (r *release) sum() error {
	if r.public != nil {
		if err := r.writePublicKey(r.public); err != nil {
			return err
		}
	}
	files, err := os.ReadDir(r.out) // sorted by their names
	if err != nil {
		return err
	}
	var sums bytes.Buffer
	for _, file := range files {
		content, err := os.ReadFile(filepath.Join(r.out, file.Name()))
		if err != nil {
			return err
		}
		fmt.Fprintf(&sums, "%x  %s\n", sha256.Sum256(content), file.Name())
	}
	if err := r.write("SHA256SUMS", sums.Bytes()); err != nil || r.key == nil {
		return err
	}
	signature := ed25519.Sign(r.key, sums.Bytes())
	if err := r.write("SHA256SUMS.sig", signature); err != nil {
		return err
	}
	return r.write("SHA256SUMS.minisig", r.minisignature(signature))
}

// writePublicKey writes the key that verifies the release: for minisign and signify, and for openssl.
func (r *release) writePublicKey(key ed25519.PublicKey) error {
	der, err := x509.MarshalPKIXPublicKey(key)
	if err != nil {
		return err
	}
	if err := r.write("sitegrade.pem", pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der})); err != nil {
		return err
	}
	return r.write("sitegrade.pub", fmt.Appendf(nil, "untrusted comment: the key that releases of Sitegrade are signed with\n%s\n",
		base64.StdEncoding.EncodeToString(append(minisignHead(key), key...))))
}

// minisignHead returns what stands before a key and before its signatures in minisign's format: the algorithm, "Ed" for ed25519 over the
// bytes of the file, and the number of the key, for which any eight bytes do that others hardly have.
// See https://jedisct1.github.io/minisign/ under "Signature format".
func minisignHead(key ed25519.PublicKey) []byte {
	number := sha256.Sum256(key)
	return append([]byte("Ed"), number[:8]...)
}

// minisignature returns a signature in minisign's format. What it calls the trusted comment is signed too.
func (r *release) minisignature(signature []byte) []byte {
	comment := fmt.Sprintf("timestamp:%d\tfile:SHA256SUMS\tsitegrade:%s", r.source.time.Unix(), r.version)
	of := base64.StdEncoding.EncodeToString
	return fmt.Appendf(nil, "untrusted comment: signature of a release of Sitegrade\n%s\ntrusted comment: %s\n%s\n",
		of(append(minisignHead(r.public), signature...)), comment, of(ed25519.Sign(r.key, append(bytes.Clone(signature), comment...))))
}
