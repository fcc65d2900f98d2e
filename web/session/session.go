// Package session has the sign-ins of the pages: cookies that the server signs, and those that have ended.
package session

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"maps"
	"sync"
	"time"

	"sitegrade/auth"
)

// Life is how long a sign-in lasts, and maxEnded how many that were ended before are remembered at once.
const (
	Life     = 7 * 24 * time.Hour
	maxEnded = 10_000
)

// Session is a sign-in. Its cookie says all of it, signed by the server, so that it outlives a restart; nobody can make one without the
// server's secret.
type Session struct {
	nonce   [16]byte
	expires int64     // in Unix seconds
	Key     auth.Hash // looked up at each visit, so that the session ends with its key
	Form    [16]byte  // what the forms of the session prove to know
}

// Sessions signs cookies and reads them. Those of visitors who have signed out are remembered until they would have expired, or the
// process ends.
type Sessions struct {
	secret Signer
	mu     sync.Mutex
	ended  map[[16]byte]int64 // when each would have expired
}

// New returns sessions whose cookies a secret signs.
func New(secret Signer) *Sessions {
	return &Sessions{secret: secret, ended: map[[16]byte]int64{}}
}

// Begin opens a session for a key, and returns it with what its cookie holds.
func (s *Sessions) Begin(key auth.Hash, now time.Time) (Session, string) {
	opened := Session{Key: key, expires: now.Add(Life).Unix()}
	_, _ = rand.Read(opened.nonce[:]) // never fails (crypto/rand)
	said := opened.said()
	copy(opened.Form[:], s.secret.Sign("form", said))
	return opened, base64.RawURLEncoding.EncodeToString(append(said, s.secret.Sign("session", said)...))
}

// Began returns when the sign-in was, to the second.
func (s Session) Began() time.Time { return time.Unix(s.expires, 0).Add(-Life) }

// said is what a cookie says of its session, before the signature.
func (s Session) said() []byte {
	said := binary.BigEndian.AppendUint64(s.nonce[:], uint64(s.expires))
	return append(said, s.Key[:]...)
}

// saidLength is how long that is.
const saidLength = 16 + 8 + sha256.Size

// Find returns the session of a cookie, and reports whether there is one.
func (s *Sessions) Find(cookie string, now time.Time) (Session, bool) {
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
	return found, now.Unix() < found.expires && !s.hasEnded(found)
}

func (s *Sessions) hasEnded(of Session) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, ended := s.ended[of.nonce]
	return ended
}

// End makes the cookie of a session useless, also for whoever has a copy of it.
func (s *Sessions) End(of Session, now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.ended) >= maxEnded {
		s.forget(now)
	}
	s.ended[of.nonce] = of.expires
}

// forget drops what has expired, and where that is not enough any, until a tenth is free.
func (s *Sessions) forget(now time.Time) {
	maps.DeleteFunc(s.ended, func(_ [16]byte, expires int64) bool { return expires <= now.Unix() })
	for nonce := range s.ended {
		if len(s.ended) <= maxEnded*9/10 {
			return
		}
		delete(s.ended, nonce)
	}
}
