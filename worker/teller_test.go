package worker

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"sitegrade/db"
	"sitegrade/db/bolt"
	"sitegrade/fetch"
	"sitegrade/notify"
	"sitegrade/sortfilter"
)

// clock is a time that tests set.
type clock struct {
	mu sync.Mutex
	at time.Time
}

func newClock() *clock { return &clock{at: time.UnixMilli(1_800_000_000_000).UTC()} }

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *clock) advance(by time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(by)
}

// telling is a database with a teller at a time that the test sets.
type telling struct {
	*bench
	*clock
	teller *Teller
	log    *bytes.Buffer
}

// newTelling returns one whose requests may go to these networks, and whose mails go to a server; "" for none.
func newTelling(t *testing.T, allowed []netip.Prefix, smtp string) *telling {
	t.Helper()
	b := &telling{clock: newClock(), log: &bytes.Buffer{}}
	b.bench = newBench(t, bolt.Options{Now: b.now})
	var mailer *notify.Mailer
	if smtp != "" {
		var err error
		if mailer, err = notify.NewMailer(smtp, "sitegrade@sender.example"); err != nil {
			t.Fatal(err)
		}
	}
	sender := notify.New(fetch.New(fetch.Options{AllowNetworks: allowed}), mailer)
	b.teller = NewTeller(b.store, sender, "https://seo.example", slog.New(slog.NewJSONHandler(b.log, &slog.HandlerOptions{Level: slog.LevelDebug})))
	b.teller.now = b.now
	return b
}

// hook makes a webhook.
func (b *telling) hook(url string, events ...string) db.Webhook {
	b.Helper()
	w, _, err := b.store.CreateWebhook(b.ctx, "default", db.NewWebhook{URL: url, Events: events, Secret: notify.NewSecret(notify.V1).Text()})
	if err != nil {
		b.Fatal(err)
	}
	return w
}

// test has a webhook told webhook.test.
func (b *telling) test(w db.Webhook) {
	b.Helper()
	if _, err := b.store.UpdateWebhook(b.ctx, "default", w.ID, db.WebhookChange{Test: true}, nil); err != nil {
		b.Fatal(err)
	}
}

// round attempts what is due now, to its end.
func (b *telling) round() {
	b.Helper()
	var deliveries sync.WaitGroup
	b.teller.deliver(b.ctx, &deliveries)
	deliveries.Wait()
}

// only returns the only delivery to a webhook.
func (b *telling) only(w db.Webhook) db.Delivery {
	b.Helper()
	page, err := b.store.Deliveries(b.ctx, "default", w.ID, sortfilter.Query{PerPage: 10, Page: 1})
	if err != nil || page.Total != 1 {
		b.Fatalf("%d deliveries, %v", page.Total, err)
	}
	return page.Rows[0]
}

// receiver is a server that is told, and responds as the test wants.
type receiver struct {
	*httptest.Server
	mu      sync.Mutex
	respond func(n int, w http.ResponseWriter) // n counts requests from 1; nil: 200
	ids     []string
	bodies  []string
}

func newReceiver(t *testing.T, respond func(n int, w http.ResponseWriter)) *receiver {
	t.Helper()
	r := &receiver{respond: respond}
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		body, _ := io.ReadAll(request.Body) // short, and what is cut off is no JSON
		r.mu.Lock()
		r.ids, r.bodies = append(r.ids, request.Header.Get("webhook-id")), append(r.bodies, string(body))
		n := len(r.ids)
		r.mu.Unlock()
		if r.respond != nil {
			r.respond(n, w)
		}
	}))
	t.Cleanup(r.Close)
	return r
}

// got returns the ids of all requests.
func (r *receiver) got() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]string(nil), r.ids...)
}

func status(codes ...int) func(int, http.ResponseWriter) {
	return func(n int, w http.ResponseWriter) { w.WriteHeader(codes[min(n, len(codes))-1]) }
}

// TestDeliveryIsRepeatedWithItsID has a receiver that fails twice.
func TestDeliveryIsRepeatedWithItsID(t *testing.T) {
	b := newTelling(t, loopback, "")
	r := newReceiver(t, status(500, 502, 204))
	w := b.hook(r.URL, "report.done")
	b.test(w)
	b.round()
	b.round() // it is not due yet
	if d := b.only(w); d.Status != db.DeliveryPending || len(d.Attempts) != 1 || d.Attempts[0].Status != 500 || d.NextAttempt.Sub(b.now()) < 5*time.Second {
		t.Errorf("after a failure it is %+v", d)
	}
	b.advance(6 * time.Second)
	b.round()
	b.advance(6 * time.Minute)
	b.round()
	d := b.only(w)
	if d.Status != db.DeliveryDelivered || len(d.Attempts) != 3 || !d.NextAttempt.IsZero() {
		t.Errorf("delivered it is %+v", d)
	}
	if got := r.got(); len(got) != 3 || got[0] != got[1] || got[1] != got[2] || uuid.Validate(got[0]) != nil {
		t.Errorf("the ids are %v", got)
	}
	if r.bodies[0] != r.bodies[2] || !strings.Contains(r.bodies[0], `"type":"webhook.test"`) {
		t.Errorf("the bodies are %q", r.bodies)
	}
}

