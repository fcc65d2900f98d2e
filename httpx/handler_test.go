package httpx

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
)

// served returns a real server around a handler, and its log, which is complete once the server is closed.
func served(t *testing.T, o Options, next http.HandlerFunc) (*httptest.Server, *bytes.Buffer) {
	t.Helper()
	log := &bytes.Buffer{}
	o.Log = slog.New(slog.NewJSONHandler(log, nil))
	s := httptest.NewServer(Handler(next, o))
	t.Cleanup(s.Close)
	return s, log
}

// around is a ResponseWriter such as a middleware makes.
type around struct{ http.ResponseWriter }

func (w around) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// TestMiddleware has one between Handler and what it serves, with a writer and a context of its own.
func TestMiddleware(t *testing.T) {
	observed := ""
	inner := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		InfoOf(r.Context()).Route = "/things/:id"
		if _, err := ReadBody(w, r, 3); err == nil {
			t.Error("a body of 4 bytes is read where 3 are allowed")
		}
		w.WriteHeader(http.StatusTeapot)
		if err := http.NewResponseController(w).Flush(); err != nil {
			t.Error(err)
		}
	})
	s, _ := served(t, Options{Observe: func(route, method string, status int, _ time.Duration) {
		observed = fmt.Sprint(route, " ", method, " ", status)
	}}, func(w http.ResponseWriter, r *http.Request) {
		inner.ServeHTTP(around{w}, r.WithContext(context.WithValue(r.Context(), around{}, 1)))
	})
	response, err := http.Post(s.URL+"/things/1", "text/plain", strings.NewReader("four"))
	if err != nil {
		t.Fatal(err)
	}
	_ = response.Body.Close()
	s.Close()
	if observed != "/things/:id POST 418" || !response.Close {
		t.Errorf("observed %q; the connection ends: %v", observed, response.Close)
	}
}

func TestLogLine(t *testing.T) {
	key := uuid.New()
	s, log := served(t, Options{}, func(w http.ResponseWriter, r *http.Request) {
		info := InfoOf(r.Context())
		info.Route, info.Key = "/r/:share", key
		Send(w, r, http.StatusOK, "text/plain", []byte("hello"))
	})
	response, err := http.Head(s.URL + "/r/secret")
	if err != nil {
		t.Fatal(err)
	}
	_ = response.Body.Close()
	s.Close()
	for _, text := range []string{
		`"method":"HEAD"`, `"route":"/r/:share"`, `"status":200`, `"client":"127.0.0.1"`, key.String(), `"request_id":"` + response.Header.Get("X-Request-Id"),
	} {
		if !strings.Contains(log.String(), text) {
			t.Errorf("the log has no %s: %s", text, log)
		}
	}
	if strings.Contains(log.String(), "secret") || response.ContentLength != 5 {
		t.Errorf("%s, %d bytes", log, response.ContentLength)
	}
}

// TestPanic has handlers that panic before and after their response has begun, and one that breaks it off on purpose.
func TestPanic(t *testing.T) {
	for _, test := range []struct {
		path   string
		status int
		logged string
	}{
		{"/before", 500, "a fault"}, {"/after", 0, "a fault"}, {"/abort", 0, ""},
	} {
		s, log := served(t, Options{}, func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != "/before" {
				_, _ = io.WriteString(w, strings.Repeat("half a list", 1000))
			}
			if r.URL.Path == "/abort" {
				panic(http.ErrAbortHandler)
			}
			panic("a fault")
		})
		s.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
		status := 0
		if response, err := http.Get(s.URL + test.path); err == nil {
			if _, err := io.Copy(io.Discard, response.Body); err == nil {
				status = response.StatusCode
			}
			_ = response.Body.Close()
		}
		s.Close()
		if status != test.status || !strings.Contains(log.String(), test.logged) || !strings.Contains(log.String(), `"msg":"request"`) {
			t.Errorf("%s: status %d, log %s", test.path, status, log)
		}
	}
}

// TestClientsThatGoAreNoFault has the context of a request end before its response: by its client, and by the server.
func TestClientsThatGoAreNoFault(t *testing.T) {
	for _, test := range []struct {
		cause  error
		status int
		level  string
	}{
		{nil, StatusClientGone, "INFO"},
		{errors.New("the server ends"), http.StatusServiceUnavailable, "ERROR"},
	} {
		log, observed := &bytes.Buffer{}, 0
		h := Handler(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusServiceUnavailable) }), Options{
			Log: slog.New(slog.NewJSONHandler(log, nil)), Observe: func(_, _ string, status int, _ time.Duration) { observed = status },
		})
		ctx, cancel := context.WithCancelCause(t.Context())
		cancel(test.cause)
		h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(ctx, http.MethodGet, "/", nil))
		if observed != test.status || !strings.Contains(log.String(), `"level":"`+test.level) {
			t.Errorf("%v: observed %d, logged %s", test.cause, observed, log)
		}
	}
}
