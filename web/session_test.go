package web

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"sitegrade/auth"
	"sitegrade/db"
	"sitegrade/httpx"
)

func TestSignIn(t *testing.T) {
	s := newServer(t, Options{})
	v := s.visitor()
	to := v.must(http.StatusSeeOther, v.get("/projects?search=a&sort=asc")).header.Get("Location")
	if to != "/login?next=%2Fprojects%3Fsearch%3Da%26sort%3Dasc" {
		t.Fatalf("sent to %q", to)
	}
	contains(t, v.page(to), `name="key"`, `name="next" value="/projects?search=a&amp;sort=asc"`)
	for _, wrong := range []string{"", "sg_", auth.NewSecret(), strings.ToUpper(s.key)} {
		refused := v.must(http.StatusForbidden, v.submit("/login", "key", wrong))
		if refused.header.Get("Set-Cookie") != "" {
			t.Errorf("%q gets a cookie", wrong)
		}
	}
	answer := v.must(http.StatusSeeOther, v.submit("/login", "key", " "+s.key+" ", "next", "/projects?search=a&sort=asc"))
	if got := answer.header.Get("Location"); got != "/projects?search=a&sort=asc" {
		t.Errorf("sent to %q", got)
	}
	cookie := answer.header.Get("Set-Cookie")
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
		`/\evil.example`: "/", "/\t/evil.example": "/", "javascript:alert(1)": "/", "/%zz": "/",
	} {
		if got := localPath(next); got != want {
			t.Errorf("%q leads to %q, not %q", next, got, want)
		}
	}
}

func TestSessionEndsWithItsKey(t *testing.T) {
	now := time.Now()
	s := newServer(t, Options{Now: func() time.Time { return now }})
	secret, revoked := s.newKeyLike(auth.Key{Account: "default", Scopes: auth.AllScopes})
	v := s.signedIn(secret)
	v.page("/")
	if _, err := s.store.RevokeKey(t.Context(), revoked.ID); err != nil {
		t.Fatal(err)
	}
	v.must(http.StatusSeeOther, v.get("/"))

	secret, _ = s.newKeyLike(auth.Key{Account: "default", Scopes: auth.AllScopes, ExpiresAt: now.Add(time.Hour)})
	v = s.signedIn(secret)
	now = now.Add(time.Hour)
	v.must(http.StatusSeeOther, v.get("/"))

	v = s.signedIn(s.key)
	now = now.Add(sessionLife)
	v.must(http.StatusSeeOther, v.get("/"))
}

func TestSessionsAreBounded(t *testing.T) {
	s, now := newSessions(), time.Now()
	for range maxSessions + 100 {
		s.begin(auth.Hash{}, now)
	}
	if len(s.open) > maxSessions {
		t.Errorf("%d sessions are open", len(s.open))
	}
	later := now.Add(sessionLife)
	var cookies []string
	for range maxSessions / 2 {
		cookies = append(cookies, s.begin(auth.Hash{}, later))
	}
	for _, cookie := range cookies {
		if _, ok := s.find(cookie, later); !ok {
			t.Fatal("a session made room for others while there were expired ones")
		}
	}
}

func TestSigningInNotesTheUseOfTheKey(t *testing.T) {
	s := newServer(t, Options{})
	secret, key := s.newKeyLike(auth.Key{Account: "default", Scopes: auth.Read})
	s.signedIn(secret)
	used, err := s.store.KeyByHash(t.Context(), key.Hash)
	if err != nil || used.LastUsed.IsZero() {
		t.Errorf("last used %v, %v", used.LastUsed, err)
	}
}

func TestCookiesBySecureOrigin(t *testing.T) {
	s := newServer(t, Options{Origins: httpx.Origins{BaseURL: "https://seo.example.com"}})
	v := s.visitor()
	answer := v.must(http.StatusSeeOther, v.submit("/login", "key", s.key))
	contains(t, answer.header.Get("Set-Cookie"), "__Host-sitegrade=", "Secure", "Path=/")
	if got := answer.header.Get("Strict-Transport-Security"); got != "max-age=31536000" {
		t.Errorf("Strict-Transport-Security is %q", got)
	}
}

func TestKeyWithoutReadCannotSignIn(t *testing.T) {
	s := newServer(t, Options{})
	v := s.visitor()
	v.must(http.StatusForbidden, v.submit("/login", "key", s.newKey(auth.Write)))
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
	if page, err := s.store.Reports(t.Context(), "default", allReports); err != nil || page.Total != 1 || page.Rows[0].Privacy != db.Public || page.Rows[0].Revision != r.Revision {
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
	v.header = http.Header{"Sec-Fetch-Site": {"same-origin"}, "Origin": {s.http.URL}}
	v.must(http.StatusSeeOther, v.submit("/new", "url", s.site.URL, "token", token))
	if again := tokenInput.FindStringSubmatch(v.page("/new"))[1]; again == token {
		t.Error("the token looks the same twice")
	}
}
