package notify

import (
	"context"
	"crypto/x509"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"

	"sitegrade/fetch"
	"sitegrade/fetch/fetchtest"
)

// to returns a target of a format without signatures.
func to(url string) Target { return Target{URL: url, Format: Discord} }

func TestOutcomes(t *testing.T) {
	s := newSender(t, fetch.Options{}, nil)
	for _, c := range []struct {
		status int
		header string
		want   Outcome
	}{
		{200, "", Outcome{Delivered: true}},
		{204, "", Outcome{Delivered: true}},
		{302, "", Outcome{Detail: "The receiver responded 302, a redirect. The webhook must have the address that receives."}},
		{307, "", Outcome{Detail: "The receiver responded 307, a redirect. The webhook must have the address that receives."}},
		{404, "", Outcome{Detail: "The receiver responded 404 Not Found."}},
		{410, "", Outcome{Gone: true, Detail: "The receiver responded 410 Gone: it wants no more messages."}},
		{429, "90", Outcome{RetryAfter: 90 * time.Second, Detail: "The receiver responded 429 Too Many Requests."}},
		{503, "Sat, 21 Nov 2026 12:05:00 GMT", Outcome{RetryAfter: 5 * time.Minute, Detail: "The receiver responded 503 Service Unavailable."}},
		{599, "", Outcome{Detail: "The receiver responded 599."}},
	} {
		r := receive(t, func(w http.ResponseWriter, request *http.Request) {
			w.Header().Set("Location", "http://"+request.Host+"/elsewhere")
			if c.header != "" {
				w.Header().Set("Retry-After", c.header)
			}
			w.WriteHeader(c.status)
			io.WriteString(w, strings.Repeat("<script>", 1<<10))
		})
		c.want.Status = c.status
		o := s.Send(t.Context(), to(r.URL), regressed(), noon)
		o.Took = 0
		if o != c.want {
			t.Errorf("%+v, want %+v", o, c.want)
		}
		r.only(t) // no redirect was followed
	}
}

// A response without an end is not waited for: the status says everything, and what follows is left after a few kilobytes.
func TestEndlessResponse(t *testing.T) {
	r := receive(t, func(w http.ResponseWriter, request *http.Request) {
		for request.Context().Err() == nil {
			io.WriteString(w, strings.Repeat("x", 1<<10))
		}
	})
	deliver(t, newSender(t, fetch.Options{}, nil), to(r.URL), regressed(), noon)
}

// One that never responds ends with the context, and holds up nobody else, not even at the same host.
func TestSilentReceiver(t *testing.T) {
	arrived := make(chan struct{})
	r := receive(t, func(_ http.ResponseWriter, request *http.Request) {
		if request.URL.Path == "/silent" {
			arrived <- struct{}{}
			<-request.Context().Done()
		}
	})
	s := newSender(t, fetch.Options{}, nil)
	ctx, cancel := context.WithCancel(t.Context())
	const silent = 10
	outcomes := make(chan Outcome)
	for range silent {
		go func() { outcomes <- s.Send(ctx, to(r.URL+"/silent"), regressed(), noon) }()
	}
	for range silent {
		<-arrived
	}
	deliver(t, s, to(r.URL+"/other"), regressed(), noon)
	cancel()
	for range silent {
		if o := <-outcomes; o.Delivered || o.Status != 0 || o.Detail != "The server did not respond in time." {
			t.Errorf("%+v", o)
		}
	}
}

// What is wrong is told without the URL, whose path and query are the secret of chats.
func TestDetailsHoldNoSecrets(t *testing.T) {
	refused := httptest.NewServer(nil)
	refused.Close()
	gone := receive(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(500) })
	s := newSender(t, fetch.Options{Resolver: fetchtest.Names(t, nil).Resolver()}, nil)
	for _, format := range Formats {
		for _, url := range []string{
			refused.URL + "/hunter2?token=hunter2", gone.URL + "/hunter2", "http://nowhere.example/hunter2", "http://me:hunter2@127.0.0.1/",
			"hunter2", "ftp://hunter2/", "http://hunter2\x00/", "mailto:hunter2", "http://10.0.0.1/hunter2?hunter2",
		} {
			target := Target{URL: url, Format: format, Signature: V1, Secrets: []Secret{NewSecret(V1)}}
			o := s.Send(t.Context(), target, regressed(), noon)
			if o.Delivered || o.Detail == "" || strings.Contains(o.Detail, "hunter2") {
				t.Errorf("%s %q: %+v", format, url, o)
			}
			if err := s.Check(target); err != nil && strings.Contains(err.Error(), "hunter2") {
				t.Errorf("%s %q: %v", format, url, err)
			}
		}
	}
}