// TestReportIsTold audits a page and looks at what a receiver gets of it.
func TestReportIsTold(t *testing.T) {
	b := newTelling(t, loopback, "")
	r := newReceiver(t, nil)
	b.hook(r.URL, "report.done")
	site := newSite(t, nil)
	id := b.create(site.URL + "/")
	w, stop := b.start(Options{})
	b.wait(w, id)
	stop()
	b.round()
	var body struct {
		Type, Timestamp string
		Data            struct{ Report struct{ ID, URL string } }
	}
	if len(r.got()) != 1 || json.Unmarshal([]byte(r.bodies[0]), &body) != nil || body.Type != "report.done" || body.Data.Report.ID != id.String() {
		t.Errorf("told was %q", r.bodies)
	}
}

// TestGoneReceiverIsGivenUp has a receiver that wants no more.
func TestGoneReceiverIsGivenUp(t *testing.T) {
	b := newTelling(t, loopback, "")
	gone, other := newReceiver(t, status(410)), newReceiver(t, nil)
	w := b.hook(gone.URL, "report.done")
	b.hook(other.URL, "webhook.disabled")
	b.test(w)
	b.round()
	if now, err := b.store.Webhook(b.ctx, "default", w.ID); err != nil || now.Enabled || !strings.Contains(now.DisabledReason, "410") {
		t.Errorf("it is %+v, %v", now, err)
	}
	b.round()
	if len(other.got()) != 1 || !strings.Contains(other.bodies[0], w.ID.String()) {
		t.Errorf("the other was told %q", other.bodies)
	}
}

