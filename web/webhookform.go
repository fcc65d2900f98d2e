package web

import (
	"net/url"
	"strings"

	"sitegrade/db"
	"sitegrade/locale"
	"sitegrade/notify"
	"sitegrade/web/templates"
	"sitegrade/web/view"
)

// webhookForm is what is filled in to make or change a webhook, and what is wrong with it.
type webhookForm struct {
	faults
	URL, Project      string
	Format, Signature string
	Told              map[string]bool // the events that are chosen
	Once              string          // what makes a form that is sent twice make one webhook
}

// newWebhookForm returns a form that is filled in for most.
func newWebhookForm() webhookForm {
	return webhookForm{Format: string(db.FormatStandard), Signature: string(db.SignatureHMAC), Told: map[string]bool{string(db.ReportRegressed): true}}
}

// webhookFormOf returns a form with what a webhook is.
func webhookFormOf(w db.Webhook) webhookForm {
	f := webhookForm{URL: w.URL, Project: w.Project.Name, Format: string(w.Format), Signature: string(w.Signature), Told: map[string]bool{}}
	for _, e := range w.Events {
		f.Told[string(e)] = true
	}
	return f
}

// postedWebhook returns the form as it was filled in.
func postedWebhook(posted url.Values) webhookForm {
	f := webhookForm{
		URL: strings.TrimSpace(posted.Get("url")), Project: strings.TrimSpace(posted.Get("project")), Format: posted.Get("format"),
		Signature: posted.Get("signature"), Told: map[string]bool{}, Once: posted.Get("once"),
	}
	if strings.HasPrefix(strings.ToLower(f.URL), "mailto:") && f.Format == string(db.FormatStandard) {
		f.Format = string(db.FormatEmail) // which is the only one for an e-mail address
	}
	for _, e := range db.EventTypes {
		f.Told[string(e)] = posted.Get(string(e)) != ""
	}
	return f
}

// names returns the events that are chosen; not nil when there is not one.
func (f webhookForm) names() []string {
	names := []string{}
	for _, e := range db.EventTypes {
		if f.Told[string(e)] {
			names = append(names, string(e))
		}
	}
	return names
}

// wanted returns the webhook that the form asks for.
func (f webhookForm) wanted(check func(db.Webhook) error) db.NewWebhook {
	n := db.NewWebhook{URL: f.URL, Events: f.names(), Project: f.Project, Format: f.Format, Signature: f.Signature, Check: check}
	if f.Once != "" {
		n.IdempotencyKey = "form-" + f.Once
	}
	n.Secret = newWebhookSecret(db.WebhookSignature(f.Signature))
	return n
}

func newWebhookSecret(s db.WebhookSignature) string {
	return notify.NewSecret(notify.Signature(s)).Text()
}

// eventTick is an event that a webhook may be told.
type eventTick struct {
	Name, Text string
	Chosen     bool
}

// Events are all that a webhook may be told.
func (f webhookForm) Events(words *locale.Catalogue) []eventTick {
	var all []eventTick
	for _, e := range db.EventTypes {
		all = append(all, eventTick{string(e), templates.Say(words, "events."+string(e)), f.Told[string(e)]})
	}
	return all
}

// Formats are the options of how a webhook is told.
func (f webhookForm) Formats(words *locale.Catalogue) []view.Choice {
	return view.Options(words, "formats", db.WebhookFormats, db.WebhookFormat(f.Format))
}

// Signatures are the options of how deliveries are signed.
func (f webhookForm) Signatures(words *locale.Catalogue) []view.Choice {
	return view.Options(words, "signatures", db.WebhookSignatures, db.WebhookSignature(f.Signature))
}

// newSecret is a secret that is shown this once.
type newSecret struct {
	Text    string
	Public  bool // it is the public key of a pair
	Rotated bool // it takes the place of another
	Before  bool // it was shown before and is not again
}

// newestSecret returns what a receiver of the webhook verifies with from now on.
func newestSecret(w db.Webhook, rotated bool) (*newSecret, error) {
	parsed, err := notify.ParseSecret(w.Secret().Text)
	if err != nil {
		return nil, err
	}
	return &newSecret{Text: parsed.Shown(), Public: w.Signature == db.SignatureEd25519, Rotated: rotated}, nil
}
