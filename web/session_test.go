package web

import (
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"sitegrade/auth"
	"sitegrade/db"
	"sitegrade/httpx"
	"sitegrade/web/session"
)

func TestSignIn(t *testing.T) {
	s := newServer(t, Options{})
	v := s.visitor()
	to := v.must(http.StatusSeeOther, v.get("/projects?search=a&sort=asc")).Header.Get("Location")
	if to != "/login?next=%2Fprojects%3Fsearch%3Da%26sort%3Dasc" {
		t.Fatalf("sent to %q", to)
	}
	contains(t, v.page(to), `name="key"`, `name="next" value="/projects?search=a&amp;sort=asc"`)
	for _, wrong := range []string{"", "sg_", auth.NewSecret(), strings.ToUpper(s.key)} {
		refused := v.must(http.StatusForbidden, v.submit("/login", "key", wrong))
		if refused.Header.Get("Set-Cookie") != "" {
			t.Errorf("%q gets a cookie", wrong)
		}
	}
	answer := v.must(http.StatusSeeOther, v.submit("/login", "key", " "+s.key+" ", "next", "/projects?search=a&sort=asc"))
	if got := answer.Header.Get("Location"); got != "/projects?search=a&sort=asc" {
		t.Errorf("sent to %q", got)
	}
	cookie := answer.Header.Get("Set-Cookie")
	contains(t, cookie, "HttpOnly", "SameSite=Lax", "Path=/")
	lacks(t, cookie, s.key[3:], "Secure")
	v.page("/")

	v.must(http.StatusSeeOther, v.submit("/logout"))
	v.must(http.StatusSeeOther, v.get("/"))
	v.header.Set("Cookie", strings.Split(cookie, ";")[0])
	v.must(http.StatusSeeOther, v.get("/"))
}

func TestNextLeadsNowhereElse(t *testing.T) {
	for next, want := range map[string]string{
		"": "/", "/": "/", "/projects?a=b": "/projects?a=b", "projects": "/", "//evil.example": "/", "https://evil.example/": "/",
		"///evil.example": "/", "////evil.example": "/", "/\\/evil.example": "/", `\\evil.example`: "/", "/\r/evil.example": "/", "/\n/evil.example": "/",
		"http:evil.example": "/", "/projects//x": "/projects//x",
		`/\evil.example`: "/", "/\t/evil.example": "/", "javascript:alert(1)": "/", "/%zz": "/",
	} {
		if got := localPath(next); got != want {
			t.Errorf("%q leads to %q, not %q", next, got, want)
		}
	}
}

// TestSignInLeadsNowhereElse goes both ways that a visitor is sent on: after the sign-in, and with a session already.
func TestSignInLeadsNowhereElse(t *testing.T) {
	s := newServer(t, Options{})
	for _, next := range []string{"//evil.example/", "///evil.example/", `/\evil.example/`, "https://evil.example/"} {
		v := s.visitor()
		for _, answer := range []reply{v.submit("/login", "key", s.key, "next", next), v.get("/login?next=" + url.QueryEscape(next))} {
			if got := v.must(http.StatusSeeOther, answer).Header.Get("Location"); got != "/" {
				t.Errorf("%q leads to %q", next, got)
			}
		}
	}
}

func TestSessionEndsWithItsKey(t *testing.T) {
	now := time.Now()
	s := newServer(t, Options{Now: func() time.Time { return now }})
	secret, revoked := s.StoreKey(auth.Key{Account: "default", Scopes: auth.AllScopes})
	v := s.signedIn(secret)
	v.page("/")
	if _, err := s.Store.RevokeKey(t.Context(), revoked.ID); err != nil {
		t.Fatal(err)
	}
	v.must(http.StatusSeeOther, v.get("/"))

	secret, _ = s.StoreKey(auth.Key{Account: "default", Scopes: auth.AllScopes, ExpiresAt: now.Add(time.Hour)})
	v = s.signedIn(secret)
	now = now.Add(time.Hour)
	v.must(http.StatusSeeOther, v.get("/"))

	v = s.signedIn(s.key)
	now = now.Add(session.Life)
	v.must(http.StatusSeeOther, v.get("/"))
}

