package web

import (
	"fmt"
	"net/http"
	"net/url"
	"runtime"
	"strings"
	"testing"
	"time"

	"sitegrade/db"
	"sitegrade/sortfilter"
)

// form makes a form of the account "default", and returns the path of its page.
func (s *server) form(n db.NewForm) (db.Form, string) {
	s.Helper()
	f, _, err := s.Store.CreateForm(s.Context(), "default", n)
	if err != nil {
		s.Fatal(err)
	}
	return f, db.EmbedPath + f.Share
}

func (s *server) setUp(c db.AccountChange) db.Account {
	s.Helper()
	a, err := s.Store.UpdateAccount(s.Context(), "default", c, nil)
	if err != nil {
		s.Fatal(err)
	}
	return a
}

func TestEmbeddedForm(t *testing.T) {
	s := newServer(t, Options{})
	f, path := s.form(db.NewForm{Name: "On our site", Project: "Leads"})
	owner := s.signedIn(s.key)
	for who, v := range map[string]*visitor{"a guest": s.visitor(), "the owner": owner} {
		shown := v.must(http.StatusOK, v.get(path))
		h := shown.Header
		if h.Get("X-Frame-Options") != "" || !strings.Contains(h.Get("Content-Security-Policy"), "frame-ancestors *") || len(h.Values("Set-Cookie")) > 0 {
			t.Errorf("%s gets %s", who, headerText(shown))
		}
		contains(t, shown.body, `name="url"`, `name="email"`, `name="name"`, `name="message"`, `action="`+path+`"`)
		lacks(t, shown.body, "<script", "On our site", "Sign out", "Leads")
	}
	for _, path := range []string{"/login", "/docs", "/r/x", "/embed/x"} {
		if h := s.visitor().get(path).Header; h.Get("X-Frame-Options") != "DENY" || !strings.Contains(h.Get("Content-Security-Policy"), "frame-ancestors 'none'") {
			t.Errorf("%s may be framed", path)
		}
	}
	v := s.visitor()
	v.header = http.Header{"Origin": {"https://customer.example"}, "Sec-Fetch-Site": {"cross-site"}}
	wrong := v.must(http.StatusUnprocessableEntity, v.submit(path, "url", "ftp://x", "email", "ada", "message", `"><script>alert(1)</script>`))
	contains(t, wrong.body, `id="url-wrong"`, `aria-describedby="url-wrong"`, `id="email-wrong"`, `value="ada"`, "&lt;script&gt;")
	lacks(t, wrong.body, "<script", `id="name-wrong"`)
	thanks := v.must(http.StatusOK, v.submit(path, "url", s.site.URL+"/bread", "email", "ada@example.com", "name", "Ada Lovelace", "message", "Call me"))
	if len(thanks.Header.Values("Set-Cookie")) > 0 || !strings.Contains(thanks.Header.Get("Content-Security-Policy"), "frame-ancestors *") {
		t.Errorf("the thanks come with %s", headerText(thanks))
	}
	page, err := s.Store.Reports(t.Context(), "default", sortfilter.Query{SortBy: sortfilter.ByID, PerPage: 10, Page: 1})
	if err != nil || page.Total != 1 || page.Rows[0].Project.Name != "Leads" {
		t.Fatalf("the reports are %+v, %v", page, err)
	}
	r := s.finished(page.Rows[0].ID)
	contains(t, thanks.body, `href="/r/`+r.Share+`"`, `target="_blank"`)
	for _, text := range []string{v.page("/r/" + r.Share), v.page(path)} {
		lacks(t, text, "ada@example.com", "Lovelace", "Call me")
	}
	s.setUp(db.AccountChange{Privacy: new(db.Private)})
	lacks(t, v.submit(path, "url", s.site.URL+"/rye", "email", "ada@example.com").body, "/r/")
	if _, err := s.Store.UpdateForm(t.Context(), "default", f.ID, db.FormChange{Enabled: new(false)}, nil); err != nil {
		t.Fatal(err)
	}
	v.must(http.StatusNotFound, v.get(path))
	v.must(http.StatusNotFound, v.submit(path, "url", s.site.URL, "email", "ada@example.com"))
	s.HTTP.Close() // then the log is complete
	lacks(t, s.Logged.String(), "ada@", "Lovelace", "Call me")
}

