package api

import (
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"sitegrade/auth"
	"sitegrade/db"
	"sitegrade/fetch"
	"sitegrade/notify"
)

// checkedWebhooks are options with the check that the server has, and no network of its own.
func checkedWebhooks(allowed ...netip.Prefix) Options {
	sender := notify.New(fetch.New(fetch.Options{AllowNetworks: allowed}), nil)
	return Options{CheckWebhook: func(w db.Webhook) error {
		return sender.Check(notify.Target{URL: w.URL, Format: notify.Format(w.Format)})
	}}
}

// shownWebhook is a webhook as the API shows it.
type shownWebhook struct {
	ID             string
	URL            string
	Events         []string
	Project        *struct{ ID, Name string }
	Format         string
	Signature      string
	Enabled        bool
	DisabledReason *string `json:"disabled_reason"`
	Secret         string
}

func (s *server) webhook(status int, c call) shownWebhook {
	s.Helper()
	r := s.must(status, c)
	if got := r.Header.Get("Cache-Control"); c.method != "" && got != "no-store" {
		s.Errorf("Cache-Control is %q", got)
	}
	var document struct{ Data shownWebhook }
	s.decode(r, &document)
	return document.Data
}

func TestWebhooks(t *testing.T) {
	s := newServer(t, checkedWebhooks())
	s.post(http.StatusCreated, "url", s.site.URL+"/", "project", "p")
	made := s.webhook(http.StatusCreated, call{method: "POST", path: "/webhooks", form: form("url", "HTTPS://hooks.example", "events", "report.failed,report.done", "project", "p", "enabled", "true")})
	if made.URL != "https://hooks.example/" || !slices.Equal(made.Events, []string{"report.done", "report.failed"}) || made.Project.Name != "p" ||
		made.Format != "standard" || made.Signature != "v1" || !made.Enabled || made.DisabledReason != nil || !strings.HasPrefix(made.Secret, "whsec_") {
		t.Errorf("made %+v", made)
	}
	path := "/webhooks/" + made.ID
	if shown := s.webhook(http.StatusOK, call{path: path}); shown.Secret != "" || shown.ID != made.ID {
		t.Errorf("shown is %+v", shown)
	}
	if body := string(s.get(http.StatusOK, "/webhooks").Body); strings.Contains(body, "secret") {
		t.Errorf("the list has a secret: %s", body)
	}
	rotated := s.webhook(http.StatusOK, call{method: "PUT", path: path, form: form("rotate", "1")})
	if rotated.Secret == made.Secret || !strings.HasPrefix(rotated.Secret, "whsec_") {
		t.Errorf("rotated is %+v", rotated)
	}
	other := s.webhook(http.StatusOK, call{method: "PATCH", path: path, json: `{"signature":"v1a","project":null,"events":["report.regressed"]}`})
	if !strings.HasPrefix(other.Secret, "whpk_") || other.Project != nil || other.Events[0] != "report.regressed" {
		t.Errorf("with another signature it is %+v", other)
	}
	if same := s.webhook(http.StatusOK, call{method: "PATCH", path: path, json: `{"signature":"v1a"}`}); same.Secret != "" {
		t.Errorf("with the same signature it is %+v", same)
	}
	asymmetric := s.must(http.StatusCreated, call{method: "POST", path: "/webhooks", json: `{"url":"https://hooks.example/","events":["report.done"],"signature":"v1a","project":null}`})
	if !strings.Contains(string(asymmetric.Body), `"secret":"whpk_`) || asymmetric.Header.Get("Location") == "" {
		t.Errorf("%s", asymmetric.Body)
	}
	s.heldByTag("/webhooks/"+s.record(asymmetric).ID, asymmetric.Header.Get("ETag"), `{"enabled":false}`)
	s.head(path)
	s.must(http.StatusNoContent, call{method: "DELETE", path: path})
	s.refused(http.StatusNotFound, "not_found", call{path: path})
}

