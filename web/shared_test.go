package web

import (
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"sitegrade/audit"
	"sitegrade/db"
	"sitegrade/fetch"
	"sitegrade/web/session"
	"sitegrade/weburl"
)

func TestSharedPublicReport(t *testing.T) {
	s := newServer(t, Options{})
	r := s.create(db.NewReport{URL: s.site.URL + "/bread"})
	answer := s.visitor().must(http.StatusOK, s.visitor().get("/r/"+r.Share))
	contains(t, answer.body, "<html lang=\"en\">", s.site.URL+"/bread", strconv.Itoa(r.Score), "What to fix", "The document came uncompressed",
		`<link rel="canonical" href="`+s.HTTP.URL+"/r/"+r.Share+`">`, `property="og:title"`, `name="robots" content="noindex"`, `rel="nofollow noopener noreferrer"`)
	lacks(t, answer.body, "Across the project", r.ID.String(), "Sign out", `name="token"`)
	for name, want := range map[string]string{"X-Robots-Tag": "noindex", "Cache-Control": "private, no-cache", "X-Content-Type-Options": "nosniff"} {
		if got := answer.Header.Get(name); got != want {
			t.Errorf("%s is %q, not %q", name, got, want)
		}
	}
}

func TestSharedReportsMayBeListedByConfiguration(t *testing.T) {
	s := newServer(t, Options{IndexShared: true})
	public := s.create(db.NewReport{URL: s.site.URL + "/bread"})
	answer := s.visitor().get("/r/" + public.Share)
	lacks(t, answer.body, "noindex")
	if got := answer.Header.Get("X-Robots-Tag"); got != "" {
		t.Errorf("X-Robots-Tag is %q", got)
	}
	locked := s.create(db.NewReport{URL: s.site.URL + "/rye", Privacy: db.Password, Password: "x"})
	v := s.visitor()
	contains(t, v.page("/r/"+locked.Share), "noindex")
	v.must(http.StatusSeeOther, v.submit("/r/"+locked.Share, "password", "x"))
	contains(t, v.page("/r/"+locked.Share), "noindex", "What to fix")
}

func TestPrivateReportAnswersAsAnUnknownOne(t *testing.T) {
	s := newServer(t, Options{Origins: behindProxy})
	r := s.create(db.NewReport{URL: s.site.URL + "/bread"})
	private := db.Private
	if _, _, err := s.Store.UpdateReport(t.Context(), "default", r.ID, db.Change{Privacy: &private}, nil); err != nil {
		t.Fatal(err)
	}
	for who, v := range map[string]*visitor{"a guest": s.visitor(), "its owner": s.signedIn(s.key)} {
		v.header.Set("X-Request-Id", "the-same") // so that responses can be compared
		unknown := v.get("/r/aaaaaaaaaaaaaaaaaaaaaaaaaa")
		for _, path := range []string{"/r/" + r.Share, "/r/" + strings.ToUpper(r.Share), "/r/x", "/r/" + strings.Repeat("a", 500), "/nothing"} {
			got := v.get(path)
			if got.Status != http.StatusNotFound || got.body != unknown.body || headerText(got) != headerText(unknown) {
				t.Errorf("%s of %s: status %d, %s", path, who, got.Status, headerText(got))
			}
			if posted := v.submit(path, "password", "x"); path != "/nothing" && (posted.Status != http.StatusNotFound || posted.body != unknown.body) {
				t.Errorf("POST %s of %s: status %d", path, who, posted.Status)
			}
		}
	}
}

// headerText returns what an answer says beside its body, without the time.
func headerText(r reply) string {
	h := r.Header.Clone()
	h.Del("Date")
	var b strings.Builder
	_ = h.Write(&b)
	return b.String()
}

