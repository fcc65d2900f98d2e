package audit

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"sitegrade/fetch"
	"sitegrade/weburl"
)

func TestSitemapAddresses(t *testing.T) {
	mux := http.NewServeMux()
	site := httptest.NewServer(mux)
	defer site.Close()
	send := func(path, body string) {
		mux.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) { _, _ = fmt.Fprint(w, body) })
	}
	send("/one.xml", `<urlset><url><loc>https://example.com/1</loc></url><url><loc> https://example.com/2 </loc></url></urlset>`)
	send("/two.txt", "https://example.com/3\nhttps://example.com/4\n")
	send("/index.xml", `<sitemapindex><sitemap><loc>`+site.URL+`/one.xml</loc></sitemap><sitemap><loc>`+site.URL+`/two.txt</loc></sitemap></sitemapindex>`)
	send("/broken-index.xml", `<sitemapindex><sitemap><loc>/one.xml</loc></sitemap></sitemapindex>`)
	send("/page", "<!doctype html><title>A page</title>")
	send("/cut.xml", "<urlset><url><loc>https://example.com/1</loc></url>")

	a := newAuditor(t, Options{})
	for _, test := range []struct {
		path  string
		limit int
		want  []string // the numbers of the addresses
	}{
		{"/one.xml", 10, []string{"1", "2"}},
		{"/one.xml", 1, []string{"1"}},
		{"/two.txt", 10, []string{"3", "4"}},
		{"/index.xml", 10, []string{"1", "2", "3", "4"}},
		{"/index.xml", 3, []string{"1", "2", "3"}},
	} {
		got, err := a.SitemapAddresses(t.Context(), weburl.Resolve(nil, site.URL+test.path), test.limit)
		for i := range got {
			got[i] = strings.TrimPrefix(got[i], "https://example.com/")
		}
		if err != nil || !slices.Equal(got, test.want) {
			t.Errorf("%s, at most %d: %v, %v", test.path, test.limit, got, err)
		}
	}
	for _, path := range []string{"/missing", "/page", "/cut.xml", "/broken-index.xml"} {
		var failure *fetch.Failure
		if got, err := a.SitemapAddresses(t.Context(), weburl.Resolve(nil, site.URL+path), 10); !errors.As(err, &failure) {
			t.Errorf("%s: %v, %v", path, got, err)
		}
	}
	var failure *fetch.Failure
	if _, err := New(fetch.New(fetch.Options{}), Options{}).SitemapAddresses(t.Context(), weburl.Resolve(nil, site.URL+"/one.xml"), 10); !errors.As(err, &failure) || failure.Code != fetch.CodeUnreachable {
		t.Errorf("of a network that is not allowed: %v", err)
	}
}