func TestWebhooksAreRefused(t *testing.T) {
	s := newServer(t, checkedWebhooks())
	const good = `"url":"https://hooks.example/","events":["report.done"]`
	for body, want := range map[string]string{
		`{}`:                               "url events",
		`{"url":"https://hooks.example/"}`: "events",
		`{"url":"https://hooks.example/","events":[]}`:                                   "events",
		`{"url":"https://hooks.example/","events":["report.eaten"]}`:                     "events",
		`{"url":"https://hooks.example/","events":"report.done"}`:                        "events",
		`{"url":"https://hooks.example/","events":[1]}`:                                  "events",
		`{"url":"hooks.example","events":["report.done"]}`:                               "url",
		`{"url":"http://127.0.0.1:1/","events":["report.done"]}`:                         "url",
		`{"url":"http://169.254.169.254/latest","events":["report.done"]}`:               "url",
		`{"url":"http://[::ffff:10.0.0.1]/","events":["report.done"]}`:                   "url",
		`{"url":"mailto:a@example.com","events":["report.done"]}`:                        "url",
		`{"url":"https://hooks.example/","events":["report.done"],"format":"email"}`:     "url",
		`{"url":"https://ntfy.example/","events":["report.done"],"format":"ntfy"}`:       "url",
		`{` + good + `,"format":"fax"}`:                                                  "format",
		`{` + good + `,"signature":"v2"}`:                                                "signature",
		`{` + good + `,"project":"unknown"}`:                                             "project",
		`{` + good + `,"enabled":"no"}`:                                                  "enabled",
		`{` + good + `,"secret":"whsec_"}`:                                               "secret",
		`{"url":"http://10.1.2.3/","events":["x"],"project":"unknown","signature":"v2"}`: "signature events url project",
		`{"url":"http://10.1.2.3/","events":["x"],"signature":"v2","colour":"red"}`:      "colour signature events url",
	} {
		if got := s.refused(http.StatusUnprocessableEntity, "invalid", call{method: "POST", path: "/webhooks", json: body}); got != want {
			t.Errorf("%s is refused for %q, not %q", body, got, want)
		}
	}
	if list := s.rows("/webhooks"); list.Meta.Total != 0 {
		t.Errorf("%d webhooks are half made", list.Meta.Total)
	}
	made := s.webhook(http.StatusCreated, call{method: "POST", path: "/webhooks", json: `{` + good + `}`})
	for body, want := range map[string]string{
		`{"url":"http://10.1.2.3/"}`:                                    "url",
		`{"url":"http://10.1.2.3/","events":["x"],"project":"unknown"}`: "events url project",
		`{"format":"email"}`:                                            "format",
		`{"test":2,"rotate":"x"}`:                                       "test rotate",
		`{"enabled":false,"test":1}`:                                    "test",
		`{"id":"x"}`:                                                    "id",
	} {
		if got := s.refused(http.StatusUnprocessableEntity, "invalid", call{method: "PATCH", path: "/webhooks/" + made.ID, json: body}); got != want {
			t.Errorf("%s is refused for %q, not %q", body, got, want)
		}
	}
	if now := s.webhook(http.StatusOK, call{path: "/webhooks/" + made.ID}); !now.Enabled || now.URL != made.URL {
		t.Errorf("it was half changed: %+v", now)
	}
}

// shownDelivery is a delivery as the API shows it.
type shownDelivery struct {
	ID, Event, Status string
	Attempts          []struct {
		At     time.Time
		Status *int
		Detail *string
		MS     int
	}
	Next *time.Time `json:"next_attempt_at"`
}

func (s *server) delivery(path string) shownDelivery {
	s.Helper()
	var document struct{ Data shownDelivery }
	s.decode(s.get(http.StatusOK, path), &document)
	return document.Data
}

func TestDeliveries(t *testing.T) {
	s := newServer(t, checkedWebhooks())
	hook := "/webhooks/" + s.webhook(http.StatusCreated, call{method: "POST", path: "/webhooks", json: `{"url":"https://hooks.example/","events":["report.done"]}`}).ID
	s.webhook(http.StatusOK, call{method: "PUT", path: hook, form: form("test", "1")})
	due, _, err := s.Store.ClaimDeliveries(t.Context(), db.Claiming{Places: 10, PerWebhook: 2})
	if err != nil || len(due) != 1 {
		t.Fatalf("%d are due, %v", len(due), err)
	}
	path := hook + "/deliveries/" + due[0].ID.String()
	if pending := s.delivery(path); pending.Event != "webhook.test" || pending.Status != "pending" || pending.Next == nil || len(pending.Attempts) != 0 {
		t.Errorf("pending it is %+v", pending)
	}
	attempt := db.Attempt{At: time.Now(), Status: 500, Detail: "The receiver responded 500.", Took: 41 * time.Millisecond}
	if err := s.Store.FinishDelivery(t.Context(), due[0], db.Attempted{Attempt: attempt}); err != nil {
		t.Fatal(err)
	}
	failed := s.delivery(path)
	if a := failed.Attempts; failed.Status != "failed" || failed.Next != nil || len(a) != 1 || *a[0].Status != 500 || *a[0].Detail != attempt.Detail || a[0].MS != 41 {
		t.Errorf("failed it is %+v", failed)
	}
	if list := s.rows(hook + "/deliveries?status=failed"); list.Meta.Total != 1 {
		t.Errorf("%d have failed", list.Meta.Total)
	}
	if list := s.rows(hook + "/deliveries?status=delivered"); list.Meta.Total != 0 {
		t.Errorf("%d were delivered", list.Meta.Total)
	}
	s.resends(hook, path)
	s.deliveriesAreHeld(hook, path)
}

