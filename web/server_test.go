package web

import (
	"context"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"sitegrade/api"
	"sitegrade/auth"
	"sitegrade/db"
	"sitegrade/db/bolt"
	"sitegrade/httpx/httpxtest"
)

// patience is when a test that waits for something gives up.
const patience = 30 * time.Second

// server is the pages on a real listener, over a real database, with a worker that audits real local pages.
type server struct {
	*httpxtest.Server
	web  *Web
	api  *api.API // the pages lead to it; they do not use it
	site *site

	key    string // of the account "default", with all scopes
	reader string // likewise, with the scope read alone
}

// newServer returns a server that is closed, with its database checked, when the test ends.
func newServer(t testing.TB, o Options) *server {
	t.Helper()
	return newServerOn(t, o, bolt.Options{})
}

func newServerOn(t testing.TB, o Options, storage bolt.Options) *server {
	t.Helper()
	s := &server{Server: httpxtest.New(t, storage), site: newSite(t)}
	s.api = api.New(s.Store, s.Worker, api.Options{Limits: o.Limits})
	o.Auditor, o.Log, o.OpenAPI = s.Auditor, s.Logger(), s.api.Description()
	s.web = New(s.Store, s.Worker, o)
	around := http.NewServeMux()
	around.Handle("/", s.web)
	around.Handle(api.Base+"/", s.api)
	s.Serve(around, s.api.Close)
	s.key, s.reader = s.NewKey("default", auth.AllScopes), s.NewKey("default", auth.Read)
	return s
}

// create makes a report of the account "default" and waits until it is audited.
func (s *server) create(n db.NewReport) db.Report {
	s.Helper()
	return s.finished(s.createQueued(n).ID)
}

// createQueued makes a report of the account "default", of which the audit may take its time.
func (s *server) createQueued(n db.NewReport) db.Report {
	s.Helper()
	created, err := s.Store.CreateReport(s.Context(), "default", n)
	if err != nil {
		s.Fatal(err)
	}
	return created
}

// again has a report audited once more.
func (s *server) again(id uuid.UUID) db.Report {
	s.Helper()
	if _, _, err := s.Store.UpdateReport(s.Context(), "default", id, db.Change{Regenerate: true}, nil); err != nil {
		s.Fatal(err)
	}
	return s.finished(id)
}

// changing returns a report of a page that was audited several times, and each time was good or bad.
func (s *server) changing(good ...bool) (r db.Report) {
	s.Helper()
	for i, is := range good {
		s.site.good.Store(is)
		if i == 0 {
			r = s.create(db.NewReport{URL: s.site.URL + "/changing"})
		} else {
			r = s.again(r.ID)
		}
	}
	return r
}

// finished waits until a report is audited.
func (s *server) finished(id uuid.UUID) db.Report {
	s.Helper()
	ctx, cancel := context.WithTimeout(s.Context(), patience)
	defer cancel()
	if err := s.Worker.Wait(ctx, "default", id); err != nil {
		s.Fatal(err)
	}
	r, _, err := s.Store.Report(ctx, "default", id)
	if err != nil {
		s.Fatal(err)
	}
	return r
}

// visitor is a browser without scripts.
type visitor struct {
	*server
	client *http.Client
	header http.Header // of every request
}

// visitor returns a browser that follows no redirects, with cookies of its own.
func (s *server) visitor() *visitor {
	jar, err := cookiejar.New(nil)
	if err != nil {
		s.Fatal(err)
	}
	client := &http.Client{Jar: jar, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	return &visitor{server: s, client: client, header: http.Header{}}
}

// signedIn returns a browser that is signed in with a key.
func (s *server) signedIn(key string) *visitor {
	s.Helper()
	v := s.visitor()
	v.must(http.StatusSeeOther, v.submit("/login", "key", key))
	return v
}

// reply is a response with its body as text.
type reply struct {
	httpxtest.Response
	body string
}

func (v *visitor) do(method, path, body string) reply {
	v.Helper()
	request, err := http.NewRequest(method, v.HTTP.URL+path, strings.NewReader(body))
	if err != nil {
		v.Fatal(err)
	}
	for name, values := range v.header {
		request.Header[name] = values
	}
	if method == http.MethodPost && request.Header.Get("Content-Type") == "" {
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	response := v.Do(v.client, request)
	return reply{response, string(response.Body)}
}

func (v *visitor) get(path string) reply {
	v.Helper()
	return v.do(http.MethodGet, path, "")
}

// page gets a page that must be there.
func (v *visitor) page(path string) string {
	v.Helper()
	return v.must(http.StatusOK, v.get(path)).body
}

// submit posts a form with fields in pairs of name and value, as it is.
func (v *visitor) submit(path string, fields ...string) reply {
	v.Helper()
	form := url.Values{}
	for i := 0; i < len(fields); i += 2 {
		form.Set(fields[i], fields[i+1])
	}
	return v.do(http.MethodPost, path, form.Encode())
}

var tokenInput = regexp.MustCompile(`name="token" value="([^"]+)"`)

// use submits a form with the token that a page has.
func (v *visitor) use(page, path string, fields ...string) reply {
	v.Helper()
	token := tokenInput.FindStringSubmatch(v.page(page))
	if token == nil {
		v.Fatalf("%s has no form with a token", page)
	}
	return v.submit(path, append(fields, "token", token[1])...)
}

// must insists on a status.
func (v *visitor) must(status int, r reply) reply {
	v.Helper()
	if r.Status != status {
		v.Fatalf("status %d, not %d: %s", r.Status, status, r.body)
	}
	return r
}

// contains insists on texts in a page.
func contains(t testing.TB, page string, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if !strings.Contains(page, text) {
			t.Errorf("the page has no %q:\n%s", text, page)
		}
	}
}

// lacks insists that texts are not in a page.
func lacks(t testing.TB, page string, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if strings.Contains(page, text) {
			t.Errorf("the page has %q:\n%s", text, page)
		}
	}
}
