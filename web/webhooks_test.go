package web

import (
	"errors"
	"net/http"
	"regexp"
	"testing"

	"sitegrade/auth"
	"sitegrade/db"
)

// told makes a webhook with a delivery, and returns the path of its page.
func (s *server) told() string {
	s.Helper()
	form := webhookForm{URL: "https://hooks.example/" + "a-rather-long-secret-path", Signature: "v1", Told: map[string]bool{"report.done": true, "budget.broken": true}}
	made, _, err := s.Store.CreateWebhook(s.Context(), "default", form.wanted(nil))
	if err == nil {
		_, err = s.Store.UpdateWebhook(s.Context(), "default", made.ID, db.WebhookChange{Test: true}, nil)
	}
	if err != nil {
		s.Fatal(err)
	}
	return "/webhooks/" + made.ID.String()
}

var webhookInPage = regexp.MustCompile(`href="(/webhooks/[0-9a-f-]{36})"`)

func TestWebhooksOfTheDashboard(t *testing.T) {
	s := newServer(t, Options{CheckWebhook: func(w db.Webhook) error {
		if w.URL == "https://inside.example/" {
			return errors.New("is inside")
		}
		return nil
	}})
	v := s.signedIn(s.key)
	wrong := v.must(http.StatusUnprocessableEntity, v.use("/webhooks", "/webhooks", "url", "https://inside.example/", "project", "Nowhere", "format", "standard", "signature", "v1")).body
	contains(t, wrong, `id="events-wrong"`, `aria-describedby="events-wrong"`, `id="url-wrong">is inside`, `value="Nowhere"`)
	fields := []string{"url", "https://hooks.example/", "report.done", "1", "format", "standard", "signature", "v1", "once", "x"}
	made := v.must(http.StatusOK, v.use("/webhooks", "/webhooks", fields...)).body
	secret := regexp.MustCompile(`id="secret" value="(whsec_[^"]+)"`).FindStringSubmatch(made)
	if secret == nil {
		t.Fatalf("no secret: %s", made)
	}
	again := v.must(http.StatusOK, v.use("/webhooks", "/webhooks", fields...)).body
	contains(t, again, "was made before", "1 webhook<")
	path := webhookInPage.FindStringSubmatch(again)[1]
	lacks(t, again+v.page(path), secret[1][:12])

	v.must(http.StatusSeeOther, v.use(path, path+"/do", "do", "test"))
	page := v.page(path + "?done=test")
	contains(t, page, "webhook.test", "Pending", "1 delivery<", "Resend", "A test is on its way")
	contains(t, v.page(path+"?status=delivered"), "No delivery matches", "0 deliveries<")
	delivery := regexp.MustCompile(`name="delivery" value="([^"]+)"`).FindStringSubmatch(page)
	v.must(http.StatusSeeOther, v.use(path, path+"/resend", "delivery", delivery[1]))
	contains(t, v.must(http.StatusOK, v.use(path, path+"/do", "do", "rotate")).body, `value="whsec_`, "For a day")
	v.must(http.StatusSeeOther, v.use(path, path+"/do", "do", "disable"))
	contains(t, v.page(path), ">Off<", "Failed", "Turn on")
	contains(t, v.must(http.StatusUnprocessableEntity, v.use(path, path+"/do", "do", "test")).body, "while the webhook is enabled")
	v.must(http.StatusSeeOther, v.use(path, path+"/do", "do", "enable"))
	v.must(http.StatusBadRequest, v.use(path, path+"/do", "do", "nothing"))

	mail := []string{"url", "mailto:you@bakery.example", "crawl.done", "1", "format", "standard"}
	contains(t, v.must(http.StatusOK, v.use(path, path, append(mail, "signature", "v1a")...)).body, `value="whpk_`, "The public key")
	v.must(http.StatusSeeOther, v.use(path, path, append(mail, "signature", "v1a")...))
	contains(t, v.page(path), "mailto:you@bakery.example", "E-mail", `name="crawl.done" value="1" checked`)
	contains(t, v.must(http.StatusUnprocessableEntity, v.use(path, path, "url", "nonsense", "report.done", "1", "format", "slack", "signature", "v1a")).body, `id="url-wrong"`, `value="nonsense"`)
	v.must(http.StatusSeeOther, v.use(path+"/delete", path+"/delete"))
	contains(t, v.page("/webhooks"), "No webhooks yet")
}

func TestWebhooksOfAReader(t *testing.T) {
	s := newServer(t, Options{})
	path := s.told()
	v := s.signedIn(s.reader)
	for _, p := range []string{"/webhooks", path} {
		lacks(t, v.page(p), `method="post" action="/webhooks`)
	}
	v.must(http.StatusForbidden, v.submit("/webhooks", "url", "https://hooks.example/"))
	v.must(http.StatusForbidden, v.submit(path+"/do", "do", "rotate"))
	other := s.signedIn(s.NewKey("other", auth.AllScopes))
	for _, p := range []string{path, path + "/delete"} {
		other.must(http.StatusNotFound, other.get(p))
	}
}
