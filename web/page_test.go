package web

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/julienschmidt/httprouter"

	"sitegrade/db"
	"sitegrade/web/assets"
)

func TestPagesAreSmall(t *testing.T) {
	s := newServer(t, Options{})
	r := s.create(db.NewReport{URL: s.site.URL + "/hostile/"})
	for range 100 {
		if _, err := s.Store.CreateReport(t.Context(), "default", db.NewReport{URL: s.site.URL + "/bread"}); err != nil {
			t.Fatal(err)
		}
	}
	v := s.signedIn(s.key)
	for _, path := range []string{"/?per_page=100", "/projects", "/new", "/reports/" + r.ID.String(), "/r/" + r.Share, "/docs", "/login"} {
		plain := v.get(path)
		for coding, open := range map[string]func(io.Reader) io.Reader{
			"gzip": func(r io.Reader) io.Reader { z, _ := gzip.NewReader(r); return z },
			"br":   func(r io.Reader) io.Reader { return brotli.NewReader(r) },
		} {
			v.header.Set("Accept-Encoding", coding)
			answer := v.get(path)
			v.header.Del("Accept-Encoding")
			if len(answer.body) > 60_000 {
				t.Errorf("%s has %d bytes in %s", path, len(answer.body), coding)
			}
			if plain.Status != http.StatusOK || len(plain.body) < assets.MinCompressed {
				continue
			}
			if answer.Header.Get("Content-Encoding") != coding || answer.Header.Get("Vary") != "Accept-Encoding, Accept-Language" {
				t.Errorf("%s: Content-Encoding %q, Vary %q", path, answer.Header.Get("Content-Encoding"), answer.Header.Get("Vary"))
			}
			read, err := io.ReadAll(open(strings.NewReader(answer.body)))
			if err != nil || !bytes.HasSuffix(read, []byte("</html>\n")) {
				t.Errorf("%s: %s of %d bytes: %v", path, coding, len(read), err)
			}
		}
	}
}

var assetPath = regexp.MustCompile(`"(/assets/[^"]+)"`)

func TestAssets(t *testing.T) {
	s := newServer(t, Options{})
	v := s.visitor()
	paths := assetPath.FindAllStringSubmatch(v.page("/login"), -1)
	if len(paths) != 3 {
		t.Fatalf("the page loads %v", paths)
	}
	for _, match := range paths {
		answer := v.must(http.StatusOK, v.get(match[1]))
		if got := answer.Header.Get("Cache-Control"); got != "public, max-age=31536000, immutable" {
			t.Errorf("%s: Cache-Control %q", match[1], got)
		}
		for _, coding := range []string{"br", "gzip"} {
			v.header.Set("Accept-Encoding", coding)
			small := v.must(http.StatusOK, v.get(match[1]))
			if small.Header.Get("Content-Encoding") != coding || len(small.body) >= len(answer.body) {
				t.Errorf("%s: %d bytes in %q, not fewer than %d in %s", match[1], len(small.body), small.Header.Get("Content-Encoding"), len(answer.body), coding)
			}
		}
		v.header.Del("Accept-Encoding")
	}
	v.must(http.StatusNotFound, v.get("/assets/style.css"))
	v.must(http.StatusNotFound, v.get("/assets/"))
	v.must(http.StatusFound, v.get("/favicon.ico"))
	contains(t, v.page("/robots.txt"), "User-agent: *", "Sitemap: "+s.HTTP.URL+"/sitemap.xml")
	contains(t, v.page("/sitemap.xml"), "<loc>"+s.HTTP.URL+"/docs</loc>")
}

// inline are the scripts and styles that the policy does not allow.
var inline = regexp.MustCompile(`(?i) style=| on[a-z]+=|<style|<script>|javascript:`)

func TestEveryPageKeepsThePolicy(t *testing.T) {
	s := newServer(t, Options{})
	r := s.create(db.NewReport{URL: s.site.URL + "/bread"})
	v := s.signedIn(s.key)
	for _, path := range []string{"/", "/projects", "/new", "/docs", "/nothing", "/reports/" + r.ID.String(), "/r/" + r.Share, "/reports/" + r.ID.String() + "/delete", "/?sort=x"} {
		answer := v.get(path)
		if found := inline.FindString(answer.body); found != "" {
			t.Errorf("%s has %q", path, found)
		}
		if got := answer.Header.Get("Content-Security-Policy"); got != policy {
			t.Errorf("%s: Content-Security-Policy %q", path, got)
		}
		for _, name := range []string{"X-Content-Type-Options", "X-Frame-Options", "Referrer-Policy", "Permissions-Policy", "Cross-Origin-Opener-Policy", "X-Request-Id"} {
			if answer.Header.Get(name) == "" {
				t.Errorf("%s has no %s", path, name)
			}
		}
		head := v.do(http.MethodHead, path, "")
		if head.Status != answer.Status || head.body != "" {
			t.Errorf("HEAD %s: status %d, %d bytes", path, head.Status, len(head.body))
		}
	}
}

func TestDocs(t *testing.T) {
	s := newServer(t, Options{})
	page := s.visitor().page("/docs")
	contains(t, page, "Audit a page", "POST", "/reports/{id}", "scope write", "The name of the project, without control characters",
		`curl -H &#34;Authorization: Bearer $SITEGRADE_KEY&#34; &#39;`+s.HTTP.URL+`/api/v1/reports&#39;`, "Idempotency-Key", `id="schema-Report"`)
	lacks(t, page, "{server}", "<no value>")
	if s.visitor().get("/docs").Header.Get("X-Robots-Tag") != "" || strings.Contains(page, `content="noindex"`) {
		t.Error("search engines may not list the documentation")
	}
}

func TestTheLogHasNoSecrets(t *testing.T) {
	s := newServer(t, Options{})
	r := s.create(db.NewReport{URL: s.site.URL + "/bread", Privacy: db.Password, Password: "rye & oats"})
	v := s.signedIn(s.key)
	v.must(http.StatusSeeOther, v.submit("/r/"+r.Share, "password", "rye & oats"))
	v.page("/r/" + r.Share)
	s.HTTP.Close()
	contains(t, s.Logged.String(), `"route":"/r/:share"`, `"status":200`)
	lacks(t, s.Logged.String(), s.key, r.Share, "rye")
}

func TestPanicIsAnswered(t *testing.T) {
	s := newServer(t, Options{})
	s.web.router.GET("/panic", func(http.ResponseWriter, *http.Request, httprouter.Params) { panic("a fault") })
	answer := s.visitor().must(http.StatusInternalServerError, s.visitor().get("/panic"))
	contains(t, answer.body, "Something went wrong", answer.Header.Get("X-Request-Id"))
}
