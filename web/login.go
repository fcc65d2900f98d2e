package web

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/google/uuid"

	"sitegrade/auth"
)

// loginPage is the data of the sign-in.
type loginPage struct {
	frame
	Next  string
	Wrong bool
	Kept  []keptField // of a form that was sent without a session
}

// keptField is a field of a form that waits for its visitor to sign in.
type keptField struct{ Name, Value string }

// keptPrefix begins the names of these fields in the form of the sign-in.
const keptPrefix = "kept-"

// keptNames are the fields of the form for new reports that are kept. A password is typed again.
var keptNames = []string{"url", "sitemap", "project", "privacy"}

// kept returns those fields of a form, whose names begin with prefix; not one when nothing was filled in.
func kept(form url.Values, prefix string) []keptField {
	var fields []keptField
	for _, name := range keptNames {
		if value := form.Get(prefix + name); value != "" {
			fields = append(fields, keptField{keptPrefix + name, value})
		}
	}
	return fields
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
	p.frame = plainFrame(v.say("login.title"))
	p.Description = v.say("login.description")
	p.Tongues = v.tongues("next")
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
		w.sendLogin(v, http.StatusForbidden, loginPage{Next: next, Wrong: true, Kept: kept(form, keptPrefix)})
		return nil
	}
	if err := w.endSession(v); err != nil {
		return err
	}
	opened, cookie := w.sessions.Begin(key.Hash, w.Now())
	v.setSession(cookie)
	if fields := kept(form, keptPrefix); fields != nil {
		v.key, v.Key, v.session = key, key.ID, opened
		return w.resume(v, fields)
	}
	return v.see(next)
}

// resume sends the form for new reports with what was in it before the sign-in, to be looked at and sent again.
func (w *Web) resume(v *visit, fields []keptField) error {
	if !v.mayChange() {
		return insufficientScope
	}
	v.posted = url.Values{}
	for _, field := range fields {
		v.posted.Set(strings.TrimPrefix(field.Name, keptPrefix), field.Value)
	}
	return w.sendFormAgain(v, http.StatusOK, newPage{})
}

func (w *Web) signOut(v *visit) error {
	if err := w.endSession(v); err != nil {
		return err
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

// askToSignIn sends to the sign-in, from which a page that was asked for is found again. A form for new reports is kept meanwhile.
func (w *Web) askToSignIn(v *visit) {
	next := "/"
	switch {
	case v.r.Method != post:
		next = v.r.URL.RequestURI()
	case v.Route == newRoute:
		if form, err := v.form(); err == nil {
			w.sendLogin(v, http.StatusForbidden, loginPage{Next: newRoute, Kept: kept(form, "")})
			return
		}
	}
	path := "/login"
	if next != "/" {
		path += "?next=" + url.QueryEscape(next)
	}
	_ = v.see(path)
}
