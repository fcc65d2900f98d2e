package web

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"maps"
	"net/http"
	"sync"
	"time"

	"github.com/google/uuid"

	"sitegrade/auth"
	"sitegrade/db"
)

// sessionLife is how long a sign-in lasts, and maxEnded how many that were ended before are remembered at once.
const (
	sessionLife = 7 * 24 * time.Hour
	maxEnded    = 10_000
)

// session is a sign-in. Its cookie says all of it, signed by the server, so that it outlives a restart; nobody can make one without the
// server's secret.
type session struct {
	nonce   [16]byte
	expires int64     // in Unix seconds
	key     auth.Hash // looked up at each visit, so that the session ends with its key
	form    [16]byte  // what the forms of the session prove to know
}

// sessions signs cookies and reads them. Those of visitors who have signed out are remembered until they would have expired, or the
// process ends.
type sessions struct {
	secret signer
	mu     sync.Mutex
	ended  map[[16]byte]int64 // when each would have expired
}

func newSessions(secret signer) *sessions {
	return &sessions{secret: secret, ended: map[[16]byte]int64{}}
}

// begin opens a session for a key, and returns it with what its cookie holds.
func (s *sessions) begin(key auth.Hash, now time.Time) (session, string) {
	opened := session{key: key, expires: now.Add(sessionLife).Unix()}
	_, _ = rand.Read(opened.nonce[:]) // never fails (crypto/rand)
	said := opened.said()
	copy(opened.form[:], s.secret.sign("form", said))
	return opened, base64.RawURLEncoding.EncodeToString(append(said, s.secret.sign("session", said)...))
}

// said is what a cookie says of its session, before the signature.
func (s session) said() []byte {
	said := binary.BigEndian.AppendUint64(s.nonce[:], uint64(s.expires))
	return append(said, s.key[:]...)
}

// saidLength is how long that is.
const saidLength = 16 + 8 + sha256.Size

// find returns the session of a cookie, and reports whether there is one.
func (s *sessions) find(cookie string, now time.Time) (session, bool) {
	b, err := base64.RawURLEncoding.DecodeString(cookie)
	if err != nil || len(b) != saidLength+sha256.Size {
		return session{}, false
	}
	said, signature := b[:saidLength], b[saidLength:]
	if !hmac.Equal(signature, s.secret.sign("session", said)) {
		return session{}, false
	}
	var found session
	copy(found.nonce[:], said)
	found.expires = int64(binary.BigEndian.Uint64(said[16:]))
	copy(found.key[:], said[24:])
	copy(found.form[:], s.secret.sign("form", said))
	return found, now.Unix() < found.expires && !s.hasEnded(found)
}

func (s *sessions) hasEnded(of session) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, ended := s.ended[of.nonce]
	return ended
}

// end makes the cookie of a session useless, also for whoever has a copy of it.
func (s *sessions) end(of session, now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.ended) >= maxEnded {
		s.forget(now)
	}
	s.ended[of.nonce] = of.expires
}

// forget drops what has expired, and where that is not enough any, until a tenth is free.
func (s *sessions) forget(now time.Time) {
	maps.DeleteFunc(s.ended, func(_ [16]byte, expires int64) bool { return expires <= now.Unix() })
	for nonce := range s.ended {
		if len(s.ended) <= maxEnded*9/10 {
			return
		}
		delete(s.ended, nonce)
	}
}

// sessionCookie is the name of the cookie. By https it has the prefix with which browsers let no other host of the domain set it.
func (v *visit) sessionCookie() string {
	if v.secure() {
		return "__Host-sitegrade"
	}
	return "sitegrade"
}

// setSession sets the session's cookie; "" removes it.
func (v *visit) setSession(cookie string) {
	life := int(sessionLife.Seconds())
	if cookie == "" {
		life = -1
	}
	http.SetCookie(v, &http.Cookie{
		Name: v.sessionCookie(), Value: cookie, Path: "/", MaxAge: life, HttpOnly: true, Secure: v.secure(), SameSite: http.SameSiteLaxMode,
	})
}

// touchInterval is how fine the last use of a key is noted here: pages are looked at in bursts.
const touchInterval = 10 * time.Minute

// recognise finds out who is signed in. The key is looked up at each visit, so that the session ends with it.
func (w *Web) recognise(v *visit) error {
	cookie, err := v.r.Cookie(v.sessionCookie())
	if err != nil {
		return nil
	}
	now := w.Now()
	found, ok := w.sessions.find(cookie.Value, now)
	if !ok {
		return nil
	}
	key, err := w.usableKey(v, found.key, now)
	if err != nil {
		return err
	}
	if key.ID == uuid.Nil {
		return nil
	}
	v.key, v.Key, v.session = key, key.ID, found
	return nil
}

// usableKey returns the key with this hash; the zero key when there is none that may read now. Its use is noted.
func (w *Web) usableKey(v *visit, hash auth.Hash, now time.Time) (auth.Key, error) {
	key, err := w.store.KeyByHash(v.r.Context(), hash)
	switch {
	case errors.Is(err, db.ErrNotFound):
		return auth.Key{}, nil
	case err != nil:
		return auth.Key{}, err
	case !key.Usable(now) || !key.Scopes.Has(auth.Read):
		return auth.Key{}, nil
	}
	if now.Sub(key.LastUsed) > touchInterval {
		if err := w.store.TouchKeys(v.r.Context(), map[uuid.UUID]time.Time{key.ID: now}); err != nil {
			w.Log.Warn("the last use of a key could not be stored", "error", err)
		}
	}
	return key, nil
}
