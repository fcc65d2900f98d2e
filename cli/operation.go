package cli

import (
	"context"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"slices"
	"time"
)

// operationServer returns the server of metrics and health for those who operate Sitegrade, apart from the port that everybody reaches.
func (s *server) operationServer(ctx context.Context) *http.Server {
	mux := http.NewServeMux()
	mux.Handle("/livez", s.health)
	mux.Handle("/readyz", s.health)
	mux.HandleFunc("GET /metrics", s.serveMetrics)
	return &http.Server{
		Handler:           mux,
		ReadHeaderTimeout: headerTimeout,
		ReadTimeout:       bodyTimeout,
		WriteTimeout:      time.Minute,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    maxHeader,
		BaseContext:       func(net.Listener) context.Context { return ctx },
		ErrorLog:          slog.NewLogLogger(s.log.Handler(), slog.LevelDebug),
	}
}

func (s *server) serveMetrics(w http.ResponseWriter, _ *http.Request) {
	var e exposition
	e.family("sitegrade_build_info", "gauge", "The version that runs; always 1.")
	e.sample("sitegrade_build_info", 1, "version", buildVersion())
	s.metrics.write(&e)
	s.writeAudits(&e)
	if err := s.writeStore(&e); err != nil {
		s.log.Error("the metrics lack the database", "error", err)
	}
	if free, err := freeDisk(s.settings.Data); err == nil {
		e.gauge("sitegrade_disk_free_bytes", "Bytes that can still be written where the data is.", float64(free))
	}
	w.Header().Set("Content-Type", expositionType)
	_, _ = w.Write([]byte(e.String())) // a client that is gone cannot be told
}

func (s *server) writeAudits(e *exposition) {
	stats := s.worker.Stats()
	e.gauge("sitegrade_audits_running", "Audits under way at this moment, most of which wait for a network.", float64(stats.Running))
	e.gauge("sitegrade_audits_computing", "Those of them that use the processor, at most as many as workers.", float64(s.auditor.Computing()))
	const name = "sitegrade_audits_total"
	e.family(name, "counter", "Audits that ended, by outcome: done, or why the page could not be had.")
	e.sample(name, float64(stats.Done), "outcome", "done")
	for _, code := range slices.Sorted(maps.Keys(stats.Failed)) {
		e.sample(name, float64(stats.Failed[code]), "outcome", string(code))
	}
}

func (s *server) writeStore(e *exposition) error {
	stats, err := s.store.Stats()
	if err != nil {
		return err
	}
	age := 0.0
	if !stats.OldestQueued.IsZero() {
		age = max(0, time.Since(stats.OldestQueued).Seconds())
	}
	e.gauge("sitegrade_queue_depth", "Reports that wait for an audit or are in one.", float64(stats.Queued))
	e.gauge("sitegrade_queue_age_seconds", "How long the first of them has been waiting.", age)
	for _, g := range stats.Gauges {
		e.gauge("sitegrade_database_"+g.Name, g.Help, g.Value)
	}
	return nil
}