// TestSessionOutlivesTheProcess has a second server over the same data, with the secret of the first and with another. A session that was ended
// stays so.
func TestSessionOutlivesTheProcess(t *testing.T) {
	secret := []byte("a secret that is kept in the data")
	s := newServer(t, Options{Secret: secret})
	locked := s.create(db.NewReport{URL: s.site.URL + "/bread", Privacy: db.Password, Password: "x"})
	v := s.signedIn(s.key)
	v.must(http.StatusSeeOther, v.submit("/r/"+locked.Share, "password", "x"))
	form := tokenInput.FindStringSubmatch(v.page("/new"))[1]

	s.web = New(s.Store, s.Worker, Options{Secret: secret, Auditor: s.Auditor})
	s.HTTP.Config.Handler = s.web
	v.page("/projects")
	contains(t, v.page("/r/"+locked.Share), "What to fix")
	v.must(http.StatusSeeOther, v.submit("/reports/"+locked.ID.String()+"/regenerate", "token", form))

	other := s.visitor()
	cookie := other.must(http.StatusSeeOther, other.submit("/login", "key", s.key)).Header.Get("Set-Cookie")
	other.must(http.StatusSeeOther, other.submit("/logout"))
	s.HTTP.Config.Handler = New(s.Store, s.Worker, Options{Secret: secret})
	other.header.Set("Cookie", strings.Split(cookie, ";")[0])
	other.must(http.StatusSeeOther, other.get("/projects"))
	v.page("/projects")

	s.HTTP.Config.Handler = New(s.Store, s.Worker, Options{Secret: []byte("another secret")})
	v.must(http.StatusSeeOther, v.get("/projects"))
	contains(t, v.page("/r/"+locked.Share), `name="password"`)
}

// TestForgedSessions changes every byte of a cookie.
// TestFormOutlivesTheSession holds that what was typed into a long form is there again after the sign-in, with a password typed wrong in
// between, and when the form was made in another session.
func TestFormOutlivesTheSession(t *testing.T) {
	s := newServer(t, Options{})
	v := s.visitor()
	typed := []string{"url", "\n" + s.site.URL + "/bread\n" + s.site.URL + "/<rye>", "project", "R & D", "privacy", "1", "password", "s3cret"}
	asked := v.must(http.StatusForbidden, v.submit("/new", typed...))
	contains(t, asked.body, `name="key"`, `name="next" value="/new"`, "still here")
	lacks(t, asked.body, "s3cret", "<rye>")
	fields := []string{"next", "/new"}
	for _, field := range keptFields.FindAllStringSubmatch(asked.body, -1) {
		fields = append(fields, field[1], html.UnescapeString(field[2]))
	}
	wrong := v.must(http.StatusForbidden, v.submit("/login", append(fields, "key", "sg_wrong")...))
	contains(t, wrong.body, "kept-url", "kept-project")
	back := v.must(http.StatusOK, v.submit("/login", append(fields, "key", s.key)...))
	contains(t, back.body, "/bread\n"+s.site.URL+"/&lt;rye&gt;", `value="R &amp; D"`, `<option value="1" selected`)
	token := tokenInput.FindStringSubmatch(back.body)[1]
	v.must(http.StatusSeeOther, v.submit("/new", "token", token, "url", s.site.URL+"/bread"))

	v.must(http.StatusSeeOther, v.submit("/login", "key", s.key))
	stale := v.must(http.StatusForbidden, v.submit("/new", append(typed, "token", token)...))
	contains(t, stale.body, "/bread", "once more")
	if page, err := s.Store.Reports(t.Context(), "default", allReports); err != nil || page.Total != 1 {
		t.Errorf("%d reports were made, %v", page.Total, err)
	}
}