// TestReceiverIsGivenUpAfterTheLastAttempt has a receiver that never works, until it does.
func TestReceiverIsGivenUpAfterTheLastAttempt(t *testing.T) {
	b := newTelling(t, loopback, "")
	r := newReceiver(t, func(n int, w http.ResponseWriter) {
		if n <= notify.MaxAttempts {
			w.WriteHeader(500)
		}
	})
	w := b.hook(r.URL, "report.done")
	b.test(w)
	for range notify.MaxAttempts + 2 {
		b.round()
		b.advance(30 * time.Hour)
	}
	now, err := b.store.Webhook(b.ctx, "default", w.ID)
	if d := b.only(w); err != nil || now.Enabled || d.Status != db.DeliveryFailed || len(d.Attempts) != notify.MaxAttempts {
		t.Errorf("it is %+v, its delivery %+v, %v", now, d, err)
	}
	on := true
	if _, err := b.store.UpdateWebhook(b.ctx, "default", w.ID, db.WebhookChange{Enabled: &on}, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := b.store.Resend(b.ctx, "default", w.ID, b.only(w).ID, nil); err != nil {
		t.Fatal(err)
	}
	b.round()
	if got := r.got(); b.only(w).Status != db.DeliveryDelivered || len(got) != notify.MaxAttempts+1 || got[0] != got[notify.MaxAttempts] {
		t.Errorf("sent again it is %+v, with the ids %v", b.only(w), got)
	}
}

// TestReceiverIsHeeded has receivers that redirect, and that ask for patience.
func TestReceiverIsHeeded(t *testing.T) {
	b := newTelling(t, loopback, "")
	elsewhere := newReceiver(t, nil)
	redirecting := newReceiver(t, func(_ int, w http.ResponseWriter) {
		w.Header().Set("Location", elsewhere.URL)
		w.WriteHeader(http.StatusTemporaryRedirect)
	})
	busy := newReceiver(t, func(_ int, w http.ResponseWriter) {
		w.Header().Set("Retry-After", "7200")
		w.WriteHeader(http.StatusServiceUnavailable)
	})
	moved, patient := b.hook(redirecting.URL, "report.done"), b.hook(busy.URL, "report.done")
	b.test(moved)
	b.test(patient)
	b.round()
	if d := b.only(moved); len(elsewhere.got()) != 0 || d.Status != db.DeliveryPending || d.Attempts[0].Status != http.StatusTemporaryRedirect {
		t.Errorf("after a redirect it is %+v, and %d went on", d, len(elsewhere.got()))
	}
	if d := b.only(patient); d.NextAttempt.Sub(b.now()) < 2*time.Hour {
		t.Errorf("after Retry-After the next attempt is in %s", d.NextAttempt.Sub(b.now()))
	}
}

// TestSilentReceiversHoldUpNobody has more receivers that never respond than one account may have under way of others, while one that works is
// told all that happens.
func TestSilentReceiversHoldUpNobody(t *testing.T) {
	b := newTelling(t, loopback, "")
	b.teller.now = time.Now
	b.reopen(bolt.Options{})
	b.teller.store = b.store
	over := make(chan struct{})
	arrived := make(chan string, 100)
	silent := newReceiver(t, func(int, http.ResponseWriter) { <-over })
	works := newReceiver(t, func(n int, _ http.ResponseWriter) { arrived <- fmt.Sprint(n) })
	for i := range 20 {
		w := b.hook(fmt.Sprintf("%s/%d", silent.URL, i), "report.done")
		for range 5 {
			b.test(w)
		}
	}
	good := b.hook(works.URL, "report.done")
	ctx, stop := context.WithCancel(b.ctx)
	ended := make(chan struct{})
	go func() {
		b.teller.Run(ctx)
		close(ended)
	}()
	for range 10 {
		b.test(good)
		select {
		case <-arrived:
		case <-b.ctx.Done():
			t.Fatal("it did not arrive")
		}
	}
	if n := len(silent.got()); n > 20*tellingEach {
		t.Errorf("%d requests to the silent ones", n)
	}
	stop()
	close(over)
	<-ended
	query := sortfilter.Query{Status: string(db.DeliveryPending), PerPage: 100, Page: 1}
	all, err := b.store.Webhooks(b.bench.ctx, "default", sortfilter.Query{PerPage: 100, Page: 1, Ascending: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range all.Rows[:20] { // what the end has broken off was no attempt
		if page, err := b.store.Deliveries(b.bench.ctx, "default", w.ID, query); err != nil || page.Total+len(delivered(b, w)) != 5 {
			t.Errorf("%d are pending, %v", page.Total, err)
		}
	}
}

// delivered returns what was delivered to a webhook: a silent receiver may have come to respond just before the end.
func delivered(b *telling, w db.Webhook) []db.Delivery {
	b.Helper()
	page, err := b.store.Deliveries(b.ctx, "default", w.ID, sortfilter.Query{Status: string(db.DeliveryDelivered), PerPage: 100, Page: 1})
	if err != nil {
		b.Fatal(err)
	}
	return page.Rows
}

// TestNothingGoesToRefusedNetworks has a webhook whose address the server must not contact, as after a change of allow_networks.
func TestNothingGoesToRefusedNetworks(t *testing.T) {
	b := newTelling(t, nil, "")
	r := newReceiver(t, nil)
	w := b.hook(r.URL, "report.done")
	byName := b.hook(strings.Replace(r.URL, "127.0.0.1", "localhost", 1), "report.done")
	for _, w := range []db.Webhook{w, byName} {
		b.test(w)
		b.round()
		if d := b.only(w); len(r.got()) != 0 || d.Status != db.DeliveryPending || d.Attempts[0].Status != 0 || d.Attempts[0].Detail == "" {
			t.Errorf("%d requests; it is %+v", len(r.got()), d)
		}
	}
	if err := b.teller.Check(w); err == nil {
		t.Error("its address passes")
	}
}

// TestTellerLogsNoSecrets holds what is logged of deliveries that arrive, fail and are given up.
func TestTellerLogsNoSecrets(t *testing.T) {
	b := newTelling(t, loopback, "")
	r := newReceiver(t, status(200, 500, 410))
	hush := b.hook(r.URL+"/hush-hush?token=whisper", "report.done")
	for range 3 {
		b.test(hush)
		b.round()
	}
	lines := b.log.String()
	if strings.Count(lines, hush.ID.String()) < 3 {
		t.Errorf("the log does not name the webhook:\n%s", lines)
	}
	for _, secret := range []string{"hush-hush", "whisper", "127.0.0.1", "whsec_", hush.Secret().Text[10:]} {
		if strings.Contains(lines, secret) {
			t.Errorf("the log has %q:\n%s", secret, lines)
		}
	}
	stats := b.teller.Stats()
	if stats.Ended[outcomeDelivered] != 1 || stats.Ended[outcomeFailed] != 1 || stats.Ended[outcomeGivenUp] != 1 || stats.Events[db.WebhookTest] != 3 {
		t.Errorf("counted are %+v", stats)
	}
}

// TestMailsAreGathered has a webhook by mail that many things happen to.
func TestMailsAreGathered(t *testing.T) {
	server := newMailServer(t)
	b := newTelling(t, nil, "smtp://"+server.listener.Addr().String())
	w := b.hook("mailto:team@example.com", "report.done")
	tests := func(n int) {
		for range n {
			b.test(w)
		}
	}
	tests(1)
	b.round()
	tests(7)
	b.round()
	b.advance(30 * time.Second)
	b.round()
	if got := server.got(); len(got) != 1 {
		t.Fatalf("within a minute %d mails", len(got))
	}
	b.advance(31 * time.Second)
	b.round()
	b.round()
	got := server.got()
	if len(got) != 2 || !strings.Contains(got[1], "7 things happened") {
		t.Fatalf("after a minute %d mails, the last %s", len(got), got[len(got)-1])
	}
	tests(db.MaxDigest + 1)
	for range 2 {
		b.advance(61 * time.Second)
		b.round()
	}
	if got := server.got(); len(got) != 4 || len(delivered(b, w)) != 8+db.MaxDigest+1 {
		t.Errorf("%d mails, %d delivered", len(got), len(delivered(b, w)))
	}
}
