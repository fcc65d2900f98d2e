package cli

import (
	"context"
	"errors"
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

func (s *server) serveMetrics(w http.ResponseWriter, r *http.Request) {
	var e exposition
	e.family("sitegrade_build_info", "gauge", "The version that runs; always 1.")
	e.sample("sitegrade_build_info", 1, "version", buildVersion())
	s.writeServers(&e)
	s.metrics.write(&e)
	s.writeAudits(&e)
	if err := errors.Join(s.writeStore(&e), s.writeTold(r.Context(), &e)); err != nil {
		s.log.Error("the metrics lack the database", "error", err)
	}
	if free, err := freeDisk(s.settings.Data); err == nil {
		e.gauge("sitegrade_disk_free_bytes", "Bytes that can still be written where the data is.", float64(free))
	}
	w.Header().Set("Content-Type", expositionType)
	_, _ = w.Write([]byte(e.String())) // a client that is gone cannot be told
}

// writeServers writes which of several servers this one is.
func (s *server) writeServers(e *exposition) {
	e.gauge("sitegrade_servers", "Servers that live and share the database, this one among them.", float64(s.store.Servers()))
	if name := s.store.Server(); name != "" {
		e.family("sitegrade_server_info", "gauge", "The name of this server among them, as /readyz has it; always 1.")
		e.sample("sitegrade_server_info", 1, "server", name)
	}
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
	e.gauge("sitegrade_queue_depth", "Reports that wait for an audit or are in one.", float64(stats.Queued))
	e.gauge("sitegrade_queue_age_seconds", "How long the first of them has been waiting.", ageOf(stats.OldestQueued))
	for _, g := range stats.Gauges {
		e.gauge("sitegrade_database_"+g.Name, g.Help, g.Value)
	}
	return nil
}

// writeTold writes how schedules and deliveries stand.
func (s *server) writeTold(ctx context.Context, e *exposition) error {
	late, err := s.store.ScheduleStats(ctx, s.settings.ScheduleSpread)
	if err != nil {
		return err
	}
	e.gauge("sitegrade_schedules_late", "Schedules whose start has passed, and those of which reports are still to be queued.", float64(late.Late))
	e.gauge("sitegrade_schedules_late_seconds", "How long ago the first of those starts was.", ageOf(late.Oldest))
	pending, err := s.store.DeliveryStats(ctx)
	if err != nil {
		return err
	}
	e.gauge("sitegrade_deliveries_pending", "Deliveries to webhooks that wait for an attempt.", float64(pending.Pending))
	e.gauge("sitegrade_deliveries_pending_age_seconds", "How long ago the oldest of them was made.", ageOf(pending.OldestPending))
	stats := s.teller.Stats()
	const events, attempts = "sitegrade_events_total", "sitegrade_delivery_attempts_total"
	e.family(events, "counter", "Deliveries that were attempted for the first time, by event.")
	for _, event := range slices.Sorted(maps.Keys(stats.Events)) {
		e.sample(events, float64(stats.Events[event]), "event", string(event))
	}
	e.family(attempts, "counter", "Attempts to deliver, by what came of them.")
	for _, outcome := range slices.Sorted(maps.Keys(stats.Ended)) {
		e.sample(attempts, float64(stats.Ended[outcome]), "outcome", outcome)
	}
	return nil
}

// ageOf returns how many seconds ago a moment was; 0 for the zero time.
func ageOf(t time.Time) float64 {
	if t.IsZero() {
		return 0
	}
	return max(0, time.Since(t).Seconds())
}
