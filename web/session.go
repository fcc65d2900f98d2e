package web

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"

	"sitegrade/auth"
	"sitegrade/db"
)

// sessionLife is how long a sign-in lasts, and maxSessions how many there are at most at once.
const (
	sessionLife = 7 * 24 * time.Hour
	maxSessions = 10_000
)

// session is a sign-in. It is kept in memory: after a restart, people sign in again.
type session struct {
	name    [32]byte // SHA-256 of what the cookie holds
	key     auth.Hash
	form    [16]byte // what the forms of the session prove to know
	expires time.Time
}

// sessions are all sign-ins, by the hash of what their cookies hold, so that the memory of the process opens none.
type sessions struct {
	mu   sync.Mutex
	open map[[32]byte]session
}

func newSessions() *sessions { return &sessions{open: map[[32]byte]session{}} }

// begin opens a session for a key and gives what its cookie holds: 256 random bits.
func (s *sessions) begin(key auth.Hash, now time.Time) string {
	var secret [32]byte
	opened := session{key: key, expires: now.Add(sessionLife)}
	_, _ = rand.Read(secret[:]) // never fails (crypto/rand)
	_, _ = rand.Read(opened.form[:])
	cookie := base64.RawURLEncoding.EncodeToString(secret[:])
	opened.name = sha256.Sum256([]byte(cookie))
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.open) >= maxSessions {
		s.makeRoom(now)
	}
	s.open[opened.name] = opened
	return cookie
}

// makeRoom ends what has expired, and where that is not enough any, until a tenth is free.
func (s *sessions) makeRoom(now time.Time) {
	for name, session := range s.open {
		if !now.Before(session.expires) {
			delete(s.open, name)
		}
	}
	for name := range s.open {
		if len(s.open) <= maxSessions*9/10 {
			return
		}
		delete(s.open, name)
	}
}

// find returns the session of a cookie, and false for none.
func (s *sessions) find(cookie string, now time.Time) (session, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	found, ok := s.open[sha256.Sum256([]byte(cookie))]
	return found, ok && now.Before(found.expires)
}

func (s *sessions) end(name [32]byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.open, name)
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
		w.sessions.end(found.name)
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

// loginPage is the data of the sign-in.
type loginPage struct {
	frame
	Next  string
	Wrong bool
}

func (w *Web) showLogin(v *visit) error {
	next := localPath(v.r.URL.Query().Get("next"))
	if v.signedIn() {
		return v.see(next)
	}
	w.sendLogin(v, http.StatusOK, loginPage{Next: next})
	return nil
}

func (w *Web) sendLogin(v *visit, status int, p loginPage) {
	p.frame = plainFrame("Sign in")
	p.Description = "Sign in to this Sitegrade server with an API key, to make reports on websites, look at them and share them."
	w.sendPage(v, status, "login", p)
}

// signIn opens a session for a key. Attempts are not counted: a key has 160 random bits, and what has not the form of one costs
// nothing.
func (w *Web) signIn(v *visit) error {
	form, err := v.form()
	if err != nil {
		return err
	}
	next := localPath(form.Get("next"))
	secret := strings.TrimSpace(form.Get("key"))
	key := auth.Key{}
	if auth.WellFormed(secret) {
		if key, err = w.usableKey(v, auth.HashSecret(secret), w.Now()); err != nil {
			return err
		}
	}
	if key.ID == uuid.Nil {
		w.sendLogin(v, http.StatusForbidden, loginPage{Next: next, Wrong: true})
		return nil
	}
	if v.signedIn() {
		w.sessions.end(v.session.name)
	}
	v.setSession(w.sessions.begin(key.Hash, w.Now()))
	return v.see(next)
}

func (w *Web) signOut(v *visit) error {
	if v.signedIn() {
		w.sessions.end(v.session.name)
	}
	v.setSession("")
	return v.see("/login")
}

// localPath returns a path of this server, "/" for anything else: whoever sends a link to the sign-in must not choose another site.
func localPath(next string) string {
	u, err := url.Parse(next)
	if err != nil || u.Scheme != "" || u.Host != "" || !strings.HasPrefix(next, "/") || strings.HasPrefix(next, "//") || strings.ContainsAny(next, "\\\r\n\t") {
		return "/"
	}
	return next
}

// token returns what the forms of a session prove themselves with. It looks different each time, so that the compressed sizes of
// pages tell nothing of it; "" without a session.
func (v *visit) token() string {
	if !v.signedIn() {
		return ""
	}
	var masked [32]byte
	_, _ = rand.Read(masked[:16]) // never fails (crypto/rand)
	subtle.XORBytes(masked[16:], masked[:16], v.session.form[:])
	return base64.RawURLEncoding.EncodeToString(masked[:])
}

// tokenField is the name of the forms' field with the token.
const tokenField = "token"

// checkToken reads a posted form and refuses it when it did not come from one of the session's own pages.
func (v *visit) checkToken() error {
	form, err := v.form()
	if err != nil {
		return err
	}
	v.posted = form
	masked, err := base64.RawURLEncoding.DecodeString(form.Get(tokenField))
	if err != nil || len(masked) != 32 {
		return staleForm
	}
	var proof [16]byte
	subtle.XORBytes(proof[:], masked[:16], masked[16:])
	if subtle.ConstantTimeCompare(proof[:], v.session.form[:]) != 1 {
		return staleForm
	}
	return nil
}
