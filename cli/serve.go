package cli

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/net/netutil"

	"sitegrade/api"
	"sitegrade/audit"
	"sitegrade/db"
	"sitegrade/db/bolt"
	"sitegrade/httpx"
	"sitegrade/mcp"
	"sitegrade/terminal"
	"sitegrade/web"
	"sitegrade/worker"
)

// How the server ends: audits under way get auditGrace, and then the responses that are still being written get responseGrace. A process that is
// told to stop ends within the two together and a little.
const (
	auditGrace    = 10 * time.Second
	responseGrace = 5 * time.Second
)

// The limits of a connection. A create may wait for api.MaxWait before its response is written, so writing gets more than that.
const (
	headerTimeout = 10 * time.Second
	bodyTimeout   = 30 * time.Second
	writeTimeout  = api.MaxWait + 30*time.Second
	idleTimeout   = 2 * time.Minute
	maxHeader     = 32 << 10
)

// serve runs the server until the first signal.
func serve(ctx context.Context, c *console, args []string) error {
	var trial bool
	read := func() (*settings, error) {
		fs := c.flags()
		fs.BoolVar(&trial, "try", false, "start on a free port, see whether pages and API respond, do none of the work, and end")
		return c.configureAlone(fs, allOptions, args)
	}
	settings, err := read()
	if err != nil {
		return err
	}
	if trial {
		return c.tryOut(ctx, settings)
	}
	level := new(slog.LevelVar)
	level.Set(settings.LogLevel)
	s, err := openServer(ctx, settings, c.logger(level))
	if err != nil {
		return err
	}
	s.reread, s.level = read, level
	settings.tuneMemory()
	s.greet(c.stdout)
	return s.run(ctx)
}

// logger writes text where somebody looks and JSON where a machine reads.
func (c *console) logger(level slog.Leveler) *slog.Logger {
	if terminal.IsTerminal(c.stderr) {
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
	store    db.Store
	auditor  *audit.Auditor
	worker   *worker.Worker
	planner  *worker.Planner
	crawler  *worker.Crawler
	teller   *worker.Teller
	api      *api.API
	mcp      *mcp.Server
	web      *web.Web
	health   *health
	metrics  *requestMetrics
	listener net.Listener
	control  net.Listener // nil when the socket could not be made
	operated net.Listener // of metrics_listen; nil for none

	certificate *certificate // nil unless it comes from files
	encrypted   bool         // the port speaks TLS
	reread      func() (*settings, error)
	level       *slog.LevelVar
}

// openServer opens and connects all parts. Nothing is left open when it fails.
func openServer(ctx context.Context, settings *settings, log *slog.Logger) (*server, error) {
	store, err := openStore(ctx, settings, true)
	if errors.Is(err, bolt.ErrInUse) {
		return nil, fmt.Errorf("another server runs on %s: stop it, or give this one a directory of its own with -data", settings.Data)
	}
	if err != nil {
		return nil, err
	}
	s := &server{settings: settings, log: log, store: store}
	if s.key, err = prepareKeys(ctx, store, settings.Data, log); err != nil {
		return nil, errors.Join(err, store.Close())
	}
	secret, err := cookieSecret(settings.Data)
	if err != nil {
		return nil, errors.Join(err, store.Close())
	}
	if err = warnOfSecret(ctx, store, log); err == nil {
		err = s.listen()
	}
	if err != nil {
		return nil, errors.Join(err, store.Close())
	}
	if s.control, err = listenControl(settings.Data); err != nil {
		log.Warn("the control socket cannot be made: keys, export, import, backup and check will not work while the server runs", "error", err)
	}
	s.removeOldCopies()
	for _, path := range openToOthers(settings.Data) {
		log.Warn("other users of this machine can get at what only the server should read: take their rights away (chmod go= PATH)", "path", path)
	}
	s.auditor = settings.auditor(settings.AllowNetworks)
	s.worker = worker.New(store, s.auditor, worker.Options{Audits: settings.Workers * auditsPerWorker, Log: log})
	s.planner = worker.NewPlanner(store, settings.ScheduleSpread, log)
	s.crawler = worker.NewCrawler(store, s.auditor, log)
	sender, err := settings.sender()
	if err != nil {
		return nil, errors.Join(err, s.listener.Close(), store.Close())
	}
	s.teller = worker.NewTeller(store, sender, cmp.Or(settings.BaseURL, s.address()), log)
	s.metrics = newRequestMetrics()
	s.health = &health{store: store, data: settings.Data, running: func() int { return s.worker.Stats().Running }}
	s.openInterfaces(secret)
	return s, nil
}

// openInterfaces makes what requests come to. secret is what cookies are signed with.
func (s *server) openInterfaces(secret []byte) {
	settings := s.settings
	origins := httpx.Origins{
		BaseURL: settings.BaseURL, TrustedProxies: settings.TrustedProxies, ForwardedHeaders: settings.ForwardedHeaders,
	}
	limits := httpx.NewLimits(float64(settings.RateLimit), s.store.Servers)
	s.api = api.New(s.store, s.worker, api.Options{
		Origins:      origins,
		Wait:         noneAsNegative(settings.Wait),
		Limits:       limits,
		CORSOrigins:  settings.CORSOrigins,
		Forbidden:    s.auditor.Forbidden,
		CheckWebhook: s.teller.Check,
		Observe:      s.metrics.observe,
		Log:          s.log,
	})
	s.mcp = mcp.New(s.store, s.worker, mcp.Options{
		Origins: origins, Wait: noneAsNegative(settings.Wait), Limits: limits, Forbidden: s.auditor.Forbidden,
		Observe: s.metrics.observe, Version: buildVersion(), Log: s.log,
	})
	s.web = web.New(s.store, s.worker, web.Options{
		Origins: origins, Limits: limits, Secret: secret, IndexShared: settings.IndexShared, Auditor: s.auditor, CheckWebhook: s.teller.Check,
		OpenAPI: s.api.Description(), Tools: mcp.Path, Observe: s.metrics.observe, Log: s.log,
	})
}

// ServeHTTP hands a request to the API, to the tools of agents, or to the pages around them.
func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case strings.HasPrefix(r.URL.Path, "/api/"):
		s.api.ServeHTTP(w, r)
	case r.URL.Path == mcp.Path:
		s.mcp.ServeHTTP(w, r)
	case s.health.answers(r.URL.Path):
		s.health.ServeHTTP(w, r)
	default:
		s.web.ServeHTTP(w, r)
	}
}

