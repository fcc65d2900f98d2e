package cli

import (
	"bufio"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// agent is a client of "sitegrade mcp", which runs as a process of its own.
type agent struct {
	testing.TB
	in   io.WriteCloser
	out  *bufio.Reader
	sent int
}

// startAgent starts the process and says hello. It ends with its input, and leaves nothing behind.
func startAgent(t testing.TB, path string, environment ...string) *agent {
	t.Helper()
	temporary := t.TempDir()
	process := exec.Command(path, "mcp")
	process.Env = append(append(os.Environ(), "TMPDIR="+temporary, "TMP="+temporary), environment...)
	process.Stderr = os.Stderr
	in, err := process.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := process.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := process.Start(); err != nil {
		t.Fatal(err)
	}
	a := &agent{TB: t, in: in, out: bufio.NewReader(out)}
	t.Cleanup(func() {
		timer := time.AfterFunc(20*time.Second, func() { _ = process.Process.Kill() })
		defer timer.Stop()
		_ = in.Close()
		if err := process.Wait(); err != nil {
			t.Error(err)
		}
		if left, err := os.ReadDir(temporary); err != nil || len(left) > 0 {
			t.Errorf("the process leaves %v, %v", left, err)
		}
	})
	a.ask("initialize", map[string]any{
		"protocolVersion": "2025-11-25", "capabilities": map[string]any{}, "clientInfo": map[string]any{"name": "agent", "version": "1"},
	})
	a.send(map[string]any{"jsonrpc": "2.0", "method": "notifications/initialized"})
	return a
}

func (a *agent) send(message map[string]any) {
	a.Helper()
	b, err := json.Marshal(message)
	if err != nil {
		a.Fatal(err)
	}
	if _, err := a.in.Write(append(b, '\n')); err != nil {
		a.Fatal(err)
	}
}

// ask returns the result of a request.
func (a *agent) ask(method string, params map[string]any) json.RawMessage {
	a.Helper()
	a.sent++
	a.send(map[string]any{"jsonrpc": "2.0", "id": a.sent, "method": method, "params": params})
	line, err := a.out.ReadBytes('\n')
	if err != nil {
		a.Fatal(err)
	}
	var response struct {
		Result json.RawMessage
		Error  any
	}
	if err := json.Unmarshal(line, &response); err != nil || response.Error != nil {
		a.Fatalf("%s: %s %v", method, line, err)
	}
	return response.Result
}

// seen is what an agent looks at in an answer.
type seen struct {
	Score      int    `json:"score"`
	ID         string `json:"id"`
	Status     string `json:"status"`
	Delta      int    `json:"delta"`
	Total      int    `json:"total"`
	NextCursor string `json:"next_cursor"`
	Checks     []struct {
		ID string `json:"id"`
	} `json:"checks"`
	Fixed []struct {
		ID string `json:"id"`
	} `json:"fixed"`
}

func (a *agent) call(tool string, arguments map[string]any) seen {
	a.Helper()
	var result struct {
		StructuredContent seen
		IsError           bool
		Content           []struct{ Text string }
	}
	if err := json.Unmarshal(a.ask("tools/call", map[string]any{"name": tool, "arguments": arguments}), &result); err != nil {
		a.Fatal(err)
	}
	if result.IsError {
		a.Fatalf("%s %v: %s", tool, arguments, result.Content[0].Text)
	}
	return result.StructuredContent
}

// problems returns the ids of all checks of a report that fail or warn, the worst first.
func (a *agent) problems(report string) []string {
	var ids []string
	for cursor, first := "", true; first || cursor != ""; first = false {
		shown := a.call("get_report", map[string]any{"report": report, "cursor": cursor})
		for _, c := range shown.Checks {
			ids = append(ids, c.ID)
		}
		cursor = shown.NextCursor
	}
	return ids
}

// staticSite serves the files of a directory with the headers that its file _headers has, as many hosts of static sites do.
func staticSite(dir string) http.Handler {
	files := http.FileServer(http.Dir(dir))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		headers, _ := os.ReadFile(filepath.Join(dir, "_headers")) // perhaps it is not there yet
		for line := range strings.Lines(string(headers)) {
			name, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
			w.Header().Set(name, value)
		}
		files.ServeHTTP(w, r)
	})
}

// brokenPage is where the agent begins.
const brokenPage = `<html><head></head><body><div id=a><img src=logo.png></div><a href="/about.html">click here</a><div id=a></div></body></html>`

