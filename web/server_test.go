package web

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"sitegrade/api"
	"sitegrade/audit"
	"sitegrade/auth"
	"sitegrade/db"
	"sitegrade/db/bolt"
	"sitegrade/fetch"
	"sitegrade/worker"
)

// patience is when a test that waits for something gives up.
const patience = 30 * time.Second

// server is the pages on a real listener, over a real database, with a worker that audits real local pages.
type server struct {
	testing.TB
	web     *Web
	api     *api.API // the pages lead to it; they do not use it
	store   *bolt.DB
	worker  *worker.Worker
	auditor *audit.Auditor
	http    *httptest.Server
	log     *bytes.Buffer // complete once the server is closed
	site    *site

	key    string // of the account "default", with all scopes
	reader string // likewise, with the scope read alone
}

// newServer returns a server that is closed, with its database checked, when the test ends.
func newServer(t testing.TB, o Options) *server {
	t.Helper()
	s := &server{TB: t, log: &bytes.Buffer{}, site: newSite(t)}
	var err error
	if s.store, err = bolt.Open(filepath.Join(t.TempDir(), "sitegrade.db"), bolt.Options{}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.closeStore)
	s.auditor = audit.New(fetch.New(fetch.Options{AllowNetworks: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}}), audit.Options{
		SiteRequests: -1, Samples: -1, Timeout: 10 * time.Second,
	})
	s.worker = s.startWorker()
	o.Auditor = s.auditor
	o.Log = slog.New(slog.NewJSONHandler(s.log, nil))
	s.api = api.New(s.store, s.worker, api.Options{Limits: o.Limits})
	o.OpenAPI = s.api.Description()
	s.web = New(s.store, s.worker, o)
	around := http.NewServeMux()
	around.Handle("/", s.web)
	around.Handle(api.Base+"/", s.api)
	s.http = httptest.NewServer(around)
	t.Cleanup(func() {
		s.http.CloseClientConnections()
		s.http.Close()
		if err := s.api.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	s.key, s.reader = s.newKey(auth.AllScopes), s.newKey(auth.Read)
	return s
}

func (s *server) startWorker() *worker.Worker {
	w := worker.New(s.store, s.auditor, worker.Options{Log: slog.New(slog.DiscardHandler), Audits: 8, PerHost: 4, Grace: time.Millisecond})
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		w.Run(ctx)
		close(ended)
	}()
	s.Cleanup(func() {
		cancel()
		<-ended
	})
	return w
}

// closeStore holds the indexes of the database against its records, and closes it.
func (s *server) closeStore() {
	checked, err := s.store.Check(context.Background())
	if err != nil || len(checked.Differences) > 0 {
		s.Errorf("the database: %v, %v", checked.Differences, err)
	}
	if err := s.store.Close(); err != nil {
		s.Error(err)
	}
}

// newKey makes a key of the account "default" and gives its secret.
func (s *server) newKey(scopes auth.Scope) string {
	s.Helper()
	secret, _ := s.newKeyLike(auth.Key{Account: "default", Scopes: scopes})
	return secret
}

func (s *server) newKeyLike(k auth.Key) (string, auth.Key) {
	s.Helper()
	secret := auth.NewSecret()
	k.Name, k.Hash = "test", auth.HashSecret(secret)
	made, err := s.store.CreateKey(s.Context(), k)
	if err != nil {
		s.Fatal(err)
	}
	return secret, made
}

// create makes a report of the account "default" and waits until it is audited.
func (s *server) create(n db.NewReport) db.Report {
	s.Helper()
	created, err := s.store.CreateReport(s.Context(), "default", n)
	if err != nil {
		s.Fatal(err)
	}
	return s.finished(created.ID)
}

// finished waits until a report is audited.
func (s *server) finished(id uuid.UUID) db.Report {
	s.Helper()
	ctx, cancel := context.WithTimeout(s.Context(), patience)
	defer cancel()
	if err := s.worker.Wait(ctx, "default", id); err != nil {
		s.Fatal(err)
	}
	r, _, err := s.store.Report(ctx, "default", id)
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

// reply is an answer, read to its end.
type reply struct {
	status int
	header http.Header
	body   string
}

func (v *visitor) do(method, path, body string) reply {
	v.Helper()
	request, err := http.NewRequest(method, v.http.URL+path, strings.NewReader(body))
	if err != nil {
		v.Fatal(err)
	}
	for name, values := range v.header {
		request.Header[name] = values
	}
	if method == http.MethodPost && request.Header.Get("Content-Type") == "" {
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	answered, err := v.client.Do(request)
	if err != nil {
		v.Fatal(err)
	}
	defer func() { _ = answered.Body.Close() }()
	read, err := io.ReadAll(answered.Body)
	if err != nil {
		v.Fatal(err)
	}
	return reply{answered.StatusCode, answered.Header, string(read)}
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
	if r.status != status {
		v.Fatalf("status %d, not %d: %s", r.status, status, r.body)
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
