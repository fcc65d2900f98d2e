package api

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sitegrade/audit"
	"sitegrade/auth"
	"sitegrade/db/bolt"
	"sitegrade/fetch"
	"sitegrade/worker"
)

// server is the API on a real listener, over a real database, with a worker that audits real local pages.
type server struct {
	testing.TB
	api     *API
	store   *bolt.DB
	auditor *audit.Auditor
	http    *httptest.Server
	log     *bytes.Buffer // complete once the server is closed
	site    *site

	stopWorker func() // returns when the worker has stopped

	elsewhere bool // requests name the server by another host

	key   string // of the account "default", with all scopes
	other string // of the account "other", with all scopes
}

// newServer returns a server that is closed, with its database checked, when the test ends.
func newServer(t testing.TB, o Options) *server {
	t.Helper()
	return newServerOn(t, o, bolt.Options{})
}

func newServerOn(t testing.TB, o Options, storage bolt.Options) *server {
	t.Helper()
	s := &server{TB: t, log: &bytes.Buffer{}, site: newSite(t)}
	var err error
	if s.store, err = bolt.Open(filepath.Join(t.TempDir(), "sitegrade.db"), storage); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.closeStore)
	s.auditor = audit.New(fetch.New(fetch.Options{AllowNetworks: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}}), audit.Options{
		SiteRequests: -1, Samples: -1, Timeout: 5 * time.Second,
	})
	o.Log = slog.New(slog.NewJSONHandler(s.log, nil))
	s.api = New(s.store, s.startWorker(), o)
	s.http = httptest.NewServer(s.api)
	t.Cleanup(s.stop)
	s.key = s.newKey("default", auth.AllScopes)
	s.other = s.newKey("other", auth.AllScopes)
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
	s.stopWorker = func() {
		cancel()
		<-ended
	}
	s.Cleanup(s.stopWorker)
	return w
}

// stop closes the server and stores what the API has in memory.
func (s *server) stop() {
	s.http.CloseClientConnections()
	s.http.Close()
	if err := s.api.Close(context.Background()); err != nil {
		s.Error(err)
	}
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

// newKey makes a key and gives its secret.
func (s *server) newKey(account string, scopes auth.Scope) string {
	s.Helper()
	secret, _ := s.newKeyLike(auth.Key{Account: account, Scopes: scopes})
	return secret
}

func (s *server) newKeyLike(k auth.Key) (string, auth.Key) {
	s.Helper()
	secret := auth.NewSecret()
	k.Name, k.Hash = "test", auth.HashSecret(secret)
	made, err := s.store.CreateKey(context.Background(), k)
	if err != nil {
		s.Fatal(err)
	}
	return secret, made
}

// call is a request that a test makes. Its path begins below Base.
type call struct {
	method string // GET
	path   string
	key    string // the server's key; "-" for none
	form   url.Values
	json   string
	header http.Header
}

// reply is an answer, read to its end.
type reply struct {
	status int
	header http.Header
	body   []byte
}

// do makes a call and holds request and answer against the OpenAPI description.
func (s *server) do(c call) reply {
	s.Helper()
	request, body := s.request(c)
	answered, err := s.http.Client().Do(request)
	if err != nil {
		s.Fatal(err)
	}
	defer func() { _ = answered.Body.Close() }()
	read, err := io.ReadAll(answered.Body)
	if err != nil {
		s.Fatal(err)
	}
	r := reply{answered.StatusCode, answered.Header, read}
	theDescription.hold(s.TB, request, body, r)
	return r
}

func (s *server) request(c call) (*http.Request, string) {
	s.Helper()
	if c.method == "" {
		c.method = http.MethodGet
	}
	body, contentType := c.json, jsonType
	if c.form != nil {
		body, contentType = c.form.Encode(), formType
	}
	request, err := http.NewRequest(c.method, s.http.URL+Base+c.path, strings.NewReader(body))
	if err != nil {
		s.Fatal(err)
	}
	for name, values := range c.header {
		request.Header[name] = values
	}
	if s.elsewhere {
		request.Host = "elsewhere.example"
	}
	if _, given := c.header["Content-Type"]; body != "" && !given {
		request.Header.Set("Content-Type", contentType)
	}
	switch c.key {
	case "":
		request.Header.Set("Authorization", "Bearer "+s.key)
	case "-":
	default:
		request.Header.Set("Authorization", "Bearer "+c.key)
	}
	return request, body
}

// get, post and the like are do for what most tests want; they insist on a status.
func (s *server) get(status int, path string) reply {
	s.Helper()
	return s.must(status, call{path: path})
}

func (s *server) post(status int, fields ...string) reply {
	s.Helper()
	return s.must(status, call{method: http.MethodPost, path: "/reports", form: form(fields...)})
}

func (s *server) must(status int, c call) reply {
	s.Helper()
	r := s.do(c)
	if r.status != status {
		s.Fatalf("%s %s: status %d, not %d: %.500s", c.method, c.path, r.status, status, r.body)
	}
	return r
}

// form returns fields in pairs of name and value.
func form(fields ...string) url.Values {
	values := url.Values{}
	for i := 0; i < len(fields); i += 2 {
		values.Set(fields[i], fields[i+1])
	}
	return values
}

// record is the answer that shows one record, as far as tests look at it.
type record struct {
	ID      string `json:"id"`
	URL     string `json:"url"`
	Name    string `json:"name"`
	Project struct {
		ID   string `json:"id"`
		Name string `json:"name"`
	} `json:"project"`
	Status      string          `json:"status"`
	Result      *string         `json:"result"`
	Score       *int            `json:"score"`
	Privacy     int             `json:"privacy"`
	ShareURL    *string         `json:"share_url"`
	GeneratedAt *time.Time      `json:"generated_at"`
	CreatedAt   time.Time       `json:"created_at"`
	UpdatedAt   time.Time       `json:"updated_at"`
	Error       *audit.Failure  `json:"error"`
	Checks      []audit.Outcome `json:"checks"`
	Page        *audit.Page     `json:"page"`
	Reports     struct{ Total, Good, Decent, Bad int }
}

func (s *server) record(r reply) record {
	s.Helper()
	var answer struct{ Data record }
	s.decode(r, &answer)
	return answer.Data
}

func (s *server) decode(r reply, into any) {
	s.Helper()
	if err := json.Unmarshal(r.body, into); err != nil {
		s.Fatalf("%v in %s", err, r.body)
	}
}

// shownProblem is a problem document.
type shownProblem struct {
	Type   string
	Title  string
	Status int
	Detail string
	Errors []struct{ Field, Detail string }
	// RequestID is there with 500 alone.
	RequestID string `json:"request_id"`
}

func (s *server) problem(r reply) shownProblem {
	s.Helper()
	if got := r.header.Get("Content-Type"); got != problemMediaType {
		s.Fatalf("the Content-Type of a problem is %q: %s", got, r.body)
	}
	var p shownProblem
	s.decode(r, &p)
	if p.Status != r.status {
		s.Errorf("the problem's status is %d, the answer's %d", p.Status, r.status)
	}
	return p
}

// refused makes a call and gives the problem's fields that are wrong, separated by spaces, after insisting on status and name.
func (s *server) refused(status int, name string, c call) string {
	s.Helper()
	p := s.problem(s.must(status, c))
	if p.Type != problemType+name {
		s.Errorf("the type is %q, not that of %q", p.Type, name)
	}
	var fields []string
	for _, f := range p.Errors {
		fields = append(fields, f.Field)
	}
	return strings.Join(fields, " ")
}