func (s *server) resends(hook, path string) {
	s.Helper()
	tag := s.get(http.StatusOK, path).Header.Get("ETag")
	s.must(http.StatusNotModified, call{path: path, header: http.Header{"If-None-Match": {tag}}})
	s.must(http.StatusOK, call{method: "PUT", path: path, header: http.Header{"If-Match": {tag}}})
	again := call{method: "PUT", path: path, form: form("resend", "1"), header: http.Header{"If-Match": {tag}}}
	s.must(http.StatusOK, again)
	if now := s.delivery(path); now.Status != "pending" || now.Next == nil || len(now.Attempts) != 1 {
		s.Errorf("asked for again it is %+v", now)
	}
	s.refused(http.StatusPreconditionFailed, "precondition_failed", again)
	s.webhook(http.StatusOK, call{method: "PATCH", path: hook, json: `{"enabled":false}`})
	if now := s.delivery(path); now.Status != "failed" {
		s.Errorf("of a disabled webhook it is %+v", now)
	}
	if got := s.refused(http.StatusUnprocessableEntity, "invalid", call{method: "PUT", path: path, json: `{"resend":1}`}); got != "resend" {
		s.Errorf("refused is %q", got)
	}
}

// deliveriesAreHeld holds what is refused of deliveries.
func (s *server) deliveriesAreHeld(hook, path string) {
	s.Helper()
	const unknown = "/019b7e5a-3c00-7000-8000-000000000001"
	writer := s.NewKey("default", auth.Write)
	for _, c := range []call{
		{path: hook + "/deliveries" + unknown}, {path: "/webhooks" + unknown + "/deliveries"}, {path: path, key: s.other},
		{path: hook + "/deliveries", key: s.other}, {path: hook + "/deliveries/x"}, {path: "/webhooks/x/deliveries"},
		{method: "PUT", path: path, key: s.other, json: `{"resend":1}`},
	} {
		s.refused(http.StatusNotFound, "not_found", c)
	}
	s.refused(http.StatusForbidden, "insufficient_scope", call{path: path, key: writer})
	s.refused(http.StatusForbidden, "insufficient_scope", call{path: hook + "/deliveries", key: writer})
	s.refused(http.StatusForbidden, "insufficient_scope", call{method: "PUT", path: path, key: s.NewKey("default", auth.Read)})
	s.refused(http.StatusUnprocessableEntity, "invalid", call{path: hook + "/deliveries?status=lost"})
	s.refused(http.StatusBadRequest, "malformed", call{path: hook + "/deliveries?page=%"})
	s.refused(http.StatusBadRequest, "malformed", call{method: "PUT", path: path, json: "{"})
	s.refused(http.StatusUnsupportedMediaType, "unsupported_media_type", call{method: "PUT", path: path, json: "x", header: http.Header{"Content-Type": {"text/plain"}}})
	s.refused(http.StatusRequestEntityTooLarge, "body_too_large", call{method: "PUT", path: path, json: `{"url":"` + strings.Repeat("x", maxBody) + `"}`})
	s.head(hook + "/deliveries")
}

// TestWebhookSecretsStayOutOfTheLog holds that neither what signs nor the address of a receiver, which may be a secret of its own, is logged.
func TestWebhookSecretsStayOutOfTheLog(t *testing.T) {
	s := newServer(t, checkedWebhooks())
	made := s.webhook(http.StatusCreated, call{method: "POST", path: "/webhooks", json: `{"url":"https://hooks.example/T0/hush-hush","format":"slack","events":["report.done"]}`})
	s.refused(http.StatusUnprocessableEntity, "invalid", call{method: "POST", path: "/webhooks", json: `{"url":"http://10.0.0.1/hush-hush","events":["report.done"]}`})
	s.webhook(http.StatusOK, call{method: "PUT", path: "/webhooks/" + made.ID, form: form("rotate", "1")})
	s.HTTP.Close()
	for _, secret := range []string{"hush-hush", "whsec_", made.Secret[10:30]} {
		if strings.Contains(s.Logged.String(), secret) {
			t.Errorf("the log has %q:\n%s", secret, s.Logged)
		}
	}
}