// Not one packet goes to a network that is not allowed, however its address is written, and whatever a name led to the attempt before.
func TestGuard(t *testing.T) {
	port, visits := fetchtest.Canary(t)
	names := fetchtest.Names(t, map[string]string{"inside.example": "127.0.0.1"})
	client := fetch.New(fetch.Options{Resolver: names.Resolver()})
	defer client.Close()
	s := New(client, nil)
	for _, host := range append(fetchtest.ForbiddenHosts, "inside.example") {
		if o := s.Send(t.Context(), to("http://"+net.JoinHostPort(strings.Trim(host, "[]"), port)+"/"), regressed(), noon); o.Delivered || o.Status != 0 {
			t.Errorf("%s: %+v", host, o)
		}
	}
	if visits.Load() != 0 {
		t.Errorf("%d connections were made", visits.Load())
	}
}

// A name that led to an allowed network at the first attempt and to a forbidden one at the next is refused then.
func TestGuardWhenNamesChange(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.2:0")
	if err != nil {
		t.Skip(err)
	}
	r := &httptest.Server{Listener: listener, Config: &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Connection", "close")
	})}}
	r.Start()
	defer r.Close()
	_, port, _ := net.SplitHostPort(listener.Addr().String())
	forbidden, err := net.Listen("tcp", "127.0.0.3:"+port)
	if err != nil {
		t.Skip(err)
	}
	visited := make(chan struct{})
	go func() {
		defer close(visited)
		if conn, err := forbidden.Accept(); err == nil {
			conn.Close()
			t.Error("a connection was made to a forbidden address")
		}
	}()
	defer func() { forbidden.Close(); <-visited }()
	names := fetchtest.Names(t, map[string]string{"turncoat.example": "127.0.0.2 127.0.0.3"})
	options := fetch.Options{Resolver: names.Resolver(), AllowNetworks: []netip.Prefix{netip.MustParsePrefix("127.0.0.2/32")}}
	client := fetch.New(options)
	defer client.Close()
	target := to("http://turncoat.example:" + port + "/")
	for attempt, delivered := range []bool{true, false, false} {
		if o := New(client, nil).Send(t.Context(), target, regressed(), noon); o.Delivered != delivered {
			t.Errorf("attempt %d: %+v", attempt+1, o)
		}
	}
	if names.Lookups("turncoat.example") < 2 {
		t.Error("the name was not looked up anew")
	}
}

// A certificate that browsers refuse ends a delivery before anything is sent, though an audit would go on.
func TestCertificates(t *testing.T) {
	came := 0
	r := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { came++ }))
	r.Config.ErrorLog = log.New(io.Discard, "", 0)
	r.StartTLS()
	defer r.Close()
	o := newSender(t, fetch.Options{}, nil).Send(t.Context(), to(r.URL), regressed(), noon)
	if o.Delivered || came != 0 || !strings.Contains(o.Detail, "certificate") {
		t.Errorf("%+v, %d requests", o, came)
	}
	roots := x509.NewCertPool()
	roots.AddCert(r.Certificate())
	deliver(t, newSender(t, fetch.Options{Roots: roots}, nil), to(r.URL), regressed(), noon)
}

func TestCheck(t *testing.T) {
	client := fetch.New(fetch.Options{})
	defer client.Close()
	mailer, err := NewMailer("smtp://localhost", "s@example.com")
	if err != nil {
		t.Fatal(err)
	}
	with, without := New(client, mailer), New(client, nil)
	for _, c := range []struct {
		s      *Sender
		format Format
		url    string
		says   string
	}{
		{without, Standard, "https://example.com/hook", ""},
		{without, Standard, "http://10.1.2.3/", "network"},
		{without, Standard, "ftp://example.com/", "http://"},
		{without, Standard, "mailto:a@b.c", "http://"},
		{without, Ntfy, "https://ntfy.sh/", "topic"},
		{without, Ntfy, "https://ntfy.sh/my%20topic", "topic"},
		{without, Ntfy, "https://ntfy.sh/topic?auth=x", ""},
		{without, Ntfy, "http://127.0.0.1/topic", "network"},
		{without, Email, "mailto:a@b.c", "smtp_url"},
		{with, Email, "mailto:a@b.c", ""},
		{with, Email, "https://b.c/", "mailto:"},
	} {
		err := c.s.Check(Target{URL: c.url, Format: c.format})
		if (err == nil) != (c.says == "") || err != nil && !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s %s: %v, want %q", c.format, c.url, err, c.says)
		}
	}
}
