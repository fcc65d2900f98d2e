package mcp

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"sitegrade/auth"
	"sitegrade/db/bolt"
	"sitegrade/httpx/httpxtest"
)

// server has the tools on a real listener, over a real database, with a worker that audits a site of this machine.
type server struct {
	*httpxtest.Server
	site  *site
	key   string // of the account "default", with all scopes
	other string // of the account "other", with all scopes
}

func newServer(t *testing.T, o Options) *server {
	t.Helper()
	s := &server{Server: httpxtest.New(t, bolt.Options{}), site: newSite(t)}
	o.Log = s.Logger()
	tools := New(s.Store, s.Worker, o)
	s.Serve(tools, tools.Close)
	s.key = s.NewKey("default", auth.AllScopes)
	s.other = s.NewKey("other", auth.AllScopes)
	return s
}

// site is a static site whose files a test may change.
type site struct {
	*httptest.Server
	mu     sync.Mutex
	files  map[string]string // by path
	header http.Header       // of each response
}

func newSite(t *testing.T) *site {
	s := &site{files: map[string]string{}, header: http.Header{}}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		defer s.mu.Unlock()
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		for name, values := range s.header {
			w.Header()[name] = values
		}
		text, found := s.files[r.URL.Path]
		if !found {
			http.NotFound(w, r)
			return
		}
		_, _ = w.Write([]byte(text))
	}))
	t.Cleanup(s.Close)
	return s
}

// put sets the text of a file and returns its URL.
func (s *site) put(path, text string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.files[path] = text
	return s.URL + path
}

// post sends a message with a key and more headers.
func (s *server) post(key, message string, header http.Header) httpxtest.Response {
	s.Helper()
	r, err := http.NewRequest(http.MethodPost, s.HTTP.URL+Path, strings.NewReader(message))
	if err != nil {
		s.Fatal(err)
	}
	r.Header = http.Header{
		"Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"}, "Mcp-Protocol-Version": {"2025-11-25"},
		"Authorization": {"Bearer " + key},
	}
	for name, values := range header {
		r.Header[name] = values
	}
	if host := header.Get("Host"); host != "" {
		r.Host = host
	}
	return s.Do(s.HTTP.Client(), r)
}

// result is what a tool has returned.
type result struct {
	raw        json.RawMessage // the structured content
	structured map[string]any
	text       string
	isError    bool
}

// call calls a tool and holds its answer to what all must fulfil.
func (s *server) call(key, tool string, args map[string]any) result {
	s.Helper()
	message, err := json.Marshal(map[string]any{
		"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": map[string]any{"name": tool, "arguments": args},
	})
	if err != nil {
		s.Fatal(err)
	}
	r := s.post(key, string(message), nil)
	var got struct {
		Result struct {
			Content           []struct{ Text string }
			StructuredContent json.RawMessage
			IsError           bool
		}
		Error any
	}
	if err := json.Unmarshal(r.Body, &got); err != nil || got.Error != nil || len(got.Result.Content) != 1 {
		s.Fatalf("%s: %d %v: %s", tool, r.Status, err, r.Body)
	}
	found := result{raw: got.Result.StructuredContent, text: got.Result.Content[0].Text, isError: got.Result.IsError}
	if len(found.text) >= 8000 || len(found.raw) >= 8000 {
		s.Errorf("%s: %d bytes of text, %d of structured content", tool, len(found.text), len(found.raw))
	}
	if !found.isError {
		if err := json.Unmarshal(found.raw, &found.structured); err != nil {
			s.Fatal(err)
		}
		holdToSchema(s, tool, found.raw)
	}
	return found
}

// must is call for an answer that is no error.
func (s *server) must(tool string, args map[string]any) result {
	s.Helper()
	r := s.call(s.key, tool, args)
	if r.isError {
		s.Fatalf("%s %v: %s", tool, args, r.text)
	}
	return r
}

func (r result) id() string { return r.structured["id"].(string) }

func (r result) score() int { return int(r.structured["score"].(float64)) }

func (r result) cursor() string {
	cursor, _ := r.structured["next_cursor"].(string)
	return cursor
}

// list returns a list of objects in the answer.
func (r result) list(key string) []map[string]any {
	var all []map[string]any
	list, _ := r.structured[key].([]any)
	for _, row := range list {
		all = append(all, row.(map[string]any))
	}
	return all
}
