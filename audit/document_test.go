package audit

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"sitegrade/fetch"
	"sitegrade/fetch/fetchtest"
	"sitegrade/weburl"
)

// fetchCode returns the code with which an audit fails, "" for a report.
func fetchCode(t *testing.T, a *Auditor, address string) fetch.Code {
	t.Helper()
	_, err := a.Audit(t.Context(), weburl.Resolve(nil, address))
	var failure *fetch.Failure
	if err != nil && !errors.As(err, &failure) {
		t.Fatalf("%s: %v is no failure", address, err)
	}
	if failure == nil {
		return ""
	}
	if failure.Detail == "" {
		t.Errorf("%s: the failure %s says nothing", address, failure.Code)
	}
	return failure.Code
}

func TestRedirects(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		var n int
		if _, err := fmt.Sscanf(r.URL.Path, "/count/%d", &n); err == nil && n > 0 {
			http.Redirect(w, r, fmt.Sprintf("/count/%d", n-1), http.StatusTemporaryRedirect)
			return
		}
		if target, ok := strings.CutPrefix(r.URL.RawQuery, "to="); ok {
			w.Header().Set("Location", target)
			w.WriteHeader(http.StatusSeeOther)
			return
		}
		servePage(w, "<title>here</title>")
	})
	tests := []struct {
		path  string
		code  fetch.Code
		final string // where there is a report
	}{
		{"/a?to=/b", "", "/b"},
		{"/a/?to=b%20c", "", "/a/b%20c"},
		{"/a?to=/b#part", "", "/b"},
		{"/a?to=//127.0.0.1:1/", fetch.CodeUnreachable, ""},
		{"/count/10", "", "/count/0"},
		{"/count/11", fetch.CodeTooManyRedirects, ""},
		{"/a?to=?to=/b", "", "/b"},
		{"/a?to=ftp://example.com/", fetch.CodeUnreachable, ""},
		{"/a?to=javascript:alert(1)", fetch.CodeUnreachable, ""},
		{"/a?to=http://user:password@example.com/", fetch.CodeUnreachable, ""},
		{"/a?to=http://a..b/", fetch.CodeUnreachable, ""},
		{"/a?to=/" + strings.Repeat("a", weburl.MaxLength), fetch.CodeUnreachable, ""},
		{"/a?to=", fetch.CodeNotHTML, ""}, // no Location: the redirect itself is the answer, and empty
	}
	a := newAuditor(t, Options{SiteRequests: -1, Samples: -1})
	for _, test := range tests {
		report, err := a.Audit(t.Context(), weburl.Resolve(nil, s.URL+test.path))
		var failure *fetch.Failure
		switch {
		case errors.As(err, &failure) && failure.Code != test.code:
			t.Errorf("%s: %v, want %q", test.path, failure, test.code)
		case err == nil && (test.code != "" || report.FinalURL != s.URL+test.final):
			t.Errorf("%s leads to %s, want %q %s", test.path, report.FinalURL, test.code, test.final)
		}
	}
}

func TestRedirectLoop(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		next := map[string]string{"/self": "/self", "/a": "/b", "/b": "/c", "/c": "/b"}[r.URL.Path]
		http.Redirect(w, r, next, http.StatusFound)
	})
	a := newAuditor(t, Options{})
	for _, path := range []string{"/self", "/a", "/self#part"} {
		if code := fetchCode(t, a, s.URL+path); code != fetch.CodeRedirectLoop {
			t.Errorf("%s: %q", path, code)
		}
	}
}

// The body of a redirect is nothing to wait for.
func TestRedirectThatHangs(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/new" {
			servePage(w, "")
			return
		}
		w.Header().Set("Location", "/new")
		w.WriteHeader(http.StatusFound)
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	})
	a := newAuditor(t, Options{SiteRequests: -1, Samples: -1})
	if code := fetchCode(t, a, s.URL+"/old"); code != "" {
		t.Errorf("a redirect whose body never ends gives %q", code)
	}
}

