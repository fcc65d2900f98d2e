package api

import (
	"net/http"

	"sitegrade/db"
	"sitegrade/notify"
	"sitegrade/sortfilter"
)

func (a *API) listWebhooks(x *request) error {
	return serveList(x, "/webhooks", sortfilter.WebhookParameters, a.store.Webhooks, db.Webhook.AppendJSON)
}

func (a *API) showWebhook(x *request) error {
	id, err := x.pathID()
	if err != nil {
		return err
	}
	w, err := a.store.Webhook(x.r.Context(), x.key.Account, id)
	if err != nil {
		return err
	}
	document := webhookDocument(w, "")
	x.sendRecord(document, revisionTag(w.Revision, document))
	return nil
}

// createWebhook stores a webhook with a new secret, and shows that. With an Idempotency-Key it does so once: a repetition shows the webhook
// alone.
func (a *API) createWebhook(x *request) error {
	n, err := a.readNewWebhook(x)
	if err != nil {
		return err
	}
	made, again, err := a.store.CreateWebhook(x.r.Context(), x.key.Account, n)
	if err != nil {
		return err
	}
	return x.sendWebhook(http.StatusCreated, made, !again)
}

// sendWebhook sends a webhook as the request has made it, with its newest secret where the request has made that too.
func (x *request) sendWebhook(status int, w db.Webhook, withSecret bool) error {
	secret := ""
	if withSecret {
		parsed, err := notify.ParseSecret(w.Secret().Text)
		if err != nil {
			return err
		}
		secret = parsed.Shown()
	}
	tag := revisionTag(w.Revision, webhookDocument(w, "")) // that of the next GET
	if document := webhookDocument(w, secret); status == http.StatusCreated {
		x.sendMade("/webhooks/"+w.ID.String(), document, tag)
	} else {
		x.sendChanged(status, document, tag)
	}
	return nil
}

func (a *API) readNewWebhook(x *request) (n db.NewWebhook, err error) {
	b, err := x.readBody()
	if err != nil {
		return n, err
	}
	n = db.NewWebhook{URL: b.text("url"), Events: b.list("events"), Format: b.text("format"), Signature: b.text("signature"), Check: a.CheckWebhook}
	if project := b.nullable("project"); project != nil {
		n.Project = *project
	}
	if enabled := b.boolean("enabled"); enabled != nil {
		n.Disabled = !*enabled
	}
	if wrong := b.finish(); wrong != nil {
		_, others := n.Validate()
		return n, invalidFields(withOthers(wrong, others))
	}
	n.Secret = newWebhookSecret(db.WebhookSignature(n.Signature))
	n.IdempotencyKey, err = idempotencyKey(x.r.Header)
	return n, err
}

func newWebhookSecret(s db.WebhookSignature) string {
	return notify.NewSecret(notify.Signature(s)).Text()
}

// updateWebhook changes a webhook, and tests it or gives it a new secret where the request wants that.
func (a *API) updateWebhook(x *request) error {
	id, err := x.pathID()
	if err != nil {
		return err
	}
	c, err := a.readWebhookChange(x)
	if err != nil {
		return err
	}
	var before db.Webhook
	w, err := a.store.UpdateWebhook(x.r.Context(), x.key.Account, id, c, func(w db.Webhook) error {
		before = w
		return x.webhookUnchanged(w)
	})
	if err != nil {
		return err
	}
	return x.sendWebhook(http.StatusOK, w, w.Secret() != before.Secret())
}

func (a *API) readWebhookChange(x *request) (c db.WebhookChange, err error) {
	b, err := x.readBody()
	if err != nil {
		return c, err
	}
	c = db.WebhookChange{
		URL: b.given("url"), Events: b.list("events"), Project: b.nullable("project"), Format: b.given("format"), Signature: b.given("signature"),
		Enabled: b.boolean("enabled"),
		Test:    b.flag("test", "send it the event webhook.test"), Rotate: b.flag("rotate", "give it a new secret"),
		NewSecret: newWebhookSecret,
	}
	if c.URL != nil || c.Format != nil {
		c.Check = a.CheckWebhook
	}
	if wrong := b.finish(); wrong != nil {
		return c, invalidFields(wrong)
	}
	return c, nil
}

func (a *API) deleteWebhook(x *request) error {
	return deleteRecord(x, a.store.DeleteWebhook, x.webhookUnchanged)
}
