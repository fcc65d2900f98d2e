package fetch

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
	connected               time.Time // when there was a connection for the request
	sent, firstByte         time.Time
}

type phase struct{ start, end time.Time }

// Phases are how long the parts of a request took, 0 for what did not happen: no name to look up, no TLS, a connection that was there.
type Phases struct {
	DNS, Connect, TLS time.Duration
	Wait              time.Duration // from the request's last byte to the response's first
	FirstByte         time.Time     // of the response
}

func (p phase) duration() time.Duration { return between(p.start, p.end) }

// between returns the time between two moments, 0 when one of them never came.
func between(from, to time.Time) time.Duration {
	if from.IsZero() || to.Before(from) {
		return 0
	}
	return to.Sub(from)
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
		GotConn:              func(httptrace.GotConnInfo) { t.last(&t.connected) },
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

// phases returns how long the phases of the request took.
func (t *trace) phases() Phases {
	t.mu.Lock()
	defer t.mu.Unlock()
	sent := t.sent
	if sent.IsZero() || sent.After(t.firstByte) { // the response was faster than the goroutine that tells of the request
		sent = t.connected
	}
	return Phases{
		DNS: t.dns.duration(), Connect: t.connect.duration(), TLS: t.handshake.duration(),
		Wait: between(sent, t.firstByte), FirstByte: t.firstByte,
	}
}