// TestTenThousandPosts has one address post without end: it gets no more than 20 reports a minute, and no memory.
func TestTenThousandPosts(t *testing.T) {
	now := time.Now()
	s := newServer(t, Options{Now: func() time.Time { return now }})
	s.StopWorker()
	_, path := s.form(db.NewForm{Name: "f", Project: "Leads"})
	before := heap()
	statuses := map[int]int{}
	v := s.visitor()
	for i := range 10_000 {
		r := v.submit(path, "url", fmt.Sprintf("https://example.com/%d", i), "email", "ada@example.com", "message", strings.Repeat("x", 1000))
		if statuses[r.Status]++; r.Status == http.StatusTooManyRequests && r.Header.Get("Retry-After") != "60" {
			t.Fatalf("after %d posts Retry-After is %q", i, r.Header.Get("Retry-After"))
		}
	}
	if statuses[http.StatusOK] != formPosts || statuses[http.StatusTooManyRequests] != 10_000-formPosts {
		t.Errorf("the statuses are %v", statuses)
	}
	now = now.Add(formPeriod)
	v.must(http.StatusOK, v.submit(path, "url", "https://example.com/", "email", "ada@example.com"))
	s.HTTP.Close()
	s.Logged.Reset()
	if grown := heap() - before; grown > 8<<20 {
		t.Errorf("the heap has grown by %d bytes", grown)
	}
	if page, err := s.Store.Reports(t.Context(), "default", sortfilter.Query{SortBy: sortfilter.ByID, PerPage: 10, Page: 1}); err != nil || page.Total != formPosts+1 {
		t.Errorf("%d reports, %v", page.Total, err)
	}
}

// heap returns how many bytes live after a collection.
func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

func TestBadge(t *testing.T) {
	s := newServer(t, Options{Origins: behindProxy})
	r := s.create(db.NewReport{URL: s.site.URL + "/bread"})
	path := "/r/" + r.Share + "/badge.svg"
	v := s.visitor()
	shown := v.must(http.StatusOK, v.get(path))
	contains(t, shown.body, "<svg", fmt.Sprintf("Sitegrade: %s · %d", r.Result, r.Score))
	for name, want := range map[string]string{"Content-Type": "image/svg+xml", "Cross-Origin-Resource-Policy": "cross-origin", "Cache-Control": "public, max-age=300"} {
		if got := shown.Header.Get(name); got != want {
			t.Errorf("%s is %q", name, got)
		}
	}
	v.header.Set("If-None-Match", shown.Header.Get("ETag"))
	v.must(http.StatusNotModified, v.get(path))
	s.setUp(db.AccountChange{Brand: db.BrandChange{Name: new(`A & <B> "C"`)}})
	contains(t, v.must(http.StatusOK, v.get(path)).body, `A &amp; &lt;B&gt; &#34;C&#34;`)
	v.header = http.Header{"X-Request-Id": {"the-same"}}
	unknown := v.must(http.StatusNotFound, v.get("/r/aaaaaaaaaaaaaaaaaaaaaaaaaa/badge.svg"))
	locked := s.create(db.NewReport{URL: s.site.URL + "/rye", Privacy: db.Password, Password: "x"})
	private := s.create(db.NewReport{URL: s.site.URL + "/oat"})
	if _, _, err := s.Store.UpdateReport(t.Context(), "default", private.ID, db.Change{Privacy: new(db.Private)}, nil); err != nil {
		t.Fatal(err)
	}
	opened := s.visitor()
	opened.must(http.StatusSeeOther, opened.submit("/r/"+locked.Share, "password", "x"))
	owner := s.signedIn(s.key)
	for who, v := range map[string]*visitor{"a guest": v, "who has the password": opened, "the owner": owner} {
		v.header = http.Header{"X-Request-Id": {"the-same"}}
		for _, share := range []string{locked.Share, private.Share} {
			for _, method := range []string{http.MethodGet, http.MethodHead} {
				got, none := v.do(method, "/r/"+share+"/badge.svg", ""), v.do(method, "/r/aaaaaaaaaaaaaaaaaaaaaaaaaa/badge.svg", "")
				if got.Status != http.StatusNotFound || got.body != none.body || headerText(got) != headerText(none) || method == http.MethodGet && got.body != unknown.body {
					t.Errorf("%s %s of %s: status %d, %s", method, share, who, got.Status, headerText(got))
				}
			}
		}
	}
}

