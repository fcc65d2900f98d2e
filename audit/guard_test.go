package audit

import (
	"net/http"
	"net/netip"
	"testing"

	"sitegrade/fetch"
	"sitegrade/fetch/fetchtest"
	"sitegrade/weburl"
)

// What a page links is under the same guard as the page.
func TestGuardForSamples(t *testing.T) {
	port, visits := fetchtest.Canary(t)
	client := fetch.New(fetch.Options{AllowNetworks: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}})
	t.Cleanup(client.Close)
	a := New(client, Options{Samples: 200})
	page := "<link rel=canonical href=http://127.0.0.3:" + port + "/><link rel=icon href=http://127.0.0.4:" + port + "/>"
	for _, host := range fetchtest.ForbiddenHosts {
		if u := weburl.Resolve(nil, "http://"+host+"/"); client.Forbidden(u) {
			page += `<img src="http://` + host + ":" + port + `/x"><script src="https://` + host + ":" + port + `/y"></script>`
		}
	}
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/robots.txt" {
			w.Write([]byte("Sitemap: http://127.0.0.2:" + port + "/\nSitemap: http://[::1]:" + port + "/\n"))
			return
		}
		servePage(w, page)
	})
	if _, err := a.Audit(t.Context(), weburl.Resolve(nil, s.URL)); err != nil {
		t.Fatal(err)
	}
	if n := visits.Load(); n != 0 {
		t.Errorf("the canary was contacted %d times", n)
	}
}
