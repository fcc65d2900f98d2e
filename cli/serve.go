package cli

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"sitegrade/api"
	"sitegrade/db"
	"sitegrade/web"
	"sitegrade/worker"
)

// How the server ends: running audits get auditGrace, then what answers are still on their way get answerGrace. A process that is
// told to stop is gone within the sum and a little.
const (
	auditGrace  = 10 * time.Second
	answerGrace = 5 * time.Second
)

// The limits of a connection. A create may wait for api.MaxWait, so that writing gets more than that.
const (
	headerTimeout = 10 * time.Second
	bodyTimeout   = 30 * time.Second
	writeTimeout  = api.MaxWait + 30*time.Second
	idleTimeout   = 2 * time.Minute
	maxHeader     = 32 << 10
)

// serve runs the server until the first signal.
func serve(ctx context.Context, c *console, args []string) error {
	settings, err := c.configureAlone(c.flags(), allOptions, args)
	if err != nil {
		return err
	}
	log := c.logger(settings.LogLevel)
	s, err := openServer(ctx, settings, log)
	if err != nil {
		return err
	}
	s.greet(c.stdout)
	return s.run(ctx)
}

// logger writes text where somebody looks and JSON where a machine reads.
func (c *console) logger(level slog.Level) *slog.Logger {
	if isTerminal(c.stderr) {
		return slog.New(slog.NewTextHandler(c.stderr, &slog.HandlerOptions{Level: level}))
	}
	return slog.New(slog.NewJSONHandler(c.stderr, &slog.HandlerOptions{Level: level, ReplaceAttr: inMilliseconds}))
}

// inMilliseconds writes durations as numbers with their unit in the name, where the JSON of slog has bare nanoseconds.
func inMilliseconds(_ []string, a slog.Attr) slog.Attr {
	if a.Value.Kind() != slog.KindDuration {
		return a
	}
	return slog.Float64(a.Key+"_ms", float64(a.Value.Duration())/float64(time.Millisecond))
}

// server is the wired whole of a running server.
type server struct {
	settings *settings
	log      *slog.Logger
	key      string // how a shell reads a key that can be used: "$(cat ./data/first-key)"; "" for none
	store    *db.DB
	worker   *worker.Worker
	api      *api.API
	web      *web.Web
	listener net.Listener
	control  net.Listener // nil when the socket could not be made
}

// openServer opens and connects all parts. Nothing is left open when it fails.
func openServer(ctx context.Context, settings *settings, log *slog.Logger) (*server, error) {
	store, err := openStore(settings, true)
	if errors.Is(err, db.ErrInUse) {
		return nil, fmt.Errorf("another server runs on %s: stop it, or give this one a directory of its own with -data", settings.Data)
	}
	if err != nil {
		return nil, err
	}
	s := &server{settings: settings, log: log, store: store}
	if s.key, err = prepareKeys(ctx, store, settings.Data, log); err != nil {
		return nil, errors.Join(err, store.Close())
	}
	if s.listener, err = listen(settings.Listen); err != nil {
		return nil, errors.Join(err, store.Close())
	}
	if s.control, err = listenControl(settings.Data); err != nil {
		log.Warn("the control socket cannot be made: keys, export, import, backup and check will not work while the server runs", "error", err)
	}
	s.removeOldCopies()
	auditor := settings.auditor(settings.AllowNetworks)
	s.worker = worker.New(store, auditor, worker.Options{Workers: settings.Workers, Log: log})
	s.api = api.New(store, s.worker, api.Options{
		BaseURL:        settings.BaseURL,
		TrustedProxies: settings.TrustedProxies,
		Wait:           noneAsNegative(settings.Wait),
		RateLimit:      float64(settings.RateLimit),
		Origins:        settings.CORSOrigins,
		Log:            log,
	})
	s.web = web.New(store, s.worker, web.Options{
		BaseURL: settings.BaseURL, Origin: s.api.Origin, IndexShared: settings.IndexShared, Auditor: auditor, OpenAPI: s.api.Description(), Log: log,
	})
	return s, nil
}