func TestPassword(t *testing.T) {
	s := newServer(t, Options{})
	r := s.create(db.NewReport{URL: s.site.URL + "/bread", Privacy: db.Password, Password: "rye & oats"})
	path := "/r/" + r.Share
	v := s.visitor()
	form := v.page(path)
	contains(t, form, `name="password"`)
	lacks(t, form, "127.0.0.1", "/bread", strconv.Itoa(r.Score)+" of 100")

	wrong := v.must(http.StatusForbidden, v.submit(path, "password", "wheat"))
	contains(t, wrong.body, `name="password"`, "not the password")
	v.must(http.StatusForbidden, v.submit(path))
	v.must(http.StatusForbidden, v.submit(path, "password", strings.Repeat("x", 10_000)))
	contains(t, v.page(path), `name="password"`)

	opened := v.must(http.StatusSeeOther, v.submit(path, "password", "rye & oats"))
	cookie := opened.Header.Get("Set-Cookie")
	contains(t, cookie, "HttpOnly", "SameSite=Lax", "Path="+path)
	contains(t, v.page(path), "What to fix")

	t.Run("opens no other report", func(t *testing.T) {
		other := s.create(db.NewReport{URL: s.site.URL + "/rye", Privacy: db.Password, Password: "rye & oats"})
		thief := s.visitor()
		thief.header.Set("Cookie", strings.Split(cookie, ";")[0])
		contains(t, thief.page(path), "What to fix")
		contains(t, thief.page("/r/"+other.Share), `name="password"`)
	})
	t.Run("ends with the password", func(t *testing.T) {
		same := "rye & oats"
		if _, _, err := s.Store.UpdateReport(t.Context(), "default", r.ID, db.Change{Password: &same}, nil); err != nil {
			t.Fatal(err)
		}
		contains(t, v.page(path), `name="password"`)
	})
	t.Run("is not asked for when the report becomes public", func(t *testing.T) {
		public := db.Public
		if _, _, err := s.Store.UpdateReport(t.Context(), "default", r.ID, db.Change{Privacy: &public}, nil); err != nil {
			t.Fatal(err)
		}
		contains(t, s.visitor().page(path), "What to fix")
	})
}

func TestUnlockExpires(t *testing.T) {
	now := time.Now()
	u, r := unlocks{session.NewSigner(nil)}, protected{kind: "report", id: uuid.New(), hash: "hash"}
	cookie := u.cookie(r, now)
	for moment, want := range map[time.Duration]bool{0: true, unlockLife - time.Second: true, unlockLife + time.Second: false} {
		if got := u.opens(cookie, r, now.Add(moment)); got != want {
			t.Errorf("after %v: %v", moment, got)
		}
	}
	for _, forged := range []string{"", ".", "99999999999.", "99999999999" + cookie[strings.IndexByte(cookie, '.'):], "x" + cookie, cookie + "x"} {
		if u.opens(forged, r, now) {
			t.Errorf("%q opens the report", forged)
		}
	}
	if (unlocks{session.NewSigner(nil)}).opens(cookie, r, now) {
		t.Error("the cookie of another server opens the report")
	}
	if u.opens(cookie, protected{kind: r.kind, id: uuid.New(), hash: r.hash}, now) {
		t.Error("the cookie opens another report with the same password hash, as an import may make one")
	}
	if u.opens(cookie, protected{kind: r.kind, id: r.id, hash: "another"}, now) {
		t.Error("the cookie opens the report after its password was changed")
	}
	if u.opens(cookie, protected{kind: "site", id: r.id, hash: r.hash}, now) {
		t.Error("the cookie opens the site of a project with the id of the report")
	}
}

func TestOurOwnAuditIsContent(t *testing.T) {
	s := newServer(t, Options{IndexShared: true})
	r := s.create(db.NewReport{URL: s.site.URL + "/bread"})
	auditor := audit.New(fetch.New(fetch.Options{AllowNetworks: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}}), audit.Options{})
	defer auditor.Close()
	for _, path := range []string{"/r/" + r.Share, "/docs"} {
		found, err := auditor.Audit(t.Context(), weburl.Resolve(nil, s.HTTP.URL+path))
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range found.Categories {
			if (c.ID == "seo" || c.ID == "html" || c.ID == "security") && *c.Score != 100 {
				t.Errorf("%s: %s has %d", path, c.ID, *c.Score)
			}
		}
		for _, o := range found.Checks {
			if o.Status == audit.Failed || o.Status == audit.Warning {
				t.Logf("%s: %s: %s", path, o.ID, o.Detail)
			}
		}
	}
}
