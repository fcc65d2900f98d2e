package web

import (
	"errors"
	"net/http"
	"time"

	"github.com/google/uuid"

	"sitegrade/auth"
	"sitegrade/db"
	"sitegrade/web/session"
)

// sessionCookie is the name of the cookie. By https it has the prefix with which browsers let no other host of the domain set it.
func (v *visit) sessionCookie() string {
	if v.secure() {
		return "__Host-sitegrade"
	}
	return "sitegrade"
}

// setSession sets the session's cookie; "" removes it.
func (v *visit) setSession(cookie string) {
	life := int(session.Life.Seconds())
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
	found, ok := w.sessions.Find(cookie.Value, now)
	if !ok {
		return nil
	}
	key, err := w.usableKey(v, found.Key, now)
	if err != nil {
		return err
	}
	if key.ID == uuid.Nil {
		return nil
	}
	if holds, err := w.store.SessionHolds(v.r.Context(), key.Account, found.Stored()); err != nil || !holds {
		return err
	}
	account, err := w.store.Account(v.r.Context(), key.Account)
	if err != nil {
		return err
	}
	v.key, v.Key, v.session = key, key.ID, found
	v.speak(account.Lang)
	return nil
}

// endSession ends that of a visitor who is signed in. It counts as a call: each is a write.
func (w *Web) endSession(v *visit) error {
	if !v.signedIn() {
		return nil
	}
	if err := tooMany(w.Limits.Call(v.key.ID, w.Now()).Wait); err != nil {
		return err
	}
	return w.store.EndSession(v.r.Context(), v.key.Account, v.session.Stored())
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
