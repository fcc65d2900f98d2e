package api

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"sitegrade/auth"
)

func TestPathsAreMatchedExactly(t *testing.T) {
	s := newServer(t, Options{})
	id := s.record(s.post(http.StatusCreated, "url", s.site.URL+"/")).ID
	for _, path := range []string{
		"", "/", "/reports/", "/Reports", "/reports/" + id + "/", "//reports", "/reports//" + id, "/projects/", "/./reports",
		"/reports%2F" + id, "/%72eports", "/projects/a/b", "/openapi.json/", "/nothing",
	} {
		s.refused(http.StatusNotFound, "no_such_path", call{path: path})
	}
}

func TestMethods(t *testing.T) {
	s := newServer(t, Options{})
	id := s.record(s.post(http.StatusCreated, "url", s.site.URL+"/", "project", "p")).ID
	for path, allow := range map[string]string{
		"/projects":      "GET, HEAD, OPTIONS",
		"/projects/p":    "DELETE, GET, HEAD, OPTIONS, PATCH",
		"/reports":       "GET, HEAD, OPTIONS, POST",
		"/reports/" + id: "DELETE, GET, HEAD, OPTIONS, PATCH, PUT",
		"/openapi.json":  "GET, HEAD, OPTIONS",
	} {
		options := s.must(http.StatusNoContent, call{method: http.MethodOptions, path: path, key: "-"})
		if got := options.Header.Get("Allow"); got != allow {
			t.Errorf("OPTIONS %s allows %q, not %q", path, got, allow)
		}
		refused := s.must(http.StatusMethodNotAllowed, call{method: "BREW", path: path, key: "-"})
		if got := refused.Header.Get("Allow"); got != allow {
			t.Errorf("405 of %s allows %q, not %q", path, got, allow)
		}
		s.problem(refused)
		s.head(path)
	}
	s.must(http.StatusNotFound, call{method: http.MethodOptions, path: "/nothing"})
}

// head holds HEAD against GET: the same headers, no body.
func (s *server) head(path string) {
	s.Helper()
	got, head := s.get(http.StatusOK, path), s.must(http.StatusOK, call{method: http.MethodHead, path: path})
	if len(head.Body) > 0 {
		s.Errorf("HEAD %s has a body", path)
	}
	for name := range got.Header {
		switch name {
		case "Date", "X-Request-Id", "Ratelimit":
		default:
			if g, h := got.Header.Get(name), head.Header.Get(name); g != h {
				s.Errorf("%s: %s of GET is %q, of HEAD %q", path, name, g, h)
			}
		}
	}
}

// TestProjectNamesInPaths holds that whatever may be in a project's name can be in the path.
func TestProjectNamesInPaths(t *testing.T) {
	s := newServer(t, Options{})
	for name, path := range map[string]string{
		"a b":                      "/projects/a%20b",
		"100%":                     "/projects/100%25",
		"a%2Fb":                    "/projects/a%252Fb",
		"Grüße 世界":                 "/projects/Gr%C3%BC%C3%9Fe%20%E4%B8%96%E7%95%8C",
		"a?b#c":                    "/projects/a%3Fb%23c",
		"a+b&c=d;e":                "/projects/a+b&c=d;e",
		"..":                       "/projects/%2e%2e",
		"~tilde":                   "/projects/%7Etilde",
		strings.Repeat("é", 100):   "/projects/" + strings.Repeat("%C3%A9", 100),
		`quote " back \ angle <b>`: "/projects/quote%20%22%20back%20%5C%20angle%20%3Cb%3E",
	} {
		s.post(http.StatusCreated, "url", s.site.URL+"/", "project", name)
		if got := s.record(s.get(http.StatusOK, path)).Name; got != name {
			t.Errorf("%s shows %q, not %q", path, got, name)
		}
	}
	s.refused(http.StatusNotFound, "not_found", call{path: "/projects/a%2Fb%2F"})
	s.refused(http.StatusNotFound, "not_found", call{path: "/projects/%FF"})
	s.refused(http.StatusNotFound, "not_found", call{path: "/projects/%00"})
}

