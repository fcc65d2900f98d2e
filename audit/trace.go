package audit

import (
	"crypto/tls"
	"net/http/httptrace"
	"sync"
	"time"
)

// trace notes when the phases of one request began and ended. The transport calls its hooks from several goroutines, and some
// of them after the request is over.
type trace struct {
	mu                      sync.Mutex
	dns, connect, handshake phase
	handshakeErr            error
	sent, firstByte         time.Time
}

type phase struct{ start, end time.Time }

func (p phase) milliseconds() float64 { return milliseconds(p.start, p.end) }

// milliseconds returns the time between two moments, 0 when one of them never came.
func milliseconds(from, to time.Time) float64 {
	if from.IsZero() || to.Before(from) {
		return 0
	}
	return float64(to.Sub(from).Microseconds()) / 1000
}

func (t *trace) hooks() *httptrace.ClientTrace {
	return &httptrace.ClientTrace{
		DNSStart: func(httptrace.DNSStartInfo) { t.first(&t.dns.start) },
		DNSDone:  func(httptrace.DNSDoneInfo) { t.last(&t.dns.end) },
		// With several addresses there are several attempts: the phase lasts from the first to the end of the one that worked.
		ConnectStart: func(_, _ string) { t.first(&t.connect.start) },
		ConnectDone: func(_, _ string, err error) {
			if err == nil {
				t.last(&t.connect.end)
			}
		},
		TLSHandshakeStart: func() { t.first(&t.handshake.start) },
		TLSHandshakeDone: func(_ tls.ConnectionState, err error) {
			t.last(&t.handshake.end)
			t.mu.Lock()
			defer t.mu.Unlock()
			t.handshakeErr = err
		},
		WroteRequest:         func(httptrace.WroteRequestInfo) { t.last(&t.sent) },
		GotFirstResponseByte: func() { t.last(&t.firstByte) },
	}
}

func (t *trace) first(at *time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if at.IsZero() {
		*at = time.Now()
	}
}

func (t *trace) last(at *time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	*at = time.Now()
}

func (t *trace) handshakeFailed() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.handshakeErr != nil
}

// timings returns the phases of the request of an audit that began at start. Its body had come at end.
func (t *trace) timings(start, end time.Time) Timings {
	t.mu.Lock()
	defer t.mu.Unlock()
	return Timings{
		DNS:      t.dns.milliseconds(),
		Connect:  t.connect.milliseconds(),
		TLS:      t.handshake.milliseconds(),
		TTFB:     milliseconds(t.sent, t.firstByte),
		Download: milliseconds(t.firstByte, end),
		Document: milliseconds(start, end),
	}
}
