package api

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"sitegrade/audit"
	"sitegrade/auth"
	"sitegrade/db/bolt"
	"sitegrade/httpx/httpxtest"
)

// server is the API on a real listener, over a real database, with a worker that audits real local pages.
type server struct {
	*httpxtest.Server
	api  *API
	site *site

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
	s := &server{Server: httpxtest.New(t, storage), site: newSite(t)}
	o.Log = s.Logger()
	s.api = New(s.Store, s.Worker, o)
	s.Serve(s.api, s.api.Close)
	s.key = s.NewKey("default", auth.AllScopes)
	s.other = s.NewKey("other", auth.AllScopes)
	return s
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

// do makes a call and holds request and response against the OpenAPI description.
func (s *server) do(c call) httpxtest.Response {
	s.Helper()
	request, body := s.request(c)
	r := s.Do(s.HTTP.Client(), request)
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
	request, err := http.NewRequest(c.method, s.HTTP.URL+Base+c.path, strings.NewReader(body))
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
func (s *server) get(status int, path string) httpxtest.Response {
	s.Helper()
	return s.must(status, call{path: path})
}

func (s *server) post(status int, fields ...string) httpxtest.Response {
	s.Helper()
	return s.must(status, call{method: http.MethodPost, path: "/reports", form: form(fields...)})
}

func (s *server) must(status int, c call) httpxtest.Response {
	s.Helper()
	r := s.do(c)
	if r.Status != status {
		s.Fatalf("%s %s: status %d, not %d: %.500s", c.method, c.path, r.Status, status, r.Body)
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

// record is a project or a report as the API shows it, as far as tests look at it.
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

func (s *server) record(r httpxtest.Response) record {
	s.Helper()
	var document struct{ Data record }
	s.decode(r, &document)
	return document.Data
}

func (s *server) decode(r httpxtest.Response, into any) {
	s.Helper()
	if err := json.Unmarshal(r.Body, into); err != nil {
		s.Fatalf("%v in %s", err, r.Body)
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

func (s *server) problem(r httpxtest.Response) shownProblem {
	s.Helper()
	if got := r.Header.Get("Content-Type"); got != problemMediaType {
		s.Fatalf("the Content-Type of a problem is %q: %s", got, r.Body)
	}
	var p shownProblem
	s.decode(r, &p)
	if p.Status != r.Status {
		s.Errorf("the problem's status is %d, the response's %d", p.Status, r.Status)
	}
	return p
}

// refused makes a call and returns the problem's fields that are wrong, separated by spaces, after insisting on status and name.
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
