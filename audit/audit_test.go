package audit

import (
	"net/http"
	"net/http/httptest"
	"net/netip"
	"testing"

	"sitegrade/fetch"
	"sitegrade/weburl"
)

// loopback lets an auditor of a test reach the servers of the test.
var loopback = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("::1/128")}

// newAuditor returns an auditor that may dial loopback and leaves no connections behind.
func newAuditor(t testing.TB, o Options) *Auditor {
	t.Helper()
	return newAuditorWith(t, fetch.Options{}, o)
}

// newAuditorWith is newAuditor with a client of these options.
func newAuditorWith(t testing.TB, of fetch.Options, o Options) *Auditor {
	t.Helper()
	if of.AllowNetworks == nil {
		of.AllowNetworks = loopback
	}
	client := fetch.New(of)
	t.Cleanup(client.Close)
	return New(client, o)
}

// allotTo returns the allotment of an audit that lasts as long as the test.
func allotTo(t *testing.T, a *Auditor) *allotment {
	own := a.allot(t.Context())
	t.Cleanup(own.leave)
	return own
}

// gatherAlone returns the facts of the page at u, for an audit that is alone.
func gatherAlone(t testing.TB, a *Auditor, own *allotment, u *weburl.URL) *facts {
	t.Helper()
	found, failure := a.fetchPage(own, u)
	if failure != nil {
		t.Fatal(failure)
	}
	f, failure := a.gather(own, found, u, nil)
	if failure != nil {
		t.Fatal(failure)
	}
	return f
}

// serve starts a server for the time of the test.
func serve(t testing.TB, handler http.HandlerFunc) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(handler)
	t.Cleanup(s.Close)
	return s
}

// servePage answers with HTML.
func servePage(w http.ResponseWriter, body string) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Write([]byte(body))
}

func TestAudit(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/old":
			http.Redirect(w, r, "/page", http.StatusMovedPermanently)
		case "/page":
			servePage(w, `<!doctype html><html lang=en><title>A page</title><h1>Hello</h1><a href="/other">other</a>`)
		default:
			http.NotFound(w, r)
		}
	})
	report, err := newAuditor(t, Options{}).Audit(t.Context(), weburl.Resolve(nil, s.URL+"/old"))
	if err != nil {
		t.Fatal(err)
	}
	if report.URL != s.URL+"/old" || report.FinalURL != s.URL+"/page" || report.HTTPStatus != 200 {
		t.Errorf("the report is of %s, %s, %d", report.URL, report.FinalURL, report.HTTPStatus)
	}
	if len(report.Redirects) != 1 || report.Redirects[0] != s.URL+"/old" {
		t.Errorf("redirects: %v", report.Redirects)
	}
	if report.Page.Title != "A page" || report.Timings.Total <= 0 || report.Timings.Document > report.Timings.Total {
		t.Errorf("page %+v, timings %+v", report.Page, report.Timings)
	}
	broken := outcomeOf(t, report, "broken-links")
	if broken.Status != Failed || len(broken.Evidence) != 1 || broken.Evidence[0].URL != s.URL+"/other" {
		t.Errorf("broken-links: %+v", broken)
	}
}

func outcomeOf(t testing.TB, report *Report, id string) Outcome {
	t.Helper()
	for _, o := range report.Checks {
		if o.ID == id {
			return o
		}
	}
	t.Fatalf("the report has no check %s", id)
	return Outcome{}
}
