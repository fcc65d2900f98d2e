// Package session has the sign-ins of the pages: cookies that the server signs.
package session

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"time"

	"sitegrade/auth"
	"sitegrade/db"
)

// Life is how long a sign-in lasts.
const Life = 7 * 24 * time.Hour

// Session is a sign-in. Its cookie says all of it, signed by the server, so that it outlives a restart; nobody can make one without the
// server's secret.
type Session struct {
	nonce   [16]byte
	expires int64     // in Unix seconds
	Key     auth.Hash // looked up at each visit, so that the session ends with its key
	Form    [16]byte  // what the forms of the session prove to know
}

// Sessions signs cookies and reads them.
type Sessions struct{ secret Signer }

// New returns sessions whose cookies a secret signs.
func New(secret Signer) Sessions { return Sessions{secret} }

// Begin opens a session for a key, and returns it with what its cookie holds.
func (s Sessions) Begin(key auth.Hash, now time.Time) (Session, string) {
	opened := Session{Key: key, expires: now.Add(Life).Unix()}
	_, _ = rand.Read(opened.nonce[:]) // never fails (crypto/rand)
	said := opened.said()
	copy(opened.Form[:], s.secret.Sign("form", said))
	return opened, base64.RawURLEncoding.EncodeToString(append(said, s.secret.Sign("session", said)...))
}

// Stored returns the sign-in as a store knows it, to the second.
func (s Session) Stored() db.Session {
	ends := time.Unix(s.expires, 0)
	return db.Session{ID: s.nonce, Began: ends.Add(-Life), Ends: ends}
}

// said is what a cookie says of its session, before the signature.
func (s Session) said() []byte {
	said := binary.BigEndian.AppendUint64(s.nonce[:], uint64(s.expires))
	return append(said, s.Key[:]...)
}

// saidLength is how long that is.
const saidLength = 16 + 8 + sha256.Size

// Find returns the session of a cookie, and reports whether there is one whose time has not come. Whether it was ended before, the store knows.
func (s Sessions) Find(cookie string, now time.Time) (Session, bool) {
	b, err := base64.RawURLEncoding.DecodeString(cookie)
	if err != nil || len(b) != saidLength+sha256.Size {
		return Session{}, false
	}
	said, signature := b[:saidLength], b[saidLength:]
	if !hmac.Equal(signature, s.secret.Sign("session", said)) {
		return Session{}, false
	}
	var found Session
	copy(found.nonce[:], said)
	found.expires = int64(binary.BigEndian.Uint64(said[16:]))
	copy(found.Key[:], said[24:])
	copy(found.Form[:], s.secret.Sign("form", said))
	return found, now.Unix() < found.expires
}