// mends are what an agent does about a check: it changes a text of the page, or writes another file. {site} stands for the address.
var mends = map[string]struct{ old, new, file, text string }{
	"document-title":   {old: "<head>", new: "<head><title>Bicycle repairs while you wait in Leith</title>"},
	"meta-description": {old: "</title>", new: `</title><meta name="description" content="We repair bicycles of all makes in Leith while you wait: brakes, gears, wheels and lights, with a year of warranty on every repair.">`},
	"viewport":         {old: "<head>", new: `<head><meta name="viewport" content="width=device-width, initial-scale=1">`},
	"html-lang":        {old: "<html>", new: `<html lang="en">`},
	"doctype":          {old: "<html", new: "<!DOCTYPE html>\n<html"},
	"charset":          {old: "<head>", new: `<head><meta charset="utf-8">`},
	"h1":               {old: "<body>", new: "<body><h1>Bicycle repairs in Leith</h1>"},
	"image-alt":        {old: "<img ", new: `<img alt="A bicycle on a stand" `},
	"image-dimensions": {old: "<img ", new: `<img width="40" height="40" `},
	"image-broken":     {file: "logo.png", text: "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x28\x00\x00\x00\x28\x08\x06\x00\x00\x00\x8c\xfe\xb8\x6d"},
	"link-text":        {old: "click here", new: "How we work"},
	"broken-links":     {file: "about.html", text: "<!DOCTYPE html><title>How we work</title><p>With care."},
	"duplicate-ids":    {old: "<div id=a></div>", new: ""},
	"landmark-main":    {old: "</head><body>", new: "</head><body><main>"},
	"canonical":        {old: "</head>", new: `<link rel="canonical" href="{site}/"></head>`},
	"favicon":          {file: "favicon.ico", text: "\x00\x00\x01\x00\x01\x00\x10\x10\x00\x00\x01\x00\x20\x00"},
	"sitemap":          {file: "sitemap.xml", text: `<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>{site}/</loc></url></urlset>`},
	"sitemap-declared": {file: "robots.txt", text: "User-agent: *\nAllow: /\nSitemap: {site}/sitemap.xml\n"},
	"csp":              {file: "_headers", text: "Content-Security-Policy: default-src 'none'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'\n"},
	"nosniff":          {file: "_headers", text: "X-Content-Type-Options: nosniff\n"},
	"referrer-policy":  {file: "_headers", text: "Referrer-Policy: strict-origin-when-cross-origin\n"},
	"word-count":       {old: "</body>", new: "<p>" + strings.Repeat("We look at brakes, gears, wheels, bearings and lights before we tell you what a repair costs. ", 14) + "</p></body>"},
}

// mend does one thing about a check, and reports whether the agent knows one.
func mend(t *testing.T, dir, site, check string) bool {
	m, known := mends[check]
	if !known {
		return false
	}
	m.new, m.text = strings.ReplaceAll(m.new, "{site}", site), strings.ReplaceAll(m.text, "{site}", site)
	name := filepath.Join(dir, m.file)
	if m.file == "" {
		name = filepath.Join(dir, "index.html")
	}
	text, _ := os.ReadFile(name) // a new file has none
	if m.file == "" {
		text = []byte(strings.Replace(string(text), m.old, m.new, 1))
	} else {
		text = append(text, m.text...)
	}
	if err := os.WriteFile(name, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return true
}

// TestAgentMendsASite gives an agent a broken site and nothing but the tools: it mends one thing, rechecks, and goes on until the score is 90.
func TestAgentMendsASite(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "index.html"), []byte(brokenPage), 0o600); err != nil {
		t.Fatal(err)
	}
	site := httptest.NewServer(staticSite(dir))
	t.Cleanup(site.Close)
	a := startAgent(t, newProgram(t).path)
	now := a.call("audit_page", map[string]any{"url": site.URL})
	report, began, tried := now.ID, now.Score, []string{}
	for now.Score < 90 {
		mended := false
		for _, check := range a.problems(report) {
			if !slices.Contains(tried, check) && mend(t, dir, site.URL, check) {
				tried, mended = append(tried, check), true
				break
			}
		}
		if !mended {
			t.Fatalf("the score is %d, and the agent knows nothing about %v", now.Score, a.problems(report))
		}
		before := time.Now()
		now = a.call("recheck", map[string]any{"report": report})
		t.Logf("%3d after %s, in %v, fixed %v", now.Score, tried[len(tried)-1], time.Since(before).Round(time.Millisecond), now.Fixed)
	}
	if began >= 60 {
		t.Errorf("the site was not broken: %d", began)
	}
}

// TestAgentsBesideAServer has agents work beside a server on the same data, and beside each other: each has its own reports.
func TestAgentsBesideAServer(t *testing.T) {
	p := newProgram(t)
	p.start()
	site := httptest.NewServer(staticSite(t.TempDir()))
	t.Cleanup(site.Close)
	for range 2 {
		a := startAgent(t, p.path, "SITEGRADE_DATA="+p.data)
		if made := a.call("audit_page", map[string]any{"url": site.URL}); made.Status != "done" {
			t.Errorf("the report is %s", made.Status)
		}
		if listed := a.call("list_reports", nil); listed.Total != 1 {
			t.Errorf("%d reports", listed.Total)
		}
	}
}