func TestIDsThatAreNone(t *testing.T) {
	s := newServer(t, Options{})
	id := s.record(s.post(http.StatusCreated, "url", s.site.URL+"/")).ID
	unknown := "019b7e5a-3c00-7000-8000-000000000001"
	for _, path := range []string{"1", unknown, "{" + id + "}", "urn:uuid:" + id, strings.ReplaceAll(id, "-", ""), id + "x", "%00", "%FF", "null"} {
		for _, method := range []string{http.MethodGet, http.MethodDelete, http.MethodPut, http.MethodPatch} {
			s.refused(http.StatusNotFound, "not_found", call{method: method, path: "/reports/" + path})
		}
	}
	s.get(http.StatusOK, "/reports/"+strings.ToUpper(id))
}

func TestHeadersOfEveryAnswer(t *testing.T) {
	s := newServer(t, Options{})
	id := s.record(s.post(http.StatusCreated, "url", s.site.URL+"/")).ID
	for _, c := range []call{{path: "/reports"}, {path: "/reports/" + id}, {path: "/nothing"}, {path: "/reports", key: "-"}, {method: "BREW", path: "/reports"}, {path: "/openapi.json"}} {
		h := s.do(c).Header
		if h.Get("X-Request-Id") == "" || h.Get("X-Content-Type-Options") != "nosniff" || h.Get("Cache-Control") == "" || h.Get("Content-Security-Policy") == "" {
			t.Errorf("%s %s: %v", c.method, c.path, h)
		}
	}
	first, second := s.get(200, "/reports").Header.Get("X-Request-Id"), s.get(200, "/reports").Header.Get("X-Request-Id")
	if first == second {
		t.Errorf("two requests have the id %s", first)
	}
}

// TestPanicIsAnsweredAsAProblem uses an API without a worker, which panics when it wakes it.
func TestPanicIsAnsweredAsAProblem(t *testing.T) {
	s := newServer(t, Options{})
	s.api.worker = nil
	answered := s.must(http.StatusInternalServerError, call{method: http.MethodPost, path: "/reports", form: form("url", s.site.URL+"/")})
	p := s.problem(answered)
	if id := answered.Header.Get("X-Request-Id"); id == "" || p.RequestID != id {
		t.Errorf("the request id is %q in the body and %q in the header", p.RequestID, id)
	}
	if bytes.Contains(answered.Body, []byte("nil pointer")) {
		t.Errorf("the answer tells of the inside: %s", answered.Body)
	}
	s.HTTP.Close()
	if log := s.Logged.String(); !strings.Contains(log, "nil pointer") || !strings.Contains(log, p.RequestID) {
		t.Errorf("the log does not tell the cause under the request id: %s", log)
	}
}

func TestLogLine(t *testing.T) {
	s := newServer(t, Options{})
	secret, key := s.StoreKey(auth.Key{Account: "default", Scopes: auth.Read})
	answered := s.must(http.StatusForbidden, call{method: http.MethodDelete, path: "/projects/p?q=secret-query", key: secret})
	s.HTTP.Close()
	var line struct {
		Method, Route string
		Status        int
		Duration      int64
		RequestID     string `json:"request_id"`
		KeyID         string `json:"key_id"`
		Client        string
	}
	if err := json.Unmarshal(s.Logged.Bytes(), &line); err != nil {
		t.Fatalf("%v in %s", err, s.Logged)
	}
	if line.Method != "DELETE" || line.Route != "/api/v1/projects/:project" || line.Status != 403 || line.Duration <= 0 ||
		line.RequestID != answered.Header.Get("X-Request-Id") || line.KeyID != key.ID.String() || line.Client != "127.0.0.1" {
		t.Errorf("the line is %s", s.Logged)
	}
	for _, hidden := range []string{secret, "secret-query"} {
		if strings.Contains(s.Logged.String(), hidden) {
			t.Errorf("the log tells %s", hidden)
		}
	}
}

// TestOldProtocol holds that a request without Host gets links that lead somewhere.
func TestOldProtocol(t *testing.T) {
	s := newServer(t, Options{})
	request := httptest.NewRequest(http.MethodGet, Base+"/reports", nil)
	request.Host = ""
	request.Header.Set("Authorization", "Bearer "+s.key)
	recorder := httptest.NewRecorder()
	s.api.ServeHTTP(recorder, request)
	if recorder.Code != http.StatusOK || !strings.Contains(recorder.Body.String(), `"path":"http://localhost/api/v1/reports"`) {
		t.Errorf("%d %s", recorder.Code, recorder.Body)
	}
}