// listen opens the ports of the configuration, all or none.
func (s *server) listen() error {
	config, certificate, err := s.settings.tlsConfig()
	if err != nil {
		return err
	}
	if s.listener, err = listen(s.settings.Listen); err != nil {
		return err
	}
	if s.settings.MetricsListen != "" {
		if s.operated, err = listen(s.settings.MetricsListen); err != nil {
			return errors.Join(fmt.Errorf("metrics_listen: %w", err), s.listener.Close())
		}
	}
	s.listener = netutil.LimitListener(s.listener, s.settings.MaxConnections)
	if len(s.settings.ACMEHosts) > 0 {
		config.GetCertificate = getCertificate(config.GetCertificate).warning(s.settings.ACMEHosts, s.log)
	}
	if config != nil {
		s.listener, s.certificate, s.encrypted = tls.NewListener(s.listener, config), certificate, true
	}
	return nil
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

// errStopping is the cause of the end of requests that take longer than the server may take to stop.
var errStopping = errors.New("the server is stopping")

// run serves until ctx ends, and then closes everything in order: it takes no new requests, lets audits under way and the requests that wait for
// them finish, and closes the database.
func (s *server) run(ctx context.Context) error {
	requests, cut := context.WithCancelCause(context.Background())
	cutRequests := func() { cut(errStopping) }
	defer cutRequests()
	public := s.publicServer(requests)
	failed := make(chan error, 3)
	go func() { failed <- public.Serve(s.listener) }()
	operation := s.operationServer(requests)
	if s.operated != nil {
		go func() { failed <- operation.Serve(s.operated) }()
	}
	control := controlServer(requests, surroundings{store: s.store, data: s.settings.Data, log: s.log}, s.log)
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
	var besides sync.WaitGroup
	besides.Go(func() { s.forget(working) })
	besides.Go(func() { s.planner.Run(working) })
	besides.Go(func() { s.crawler.Run(working) })
	besides.Go(func() { s.teller.Run(working) })
	signals := hangups()
	besides.Go(func() { s.reloadOn(working, signals) })
	s.notify(serviceReady)

	var err error
	select {
	case <-ctx.Done():
		s.log.Info("stopping", "grace", auditGrace)
	case err = <-failed:
	}
	s.health.stop()
	s.notify(serviceStopping)
	stopWorking()
	besides.Wait()
	err = errors.Join(err, s.stop(cutRequests, worked, public, operation, control))
	s.log.Info("stopped")
	return err
}

// notify tells the service manager, if there is one, how the server is.
func (s *server) notify(state string) {
	if err := notifyService(state); err != nil {
		s.log.Warn("the service manager cannot be told", "state", state, "error", err)
	}
}

// stop closes what run has opened. Metrics and commands are served until the audits are done.
func (s *server) stop(cutRequests func(), worked <-chan struct{}, public, operation, control *http.Server) error {
	ending, cancel := context.WithTimeout(context.Background(), auditGrace+responseGrace)
	defer cancel()
	time.AfterFunc(auditGrace+responseGrace/2, cutRequests)
	err := shutDown(ending, public)
	<-worked
	return errors.Join(err, shutDown(ending, operation), shutDown(ending, control), s.api.Close(ending), s.mcp.Close(ending), s.store.Close())
}

// shutDown waits for the requests of a server, and breaks off those that are not done in time.
func shutDown(ctx context.Context, server *http.Server) error {
	if err := server.Shutdown(ctx); errors.Is(err, context.DeadlineExceeded) {
		return server.Close()
	} else {
		return err
	}
}

// publicServer returns the server of the port. requests is what every request's context comes from.
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