func TestContentTypes(t *testing.T) {
	const html = "<!doctype html><title>x</title>"
	tests := []struct {
		media, body string
		status      int
		code        fetch.Code
		size        int64
	}{
		{"text/html", html, 200, "", 31},
		{"TEXT/HTML; charset=utf-8", html, 200, "", 31},
		{"application/xhtml+xml", html, 200, "", 31},
		{"text/html", "", 200, "", 0},
		{"text/html", "only text", 200, "", 9},
		{"", html, 200, "", 31},
		{"", "\x00\x01", 200, fetch.CodeNotHTML, 0},
		{"text/plain", html, 200, "", 31},
		{"text/plain", "only text", 200, fetch.CodeNotHTML, 0},
		{"application/xml", "<?xml version='1.0'?><rss/>", 200, fetch.CodeNotHTML, 0},
		{"application/json", `{"a": "<html>"}`, 200, fetch.CodeNotHTML, 0},
		{"image/png", html, 200, fetch.CodeNotHTML, 0},
		{"application/pdf", "%PDF-1.4", 200, fetch.CodeNotHTML, 0},
		{"text/html", html, 404, "", 31},
		{"application/json", `{"error": "x"}`, 500, "", 0},
		{"image/png", "\x89PNG", 404, "", 0},
		{"", "", 403, "", 0},
		{"", "", 204, fetch.CodeNotHTML, 0},
	}
	a := newAuditor(t, Options{SiteRequests: -1, Samples: -1})
	for _, test := range tests {
		s := serve(t, func(w http.ResponseWriter, r *http.Request) {
			w.Header()["Content-Type"] = nil
			if test.media != "" {
				w.Header().Set("Content-Type", test.media)
			}
			w.WriteHeader(test.status)
			w.Write([]byte(test.body))
		})
		report, err := a.Audit(t.Context(), weburl.Resolve(nil, s.URL))
		var failure *fetch.Failure
		switch {
		case err == nil && (test.code != "" || report.Size != test.size || report.HTTPStatus != test.status):
			t.Errorf("%+v gives a report with status %d and size %d", test, report.HTTPStatus, report.Size)
		case err != nil && (!errors.As(err, &failure) || failure.Code != test.code):
			t.Errorf("%+v gives %v", test, err)
		}
		if err == nil && test.status >= 400 && report.Score != 0 {
			t.Errorf("status %d has score %d", test.status, report.Score)
		}
	}
}

func TestSizeLimit(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		var n int
		fmt.Sscanf(r.URL.Path, "/%d", &n)
		servePage(w, strings.Repeat("x", n))
	})
	a := newAuditor(t, Options{MaxSize: 1000, SiteRequests: -1, Samples: -1})
	for n, want := range map[int]fetch.Code{999: "", 1000: "", 1001: fetch.CodeTooLarge, 100_000: fetch.CodeTooLarge} {
		if code := fetchCode(t, a, fmt.Sprintf("%s/%d", s.URL, n)); code != want {
			t.Errorf("%d bytes: %q, want %q", n, code, want)
		}
	}
}

// A body without an end must be given up at the limit, not at the end of the time.
func TestEndlessBody(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		for line := []byte(strings.Repeat("x", 4096)); r.Context().Err() == nil; {
			if _, err := w.Write(line); err != nil {
				return
			}
		}
	})
	a := newAuditor(t, Options{Timeout: time.Minute})
	if code := fetchCode(t, a, s.URL); code != fetch.CodeTooLarge {
		t.Errorf("an endless body gives %q", code)
	}
}

func TestHeaderFlood(t *testing.T) {
	flood := func(w http.ResponseWriter, r *http.Request) {
		lines := 700 // 80 kB
		if r.URL.Path == "/much" {
			lines = 7000
		}
		for i := range lines {
			w.Header().Set(fmt.Sprintf("X-Flood-%d", i), strings.Repeat("x", 100))
		}
		servePage(w, "<title>x</title>")
	}
	plain := serve(t, flood)
	encrypted := serveTLS(t, flood)
	a := newAuditor(t, Options{})
	for _, address := range []string{plain.URL, plain.URL + "/much", encrypted.URL, encrypted.URL + "/much"} {
		if code := fetchCode(t, a, address); code != fetch.CodeTooLarge {
			t.Errorf("%s: %q", address, code)
		}
	}
}