func TestBrandOnSharedPages(t *testing.T) {
	s := newServer(t, Options{})
	r := s.create(db.NewReport{URL: s.site.URL + "/bread"})
	v := s.visitor()
	lacks(t, v.page("/r/"+r.Share), "/brand/", "branded")
	picture := append([]byte("\x89PNG\r\n\x1a\n"), "<script>alert(1)</script>"...)
	a := s.setUp(db.AccountChange{
		Brand: db.BrandChange{Name: new("<b>Agency</b>"), Footer: new("Street 1\n<script>x</script>"), Color: new("#0A5"), URL: new("https://agency.example/?a=1&b=2")},
		Logo:  &db.Logo{MediaType: "image/png", Data: picture},
	})
	page := v.must(http.StatusOK, v.get("/r/"+r.Share))
	contains(t, page.body, "&lt;b&gt;Agency&lt;/b&gt;</title>", `<link rel="stylesheet" href="/brand/00aa55.css">`, `src="/logo/`+a.LogoShare+`"`,
		`href="https://agency.example/?a=1&amp;b=2"`, "Street 1\n&lt;script&gt;")
	lacks(t, page.body, "<b>Agency", "<script>x", "Sitegrade audits", "style=")
	if got := page.Header.Get("Content-Security-Policy"); got != policy {
		t.Errorf("the policy is %s", got)
	}
	logo := v.must(http.StatusOK, v.get("/logo/"+a.LogoShare))
	if logo.body != string(picture) || logo.Header.Get("Content-Type") != "image/png" || logo.Header.Get("X-Content-Type-Options") != "nosniff" ||
		!strings.Contains(logo.Header.Get("Content-Security-Policy"), "sandbox") || !strings.Contains(logo.Header.Get("Cache-Control"), "immutable") {
		t.Errorf("the logo comes with %s", headerText(logo))
	}
	sheet := v.must(http.StatusOK, v.get("/brand/00aa55.css"))
	contains(t, sheet.body, "--brand:#00aa55")
	for _, path := range []string{"/brand/0a5.css", "/brand/00AA55.css", "/brand/00aa55", "/brand/" + url.PathEscape("00aa55;}.css"), "/logo/x"} {
		v.must(http.StatusNotFound, v.get(path))
	}
	_, form := s.form(db.NewForm{Name: "f", Project: "Leads"})
	contains(t, v.page(form), "&lt;b&gt;Agency&lt;/b&gt;", "/brand/00aa55.css")
	owner := s.signedIn(s.key)
	lacks(t, owner.page("/reports/"+r.ID.String()), "branded", "/brand/")
	file := owner.must(http.StatusOK, owner.get("/reports/"+r.ID.String()+"/export/report.html"))
	contains(t, file.body, "&lt;b&gt;Agency&lt;/b&gt;", "--brand:#00aa55", `src="data:image/png;base64,`, "; img-src data:")
	lacks(t, file.body, "/logo/", "<script>x")
}

func TestReportAsFile(t *testing.T) {
	s := newServer(t, Options{})
	r := s.create(db.NewReport{URL: s.site.URL + "/bread"})
	owner, guest := s.signedIn(s.key), s.visitor()
	for base, v := range map[string]*visitor{"/reports/" + r.ID.String(): owner, "/r/" + r.Share: guest} {
		page := v.page(base)
		for name, want := range map[string]string{"report.html": "<!doctype html>", "checks.csv": "id,category,severity,status", "checks.json": `{"id":"`} {
			contains(t, page, `href="`+base+`/export/`+name+`"`)
			file := v.must(http.StatusOK, v.get(base+"/export/"+name))
			contains(t, file.body, want)
			if got := file.Header.Get("Content-Disposition"); got != `attachment; filename="`+name+`"` {
				t.Errorf("%s comes as %s", name, got)
			}
			if strings.HasPrefix(base, "/r/") {
				lacks(t, file.body, `"category":"project"`, ",project,")
			}
		}
		contains(t, page, "data-print hidden", "<noscript><p")
		v.must(http.StatusNotFound, v.get(base+"/export/report.exe"))
	}
	guest.must(http.StatusSeeOther, guest.get("/reports/"+r.ID.String()+"/export/checks.csv"))
	locked := s.create(db.NewReport{URL: s.site.URL + "/rye", Privacy: db.Password, Password: "x"})
	file := "/r/" + locked.Share + "/export/checks.csv"
	guest.must(http.StatusSeeOther, guest.get(file))
	guest.must(http.StatusSeeOther, guest.submit("/r/"+locked.Share, "password", "x"))
	contains(t, guest.must(http.StatusOK, guest.get(file)).body, "id,category")
	if _, _, err := s.Store.UpdateReport(t.Context(), "default", r.ID, db.Change{Privacy: new(db.Private)}, nil); err != nil {
		t.Fatal(err)
	}
	guest.must(http.StatusNotFound, guest.get("/r/"+r.Share+"/export/checks.csv"))
}
