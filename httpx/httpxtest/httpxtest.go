// Package httpxtest has what tests of the HTTP interfaces share: a real server over a real database, and requests of it.
package httpxtest

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"path/filepath"
	"testing"
	"time"

	"sitegrade/audit"
	"sitegrade/auth"
	"sitegrade/db/bolt"
	"sitegrade/fetch"
	"sitegrade/worker"
)

// Server is an interface on a real listener, over a real database, with a worker that audits local pages.
type Server struct {
	testing.TB
	Store   *bolt.DB
	Auditor *audit.Auditor
	Worker  *worker.Worker
	HTTP    *httptest.Server // once Serve was called
	Logged  *bytes.Buffer    // what Logger wrote; complete once HTTP is closed

	StopWorker func() // returns when the worker has stopped
}

// New returns a server without an interface, which Serve gives it. All of it ends with the test, when the indexes of the database are held
// against its records.
func New(t testing.TB, storage bolt.Options) *Server {
	t.Helper()
	s := &Server{TB: t, Logged: &bytes.Buffer{}}
	var err error
	storage.Secret = []byte("the secret of a test")
	if s.Store, err = bolt.Open(filepath.Join(t.TempDir(), "sitegrade.db"), storage); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.closeStore)
	s.Auditor = audit.New(fetch.New(fetch.Options{AllowNetworks: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}}), audit.Options{
		SiteRequests: -1, Samples: -1, Timeout: 10 * time.Second,
	})
	s.startWorker()
	return s
}

func (s *Server) startWorker() {
	s.Worker = worker.New(s.Store, s.Auditor, worker.Options{Log: slog.New(slog.DiscardHandler), Audits: 8, PerHost: 4, Grace: time.Millisecond})
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		s.Worker.Run(ctx)
		close(ended)
	}()
	s.StopWorker = func() {
		cancel()
		<-ended
	}
	s.Cleanup(s.StopWorker)
}

// closeStore holds the indexes of the database against its records, and closes it.
func (s *Server) closeStore() {
	checked, err := s.Store.Check(context.Background())
	if err != nil || len(checked.Differences) > 0 {
		s.Errorf("the database: %v, %v", checked.Differences, err)
	}
	if err := s.Store.Close(); err != nil {
		s.Error(err)
	}
}

// Logger returns a logger that writes JSON to Logged.
func (s *Server) Logger() *slog.Logger { return slog.New(slog.NewJSONHandler(s.Logged, nil)) }

// Serve starts HTTP. After the test it ends, and then stop is called, which stores what the interface has in memory.
func (s *Server) Serve(handler http.Handler, stop func(context.Context) error) {
	s.HTTP = httptest.NewServer(handler)
	s.Cleanup(func() {
		s.HTTP.CloseClientConnections()
		s.HTTP.Close()
		if err := stop(context.Background()); err != nil {
			s.Error(err)
		}
	})
}

// NewKey stores a key and returns its secret.
func (s *Server) NewKey(account string, scopes auth.Scope) string {
	s.Helper()
	secret, _ := s.StoreKey(auth.Key{Account: account, Scopes: scopes})
	return secret
}

// StoreKey stores a key like k, and returns its secret and what was stored.
func (s *Server) StoreKey(k auth.Key) (string, auth.Key) {
	s.Helper()
	secret := auth.NewSecret()
	k.Name, k.Hash = "test", auth.HashSecret(secret)
	stored, err := s.Store.CreateKey(context.Background(), k)
	if err != nil {
		s.Fatal(err)
	}
	return secret, stored
}

// Response is a response that was read to its end.
type Response struct {
	Status int
	Header http.Header
	Body   []byte
}

// Do sends a request and reads the response.
func (s *Server) Do(client *http.Client, r *http.Request) Response {
	s.Helper()
	response, err := client.Do(r)
	if err != nil {
		s.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		s.Fatal(err)
	}
	return Response{response.StatusCode, response.Header, body}
}
