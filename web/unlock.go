package web

import (
	"crypto/hmac"
	"encoding/base64"
	"net/http"
	"strconv"
	"strings"
	"time"

	"sitegrade/db"
	"sitegrade/web/session"
)

// unlockLife is how long a password that was given once opens a report in the same browser.
const unlockLife = 24 * time.Hour

// unlocks signs the cookies that open reports with a password.
type unlocks struct{ secret session.Signer }

// proof binds an expiry, in Unix seconds, to a report and to its password of now: a changed password changes its hash, even into
// the same word.
func (u unlocks) proof(r db.Report, expires string) string {
	said := append(r.ID[:], expires+"|"+r.PasswordHash...)
	return base64.RawURLEncoding.EncodeToString(u.secret.Sign("unlock", said))
}

// cookie returns what the cookie holds that opens a report from now on.
func (u unlocks) cookie(r db.Report, now time.Time) string {
	expires := strconv.FormatInt(now.Add(unlockLife).Unix(), 10)
	return expires + "." + u.proof(r, expires)
}

// opens reports whether a cookie opens a report.
func (u unlocks) opens(cookie string, r db.Report, now time.Time) bool {
	expires, proof, _ := strings.Cut(cookie, ".")
	end, err := strconv.ParseInt(expires, 10, 64)
	return err == nil && now.Unix() < end && hmac.Equal([]byte(proof), []byte(u.proof(r, expires)))
}

const unlockCookie = "sitegrade-unlock"

// isOpen reports whether the visitor may see a report that is not private.
func (w *Web) isOpen(v *visit, r db.Report) bool {
	if r.Privacy == db.Public {
		return true
	}
	cookie, err := v.r.Cookie(unlockCookie)
	return err == nil && w.unlocks.opens(cookie.Value, r, w.Now())
}

// passwordPage is the data of the form that asks for a password. It has nothing of the report.
type passwordPage struct {
	frame
	Wrong bool
	Wait  int // seconds until another attempt; 0: now
}

// askForPassword sends the form.
func (w *Web) askForPassword(v *visit, status int, p passwordPage) {
	p.frame = plainFrame("Protected report")
	p.Description = "A report on a website that its owner has protected with a password. Whoever shared it with you can tell you the password."
	w.sendPage(v, status, "password", p)
}

// unlockShared takes the password of a shared report. Whoever has given it before is let in whatever they write now.
func (w *Web) unlockShared(v *visit) error {
	share := v.params.ByName("share")
	_, report, err := w.store.SharedReport(v.r.Context(), share)
	if err != nil {
		return err
	}
	form, err := v.form()
	if err != nil {
		return err
	}
	if w.isOpen(v, report) {
		return v.see(db.SharePath + share)
	}
	attempt, wait := w.guesses.start(v.Client, share, w.Now())
	if wait > 0 {
		v.Header().Set("Retry-After", strconv.Itoa(wait))
		w.askForPassword(v, http.StatusTooManyRequests, passwordPage{Wait: wait})
		return nil
	}
	right, err := w.guesses.hash(v.r.Context(), report, form.Get("password"))
	if err != nil {
		return err
	}
	if !right {
		w.guesses.wrong(attempt, w.Now())
		w.askForPassword(v, http.StatusForbidden, passwordPage{Wrong: true})
		return nil
	}
	w.guesses.right(attempt, w.Now())
	http.SetCookie(v, &http.Cookie{
		Name: unlockCookie, Value: w.unlocks.cookie(report, w.Now()), Path: db.SharePath + share,
		HttpOnly: true, Secure: v.secure(), SameSite: http.SameSiteLaxMode,
	})
	return v.see(db.SharePath + share)
}