// What a server does with the connection instead of answering.
func TestBrokenServers(t *testing.T) {
	tests := []struct {
		name, answer string
		code         fetch.Code
	}{
		{"closes at once", "", fetch.CodeUnreachable},
		{"speaks something else", "SSH-2.0-OpenSSH_9.9\r\n", fetch.CodeUnreachable},
		{"breaks off in the headers", "HTTP/1.1 200 OK\r\nContent-", fetch.CodeUnreachable},
		{"breaks off in the body", "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 100\r\n\r\n<title>", fetch.CodeUnreachable},
		{"breaks off in a chunk", "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n20\r\n<title>", fetch.CodeUnreachable},
		{"sends a chunk that is none", "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", fetch.CodeUnreachable},
		{"sends no gzip", "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\nContent-Length: 7\r\n\r\n<title>", fetch.CodeUnreachable},
		{"sends a control character in a header", "HTTP/1.1 200 OK\r\nX-A: b\x01c\r\n\r\n", fetch.CodeNotHTML},
		{"sends NUL in a header", "HTTP/1.1 200 OK\r\nX-A: \x00\r\n\r\n", fetch.CodeNotHTML},
		{"sends no length", "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<title>x</title>", ""},
	}
	a := newAuditor(t, Options{SiteRequests: -1, Samples: -1})
	for _, test := range tests {
		address := answerOnce(t, test.answer)
		if code := fetchCode(t, a, "http://"+address); code != test.code {
			t.Errorf("a server that %s: %q, want %q", test.name, code, test.code)
		}
	}
}

// answerOnce returns the address of a server that reads a request, writes the bytes and closes, each time it is asked.
func answerOnce(t *testing.T, answer string) string {
	t.Helper()
	return fetchtest.Listen(t, "127.0.0.1:0", func(conn net.Conn) {
		for r := bufio.NewReader(conn); ; {
			if line, err := r.ReadString('\n'); err != nil || line == "\r\n" {
				break
			}
		}
		conn.Write([]byte(answer))
	})
}

// stall returns a server that sends what comes before and then waits until the client goes away.
func stall(t *testing.T, before string) string {
	return serve(t, func(w http.ResponseWriter, r *http.Request) {
		if before != "" {
			servePage(w, before)
			w.(http.Flusher).Flush()
		}
		<-r.Context().Done()
	}).URL
}

func TestTimeout(t *testing.T) {
	a := newAuditor(t, Options{Timeout: 50 * time.Millisecond})
	for _, before := range []string{"", "<title>slow"} {
		if code := fetchCode(t, a, stall(t, before)); code != fetch.CodeTimeout {
			t.Errorf("after %q: %q", before, code)
		}
	}
}

func TestCallerGivesUp(t *testing.T) {
	asked := make(chan struct{})
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		close(asked)
		<-r.Context().Done()
	})
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-asked
		cancel()
	}()
	if _, err := newAuditor(t, Options{}).Audit(ctx, weburl.Resolve(nil, s.URL)); !errors.Is(err, context.Canceled) {
		t.Errorf("an audit that the caller ended gives %v", err)
	}
	expired, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	if _, err := newAuditor(t, Options{}).Audit(expired, weburl.Resolve(nil, stall(t, ""))); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("an audit whose caller's time is over gives %v", err)
	}
}

func TestRequestHeaders(t *testing.T) {
	got := make(chan http.Header, 1)
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		got <- r.Header
		servePage(w, "")
	})
	if code := fetchCode(t, newAuditor(t, Options{SiteRequests: -1, Samples: -1}), s.URL); code != "" {
		t.Fatal(code)
	}
	h := <-got
	if agent := h.Get("User-Agent"); !strings.HasPrefix(agent, robotsToken+"/") {
		t.Errorf("User-Agent: %s", agent)
	}
	if !strings.HasPrefix(h.Get("Accept"), "text/html") || h.Get("Cookie")+h.Get("Referer") != "" {
		t.Errorf("the request has the headers %v", h)
	}
}

// A page of a few kilobytes on the wire and gigabytes decoded must end at the limit.
func TestBombs(t *testing.T) {
	zeros := make([]byte, 4<<20)
	for _, coding := range fetchtest.Codings {
		header := strings.Replace(coding, "bare", "deflate", 1)
		bomb := fetchtest.Encode(t, zeros, coding)
		s := serve(t, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Encoding", header)
			w.Header().Set("Content-Type", "text/html")
			w.Write(bomb)
		})
		if code := fetchCode(t, newAuditor(t, Options{MaxSize: 256 << 10}), s.URL); code != fetch.CodeTooLarge {
			t.Errorf("a bomb of %s, %d bytes, gives %q", coding, len(bomb), code)
		}
	}
}