var keptFields = regexp.MustCompile(`(?s)<textarea name="(kept-[a-z]+)" hidden>\n(.*?)</textarea>`)

func TestSigningInNotesTheUseOfTheKey(t *testing.T) {
	s := newServer(t, Options{})
	secret, key := s.StoreKey(auth.Key{Account: "default", Scopes: auth.Read})
	s.signedIn(secret)
	used, err := s.Store.KeyByHash(t.Context(), key.Hash)
	if err != nil || used.LastUsed.IsZero() {
		t.Errorf("last used %v, %v", used.LastUsed, err)
	}
}

func TestCookiesBySecureOrigin(t *testing.T) {
	s := newServer(t, Options{Origins: httpx.Origins{BaseURL: "https://seo.example.com"}})
	v := s.visitor()
	answer := v.must(http.StatusSeeOther, v.submit("/login", "key", s.key))
	contains(t, answer.Header.Get("Set-Cookie"), "__Host-sitegrade=", "Secure", "Path=/")
	if got := answer.Header.Get("Strict-Transport-Security"); got != "max-age=31536000" {
		t.Errorf("Strict-Transport-Security is %q", got)
	}
}

func TestKeyWithoutReadCannotSignIn(t *testing.T) {
	s := newServer(t, Options{})
	v := s.visitor()
	v.must(http.StatusForbidden, v.submit("/login", "key", s.NewKey("default", auth.Write)))
}

func TestReaderSeesNothingThatItCannotUse(t *testing.T) {
	s := newServer(t, Options{})
	r := s.create(db.NewReport{URL: s.site.URL + "/bread"})
	report := "/reports/" + r.ID.String()
	project := "/projects/" + r.Project.ID.String()
	reader := s.signedIn(s.reader)
	for _, path := range []string{"/", "/projects", report} {
		lacks(t, reader.page(path), `name="token"`, "/new", "/delete", "/regenerate", "/privacy")
	}
	for _, path := range []string{"/new", report + "/delete", project + "/delete"} {
		reader.must(http.StatusForbidden, reader.get(path))
	}
	for _, path := range []string{"/new", report + "/delete", report + "/privacy", report + "/regenerate", project + "/delete"} {
		reader.must(http.StatusForbidden, reader.submit(path, "url", s.site.URL, "privacy", "1"))
	}
	if page, err := s.Store.Reports(t.Context(), "default", allReports); err != nil || page.Total != 1 || page.Rows[0].Privacy != db.Public || page.Rows[0].Revision != r.Revision {
		t.Errorf("something changed: %+v, %v", page, err)
	}
}

func TestFormsOfOthersAreRefused(t *testing.T) {
	s := newServer(t, Options{})
	v := s.signedIn(s.key)
	v.must(http.StatusForbidden, v.submit("/new", "url", s.site.URL))
	v.must(http.StatusForbidden, v.submit("/new", "url", s.site.URL, "token", "x"))
	otherToken := tokenInput.FindStringSubmatch(s.signedIn(s.key).page("/new"))[1]
	v.must(http.StatusForbidden, v.submit("/new", "url", s.site.URL, "token", otherToken))

	token := tokenInput.FindStringSubmatch(v.page("/new"))[1]
	for name, value := range map[string]string{"Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"} {
		v.header = http.Header{name: {value}}
		v.must(http.StatusForbidden, v.submit("/new", "url", s.site.URL, "token", token))
		v.must(http.StatusForbidden, v.submit("/login", "key", s.key))
		v.must(http.StatusForbidden, v.submit("/logout"))
	}
	v.header = http.Header{"Sec-Fetch-Site": {"same-origin"}, "Origin": {s.HTTP.URL}}
	v.must(http.StatusSeeOther, v.submit("/new", "url", s.site.URL, "token", token))
	if again := tokenInput.FindStringSubmatch(v.page("/new"))[1]; again == token {
		t.Error("the token looks the same twice")
	}
}
