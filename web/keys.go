package web

import (
	"crypto/rand"
	"errors"
	"net/http"
	"net/url"
	"strings"

	"sitegrade/auth"
	"sitegrade/db"
	"sitegrade/locale"
	"sitegrade/sortfilter"
	"sitegrade/web/view"
)

// keysPage is the data of the list of API keys with the form for a new one.
type keysPage struct {
	frame
	May      bool // the visitor's key has the scope admin
	Query    sortfilter.Query
	Rows     []view.KeyRow
	Pages    view.Pager
	Notice   string
	Wrong    []string
	Name     string // as it was filled in
	Expires  string
	Scopes   []keyScope
	Latest   string // the date on which the visitor's own key ends; "" when it does not
	Once     string // what makes a form that is sent twice make one key
	Made     string // the name of a key that was made just now; "" otherwise
	Secret   string // its secret, which is shown once
	MadeOnce bool   // a key was made, but its secret was shown before
}

// keyScope is a scope that the visitor may give to a new key.
type keyScope struct {
	Name, Text string
	Chosen     bool
}

func (w *Web) listKeys(v *visit) error {
	return w.sendKeys(v, http.StatusOK, keysPage{Notice: v.notice()})
}

// sendKeys sends the list of keys, completed. Who may not make keys is told why not, and sees no list.
func (w *Web) sendKeys(v *visit, status int, p keysPage) error {
	p.frame, p.May = v.frame(v.say("settings.keys"), "settings"), v.key.Scopes.Has(auth.Admin)
	if !p.May {
		w.sendPage(v, status, "keys", p)
		return nil
	}
	q, err := sortfilter.Parse(v.r.URL.RawQuery, sortfilter.KeyParameters)
	if err != nil {
		return err
	}
	page, err := w.store.ListKeys(v.r.Context(), v.key.Account, q)
	if err != nil {
		return err
	}
	for _, k := range page.Rows {
		p.Rows = append(p.Rows, view.NewKeyRow(v.words, k, v.key.ID, w.Now()))
	}
	p.Query, p.Pages = q, view.NewPager("/keys", "key", q, page.Total, v.r.URL.RawQuery)
	for _, name := range v.key.Scopes.Names() {
		p.Scopes = append(p.Scopes, keyScope{name, v.say("scopes." + name), v.posted.Get(name) != "" || p.Wrong == nil && name == "read"})
	}
	if !v.key.ExpiresAt.IsZero() {
		p.Latest = v.key.ExpiresAt.UTC().Format("2006-01-02")
	}
	p.Once = rand.Text()
	w.sendPage(v, status, "keys", p)
	return nil
}

// createKey makes a key and shows its secret, this once.
func (w *Web) createKey(v *visit) error {
	n, err := w.postedKey(v)
	if err != nil {
		return w.sendKeys(v, http.StatusUnprocessableEntity, keysPage{
			Wrong: keyTrouble(v.words, err), Name: v.posted.Get("name"), Expires: v.posted.Get("expires"),
		})
	}
	secret := auth.NewSecret()
	n.Hash = auth.HashSecret(secret)
	made, again, err := w.store.IssueKey(v.r.Context(), v.key.Account, n)
	if err != nil {
		return err
	}
	shown := keysPage{Made: view.NewKeyRow(v.words, made, v.key.ID, w.Now()).Name, Secret: secret, MadeOnce: again}
	if again {
		shown.Secret = ""
	}
	return w.sendKeys(v, http.StatusOK, shown)
}

// postedKey returns the key that the form asks for, if the visitor may make it.
func (w *Web) postedKey(v *visit) (db.NewKey, error) {
	n := db.NewKey{Name: strings.TrimSpace(v.posted.Get("name")), Scopes: postedScopes(v.posted)}
	if once := v.posted.Get("once"); once != "" {
		n.IdempotencyKey = "form-" + once
	}
	var err error
	if n.ExpiresAt, err = auth.ParseExpiry(strings.TrimSpace(v.posted.Get("expires")), w.Now()); err != nil {
		return n, err
	}
	if _, err := n.Validate(v.key.Account, w.Now()); err != nil {
		return n, err
	}
	return n, v.key.Grant(n.Scopes, n.ExpiresAt)
}

// postedScopes returns the scopes whose fields are filled in.
func postedScopes(form url.Values) auth.Scope {
	var all auth.Scope
	for _, name := range auth.AllScopes.Names() {
		if scope, err := auth.ParseScopes(name); err == nil && form.Get(name) != "" {
			all |= scope
		}
	}
	return all
}

// keyTrouble says why a key was not made.
func keyTrouble(words *locale.Catalogue, err error) []string {
	if lines := view.FaultLines(words, err); lines != nil {
		return lines
	}
	return []string{view.Fault(words, err.Error())}
}

// lastAdminKey is what happens to whoever would leave an account without a key that can make others.
var lastAdminKey = &failure{status: http.StatusConflict, id: "last-key"}

// keyByPath returns the key of the account that the path names.
func (w *Web) keyByPath(v *visit) (auth.Key, error) {
	id, err := v.pathID()
	if err != nil {
		return auth.Key{}, err
	}
	all, err := w.store.Keys(v.r.Context(), v.key.Account)
	if err != nil {
		return auth.Key{}, err
	}
	for _, k := range all {
		if k.ID == id {
			return k, nil
		}
	}
	return auth.Key{}, db.ErrNotFound
}

func (w *Web) confirmKeyRevoke(v *visit) error {
	k, err := w.keyByPath(v)
	if err != nil {
		return err
	}
	name := view.NewKeyRow(v.words, k, v.key.ID, w.Now()).Name
	detail := v.say("keys.revoke-detail", name)
	if k.ID == v.key.ID {
		detail = v.say("keys.revoke-own", name)
	}
	w.sendPage(v, http.StatusOK, "delete", deletePage{
		frame: v.frame(v.say("keys.revoke-title"), "settings"), What: v.say("keys.revoke-question"), Detail: detail, Back: "/keys", Do: v.say("keys.revoke-it"),
	})
	return nil
}

func (w *Web) revokeKey(v *visit) error {
	id, err := v.pathID()
	if err != nil {
		return err
	}
	if _, err := w.store.RevokeKeyOf(v.r.Context(), v.key.Account, id); err != nil {
		if errors.Is(err, db.ErrLastAdmin) {
			return lastAdminKey
		}
		return err
	}
	return v.see("/keys?done=key")
}