// ServeHTTP hands a request to the API, or to the pages around it.
func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if strings.HasPrefix(r.URL.Path, "/api/") {
		s.api.ServeHTTP(w, r)
		return
	}
	s.web.ServeHTTP(w, r)
}

// listen opens the port, or says what to do about it.
func listen(address string) (net.Listener, error) {
	listener, err := net.Listen("tcp", address)
	switch {
	case err == nil:
		return listener, nil
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, fmt.Errorf("%s is in use by another program: stop that, or choose another port with -listen", address)
	case errors.Is(err, syscall.EACCES):
		return nil, fmt.Errorf("%s may not be used by this user: choose a port from 1024 on with -listen", address)
	case errors.Is(err, syscall.EADDRNOTAVAIL):
		return nil, fmt.Errorf("%s is not an address of this machine: choose another with -listen", address)
	default:
		return nil, fmt.Errorf("cannot listen on %s (-listen chooses another): %w", address, err)
	}
}

// removeOldCopies removes what a backup left that died with its process.
func (s *server) removeOldCopies() {
	old, _ := filepath.Glob(filepath.Join(s.settings.Data, copyPattern)) // the pattern is a good one
	for _, path := range old {
		if err := os.RemoveAll(path); err != nil {
			s.log.Warn("an unfinished backup cannot be removed", "path", path, "error", err)
		}
	}
}

// run serves until ctx ends, then closes everything in order: no new requests, a grace for running audits and the answers that
// wait for them, then the database.
func (s *server) run(ctx context.Context) error {
	requests, cutRequests := context.WithCancel(context.Background())
	defer cutRequests()
	public := s.publicServer(requests)
	failed := make(chan error, 2)
	go func() { failed <- public.Serve(s.listener) }()
	control := controlServer(requests, surroundings{store: s.store, data: s.settings.Data, wake: s.worker.Wake}, s.log)
	if s.control != nil {
		go func() { failed <- control.Serve(s.control) }()
	}
	working, stopWorking := context.WithCancel(context.Background())
	defer stopWorking()
	worked := make(chan struct{})
	go func() {
		s.worker.Run(working)
		close(worked)
	}()

	var err error
	select {
	case <-ctx.Done():
		s.log.Info("stopping", "grace", auditGrace)
	case err = <-failed:
	}
	stopWorking()
	err = errors.Join(err, s.stop(public, control, cutRequests, worked))
	s.log.Info("stopped")
	return err
}

// stop closes what run has opened.
func (s *server) stop(public, control *http.Server, cutRequests func(), worked <-chan struct{}) error {
	ending, cancel := context.WithTimeout(context.Background(), auditGrace+answerGrace)
	defer cancel()
	time.AfterFunc(auditGrace+answerGrace/2, cutRequests)
	err := shutDown(ending, public)
	<-worked
	return errors.Join(err, shutDown(ending, control), s.api.Close(ending), s.store.Close())
}

// shutDown waits for a server's answers, and breaks off those that are not done in time.
func shutDown(ctx context.Context, server *http.Server) error {
	if err := server.Shutdown(ctx); errors.Is(err, context.DeadlineExceeded) {
		return server.Close()
	} else {
		return err
	}
}

// publicServer gives the server of the port. requests is what every request's context comes from.
func (s *server) publicServer(requests context.Context) *http.Server {
	return &http.Server{
		Handler:           s,
		ReadHeaderTimeout: headerTimeout,
		ReadTimeout:       bodyTimeout,
		WriteTimeout:      writeTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    maxHeader,
		BaseContext:       func(net.Listener) context.Context { return requests },
		ErrorLog:          slog.NewLogLogger(s.log.Handler(), slog.LevelDebug),
	}
}
