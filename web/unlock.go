package web

import (
	"crypto/hmac"
	"encoding/base64"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"sitegrade/db"
	"sitegrade/web/session"
)

// unlockLife is how long a password that was given once opens a page in the same browser.
const unlockLife = 24 * time.Hour

// protected is a page that its owner may protect with a password.
type protected struct {
	kind    string // what it is: "report" or "site"
	path    string
	id      uuid.UUID
	privacy db.Privacy
	hash    string // of the password; "" without one
}

func protectedReport(r db.Report) protected {
	return protected{"report", db.SharePath + r.Share, r.ID, r.Privacy, r.PasswordHash}
}

func protectedSite(p db.Project) protected {
	return protected{"site", db.SitePath + p.Share, p.ID, p.Privacy, p.PasswordHash}
}

// unlocks signs the cookies that open pages with a password.
type unlocks struct{ secret session.Signer }

// proof binds an expiry, in Unix seconds, to a page and to its password of now: a changed password changes its hash, even into the same word.
func (u unlocks) proof(p protected, expires string) string {
	said := append(p.id[:], expires+"|"+p.hash...)
	return base64.RawURLEncoding.EncodeToString(u.secret.Sign("unlock "+p.kind, said))
}

// cookie returns what the cookie holds that opens a page from now on.
func (u unlocks) cookie(p protected, now time.Time) string {
	expires := strconv.FormatInt(now.Add(unlockLife).Unix(), 10)
	return expires + "." + u.proof(p, expires)
}

// opens reports whether a cookie opens a page.
func (u unlocks) opens(cookie string, p protected, now time.Time) bool {
	expires, proof, _ := strings.Cut(cookie, ".")
	end, err := strconv.ParseInt(expires, 10, 64)
	return err == nil && now.Unix() < end && hmac.Equal([]byte(proof), []byte(u.proof(p, expires)))
}

const unlockCookie = "sitegrade-unlock"

// isOpen reports whether the visitor may see a page that is not private.
func (w *Web) isOpen(v *visit, p protected) bool {
	if p.privacy == db.Public {
		return true
	}
	cookie, err := v.r.Cookie(unlockCookie)
	return err == nil && w.unlocks.opens(cookie.Value, p, w.Now())
}

// passwordPage is the data of the form that asks for a password. It has nothing of what is protected.
type passwordPage struct {
	frame
	Kind  string // that of protected
	Path  string
	Wrong bool
	Wait  int // seconds until another attempt; 0: now
}

// askForPassword sends the form.
func (w *Web) askForPassword(v *visit, status int, of protected, p passwordPage) {
	p.frame, p.Kind, p.Path = plainFrame(v.say("password.title-"+of.kind)), of.kind, v.asking(of.path)
	p.Description = v.say("password.description")
	p.Tongues = v.tongues("generation", "from", "to")
	w.sendPage(v, status, "password", p)
}

// unlockReport takes the password of a shared report.
func (w *Web) unlockReport(v *visit) error {
	owner, report, err := w.store.SharedReport(v.r.Context(), v.params.ByName("share"))
	if err != nil {
		return err
	}
	if _, err := w.speakFor(v, owner, report.Project.ID); err != nil {
		return err
	}
	return w.unlock(v, protectedReport(report))
}

// unlock takes the password of a page. Whoever has given it before is let in whatever they write now.
func (w *Web) unlock(v *visit, p protected) error {
	form, err := v.form()
	if err != nil {
		return err
	}
	if w.isOpen(v, p) {
		return v.see(v.asking(p.path))
	}
	attempt, wait, err := w.guesses.Start(v.r.Context(), v.Client, p.path)
	if err != nil {
		return err
	}
	if wait > 0 {
		v.Header().Set("Retry-After", strconv.Itoa(wait))
		w.askForPassword(v, http.StatusTooManyRequests, p, passwordPage{Wait: wait})
		return nil
	}
	right, err := w.guesses.Hash(v.r.Context(), p.hash, form.Get("password"))
	if err != nil {
		return err
	}
	if !right {
		if err := w.guesses.Wrong(v.r.Context(), attempt); err != nil {
			return err
		}
		w.askForPassword(v, http.StatusForbidden, p, passwordPage{Wrong: true})
		return nil
	}
	if err := w.guesses.Right(v.r.Context(), attempt); err != nil {
		return err
	}
	http.SetCookie(v, &http.Cookie{
		Name: unlockCookie, Value: w.unlocks.cookie(p, w.Now()), Path: p.path,
		HttpOnly: true, Secure: v.secure(), SameSite: http.SameSiteLaxMode,
	})
	return v.see(v.asking(p.path))
}
