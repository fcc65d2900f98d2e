package mcp

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"sitegrade/auth"
	"sitegrade/httpx"
)

const listTools = `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`

// TestRequestsThatAreNotServed holds the door to what it must refuse, and to what it must not.
func TestRequestsThatAreNotServed(t *testing.T) {
	s := newServer(t, Options{Origins: httpx.Origins{BaseURL: "https://seo.example"}})
	host := strings.TrimPrefix(s.HTTP.URL, "http://")
	for _, test := range []struct {
		name   string
		status int
		header http.Header
	}{
		{"as it should be", 200, nil},
		{"no key", 401, http.Header{"Authorization": nil}},
		{"a wrong key", 401, http.Header{"Authorization": {"Bearer " + auth.NewSecret()}}},
		{"a foreign origin", 403, http.Header{"Origin": {"https://evil.example"}}},
		{"an origin that hides", 403, http.Header{"Origin": {"null"}}},
		{"two origins", 403, http.Header{"Origin": {"https://seo.example", "https://evil.example"}}},
		{"its own origin", 200, http.Header{"Origin": {"http://" + host}}},
		{"the configured origin", 200, http.Header{"Origin": {"https://seo.example"}}},
		{"the configured origin without TLS", 403, http.Header{"Origin": {"http://seo.example"}}},
		{"a foreign host on loopback", 403, http.Header{"Host": {"evil.example"}}},
		{"a host that begins as loopback", 403, http.Header{"Host": {"localhost.evil.example"}}},
		{"localhost", 200, http.Header{"Host": {"localhost:8080"}}},
		{"IPv6", 200, http.Header{"Host": {"[::1]:8080"}}},
		{"the configured host", 200, http.Header{"Host": {"seo.example"}}},
		{"another type of body", 415, http.Header{"Content-Type": {"text/plain"}}},
	} {
		r := s.post(s.key, listTools, test.header)
		if r.Status != test.status {
			t.Errorf("%s: %d, not %d: %s", test.name, r.Status, test.status, r.Body)
		}
		if challenge := r.Header.Get("WWW-Authenticate"); (test.status == 401) != (challenge != "") {
			t.Errorf("%s: WWW-Authenticate %q", test.name, challenge)
		}
	}
	for _, method := range []string{http.MethodGet, http.MethodDelete, http.MethodPut} {
		r, err := http.NewRequest(method, s.HTTP.URL+Path, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := s.Do(s.HTTP.Client(), r); got.Status != http.StatusMethodNotAllowed || got.Header.Get("Allow") != http.MethodPost {
			t.Errorf("%s: %d, Allow %q", method, got.Status, got.Header.Get("Allow"))
		}
	}
}

func TestBodiesAreBounded(t *testing.T) {
	s := newServer(t, Options{})
	message := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"explain_check","arguments":{"check":"`
	for size, status := range map[int]int{maxBody - 1000: http.StatusOK, maxBody: http.StatusRequestEntityTooLarge} {
		if r := s.post(s.key, message+strings.Repeat("x", size)+`"}}}`, nil); r.Status != status {
			t.Errorf("%d bytes: %d", size, r.Status)
		}
	}
}

// TestMessagesThatAreNone holds that also what the protocol does not know is answered by JSON-RPC.
func TestMessagesThatAreNone(t *testing.T) {
	s := newServer(t, Options{})
	for _, test := range []struct {
		message, revision string
		status            int
		says              string
	}{
		{`{"jsonrpc":"2.0","id":"a","method":"foo/bar"}`, "2025-11-25", 200, `"id":"a","error":{"code":-32601,`},
		{`{"jsonrpc":"2.0","id":7,"method":"foo/bar"}`, "", 200, `"id":7,"error":{"code":-32601,`},
		{`{"jsonrpc":"2.0","id":7,"method":"prompts/list"}`, "2025-06-18", 200, `"code":-32601,`},
		{`{"jsonrpc":`, "2025-11-25", 400, `"id":null,"error":{"code":-32700,`},
		{`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"delete_all"}}`, "2025-11-25", 200, `"code":-32602,`},
		{`{"jsonrpc":"2.0","method":"notifications/initialized"}`, "2025-11-25", 202, ""},
		{`{"jsonrpc":"2.0","id":7,"method":"ping"}`, "2025-11-25", 200, `"result":{}`},
	} {
		r := s.post(s.key, test.message, http.Header{"Mcp-Protocol-Version": {test.revision}})
		if r.Status != test.status || !strings.Contains(string(r.Body), test.says) {
			t.Errorf("%s: %d %s", test.message, r.Status, r.Body)
		}
	}
}

// TestAFaultInAToolEndsNothing has a tool panic: the client is told no more than that, and the log has the request.
func TestAFaultInAToolEndsNothing(t *testing.T) {
	s := newServer(t, Options{})
	healthy := tools["list_projects"]
	tools["list_projects"] = tool{auth.Read, adder(func(*Server, context.Context, string, listProjectsArgs) (answer, error) { panic("a secret") })}
	t.Cleanup(func() { tools["list_projects"] = healthy })
	faulty := New(s.Store, s.Worker, Options{Log: s.Logger()})
	s.Serve(faulty, faulty.Close)
	r := s.call(s.key, "list_projects", nil)
	if !r.isError || strings.Contains(r.text, "secret") {
		t.Errorf("the client is told %s", r.text)
	}
	s.HTTP.Close()
	if log := s.Logged.String(); !strings.Contains(log, "a secret") || !strings.Contains(log, `"request_id":"`) {
		t.Errorf("the log: %s", log)
	}
}

// TestCallsCountAgainstTheKey uses the limits that the API would share.
func TestCallsCountAgainstTheKey(t *testing.T) {
	s := newServer(t, Options{Limits: httpx.NewLimits(0.5, nil)})
	if r := s.post(s.key, listTools, nil); r.Status != http.StatusOK || r.Header.Get("RateLimit") == "" {
		t.Errorf("the first call: %d, %v", r.Status, r.Header)
	}
	if r := s.post(s.key, listTools, nil); r.Status != http.StatusTooManyRequests || r.Header.Get("Retry-After") == "" {
		t.Errorf("the second call: %d, %v", r.Status, r.Header)
	}
	if r := s.post(s.other, listTools, nil); r.Status != http.StatusOK {
		t.Errorf("a call with another key: %d", r.Status)
	}
}

// TestToolsNeedTheirScope calls each tool with a key that lacks its scope.
func TestToolsNeedTheirScope(t *testing.T) {
	s := newServer(t, Options{})
	args := map[string]map[string]any{
		"audit_page": {"url": s.site.URL}, "explain_check": {"check": "viewport"}, "list_reports": nil, "list_projects": nil,
		"start_crawl": {"url": s.site.URL}, "get_crawl": {"crawl": "x"}, "list_site_issues": {"project": "x"}, "get_report": {"report": "x"}, "compare_report": {"report": "x"}, "recheck": {"report": "x"},
	}
	for name, tool := range tools {
		r := s.call(s.NewKey("default", auth.AllScopes&^tool.scope), name, args[name])
		if !r.isError || !strings.Contains(r.text, "scope "+tool.scope.String()) {
			t.Errorf("%s: %s", name, r.text)
		}
	}
}

// TestAccountsSeeNothingOfEachOther has what another account owns answer as what does not exist.
func TestAccountsSeeNothingOfEachOther(t *testing.T) {
	s := newServer(t, Options{})
	mine := s.must("audit_page", map[string]any{"url": s.site.put("/", "<p>x"), "project": "mine"}).id()
	unknown := "019b7e5a-3c00-7000-8000-000000000001"
	for _, tool := range []string{"get_report", "compare_report", "recheck"} {
		foreign, none := s.call(s.other, tool, map[string]any{"report": mine}), s.call(s.other, tool, map[string]any{"report": unknown})
		if !foreign.isError || foreign.text != none.text {
			t.Errorf("%s: %q of a foreign report, %q of none", tool, foreign.text, none.text)
		}
	}
	for tool, args := range map[string]map[string]any{"list_reports": {"project": "mine"}, "list_projects": {}} {
		if r := s.call(s.other, tool, args); r.structured["total"].(float64) != 0 || strings.Contains(r.text, "mine") {
			t.Errorf("%s: %s", tool, r.text)
		}
	}
	foreign, none := s.call(s.other, "list_site_issues", map[string]any{"project": "mine"}), s.call(s.other, "list_site_issues", map[string]any{"project": "x"})
	if !foreign.isError || foreign.text != none.text {
		t.Errorf("%q of a foreign project, %q of none", foreign.text, none.text)
	}
	if r := s.call(s.other, "list_reports", nil); r.structured["total"].(float64) != 0 {
		t.Errorf("list_reports: %s", r.text)
	}
}
