package web

import (
	"crypto/rand"
	"net/http"

	"github.com/google/uuid"

	"sitegrade/db"
	"sitegrade/sortfilter"
	"sitegrade/web/view"
)

// webhooksRoute is the path of the list of webhooks, which has the form that makes one.
const webhooksRoute = "/webhooks"

// webhooksPage is the data of the list of webhooks.
type webhooksPage struct {
	frame
	Form   webhookForm
	Secret *newSecret // nil unless a webhook was made just now
	Query  sortfilter.Query
	Rows   []view.WebhookRow
	Pages  view.Pager
	Notice string
}

func (w *Web) listWebhooks(v *visit) error {
	return w.sendWebhooks(v, http.StatusOK, v.r.URL.RawQuery, newWebhookForm(), nil)
}

// sendWebhooks sends the list with its form, and the secret of a webhook that was made just now.
func (w *Web) sendWebhooks(v *visit, status int, query string, form webhookForm, secret *newSecret) error {
	q, err := sortfilter.Parse(query, sortfilter.WebhookParameters)
	if err != nil {
		return err
	}
	page, err := w.store.Webhooks(v.r.Context(), v.key.Account, q)
	if err != nil {
		return err
	}
	if form.Once == "" {
		form.Once = rand.Text()
	}
	shown := webhooksPage{
		frame: v.frame(v.say("layout.webhooks"), "webhooks"), Form: form, Secret: secret, Query: q, Notice: v.notice(),
		Pages: view.NewPager(webhooksRoute, "webhook", q, page.Total, query),
	}
	for _, row := range page.Rows {
		shown.Rows = append(shown.Rows, view.WebhookRow{Webhook: row})
	}
	w.sendPage(v, status, "webhooks", shown)
	return nil
}

// createWebhook makes the webhook of the form and shows its secret, this once, or says what is wrong at each field.
func (w *Web) createWebhook(v *visit) error {
	form := postedWebhook(v.posted)
	made, again, err := w.store.CreateWebhook(v.r.Context(), v.key.Account, form.wanted(w.CheckWebhook))
	if err != nil {
		if form.faults = view.Faults(v.words, err); form.faults == nil {
			return err
		}
		return w.sendWebhooks(v, http.StatusUnprocessableEntity, "", form, nil)
	}
	secret := &newSecret{Before: true}
	if !again {
		if secret, err = newestSecret(made, false); err != nil {
			return err
		}
	}
	return w.sendWebhooks(v, http.StatusOK, "", newWebhookForm(), secret)
}

// webhookPage is the data of the page of one webhook, with its deliveries.
type webhookPage struct {
	frame
	view.WebhookRow
	Form     webhookForm
	Secret   *newSecret // nil unless it has a new one
	Query    sortfilter.Query
	Statuses []view.Choice
	Rows     []view.DeliveryRow
	Pages    view.Pager
	Notice   string
}

func (w *Web) webhookByPath(v *visit) (db.Webhook, error) {
	id, err := v.pathID()
	if err != nil {
		return db.Webhook{}, err
	}
	return w.store.Webhook(v.r.Context(), v.key.Account, id)
}

func (w *Web) showWebhook(v *visit) error {
	hook, err := w.webhookByPath(v)
	if err != nil {
		return err
	}
	return w.sendWebhook(v, http.StatusOK, v.r.URL.RawQuery, hook, webhookFormOf(hook), nil)
}

// sendWebhook sends the page of a webhook with its form, its deliveries by the query, and its secret where that is new.
func (w *Web) sendWebhook(v *visit, status int, query string, hook db.Webhook, form webhookForm, secret *newSecret) error {
	q, err := sortfilter.Parse(query, sortfilter.DeliveryParameters)
	if err != nil {
		return err
	}
	page, err := w.store.Deliveries(v.r.Context(), v.key.Account, hook.ID, q)
	if err != nil {
		return err
	}
	statuses := append([]string{""}, sortfilter.Values(sortfilter.DeliveryParameters, "status")...)
	shown := webhookPage{
		frame: v.frame(v.say("webhooks.title"), "webhooks"), WebhookRow: view.WebhookRow{Webhook: hook}, Form: form, Secret: secret, Query: q,
		Statuses: view.Options(v.words, "deliveries", statuses, q.Status), Notice: v.notice(),
		Pages: view.NewPager(webhooksRoute+"/"+hook.ID.String(), "delivery", q, page.Total, query),
	}
	for _, d := range page.Rows {
		shown.Rows = append(shown.Rows, view.NewDeliveryRow(v.words, d))
	}
	w.sendPage(v, status, "webhook", shown)
	return nil
}

// updateWebhook changes a webhook to what the form says, or says what is wrong at each field.
func (w *Web) updateWebhook(v *visit) error {
	hook, err := w.webhookByPath(v)
	if err != nil {
		return err
	}
	form := postedWebhook(v.posted)
	return w.changeWebhook(v, hook, form, "told", db.WebhookChange{
		URL: &form.URL, Events: form.names(), Project: &form.Project, Format: &form.Format, Signature: &form.Signature, Check: w.CheckWebhook,
	})
}

// doWebhook does what a button of the page of a webhook says.
func (w *Web) doWebhook(v *visit) error {
	hook, err := w.webhookByPath(v)
	if err != nil {
		return err
	}
	what, on, off := v.posted.Get("do"), true, false
	change := map[string]db.WebhookChange{"test": {Test: true}, "rotate": {Rotate: true}, "enable": {Enabled: &on}, "disable": {Enabled: &off}}
	c, ok := change[what]
	if !ok {
		return malformedForm
	}
	return w.changeWebhook(v, hook, webhookFormOf(hook), what, c)
}

// changeWebhook changes a webhook. A secret that is new with it is shown, this once.
func (w *Web) changeWebhook(v *visit, hook db.Webhook, form webhookForm, done string, c db.WebhookChange) error {
	c.NewSecret = newWebhookSecret
	var before db.WebhookSecret
	changed, err := w.store.UpdateWebhook(v.r.Context(), v.key.Account, hook.ID, c, func(as db.Webhook) error {
		before = as.Secret()
		return nil
	})
	if err != nil {
		if form.faults = view.Faults(v.words, err); form.faults == nil {
			return err
		}
		return w.sendWebhook(v, http.StatusUnprocessableEntity, "", hook, form, nil)
	}
	if changed.Secret() == before {
		return v.see(webhooksRoute + "/" + hook.ID.String() + "?done=" + done)
	}
	secret, err := newestSecret(changed, true)
	if err != nil {
		return err
	}
	return w.sendWebhook(v, http.StatusOK, "", changed, webhookFormOf(changed), secret)
}

// resendDelivery has the delivery that the form names attempted once more.
func (w *Web) resendDelivery(v *visit) error {
	id, err := v.pathID()
	if err != nil {
		return err
	}
	delivery, err := uuid.Parse(v.posted.Get("delivery"))
	if err != nil {
		return db.ErrNotFound
	}
	if _, err := w.store.Resend(v.r.Context(), v.key.Account, id, delivery, nil); err != nil {
		return err
	}
	return v.see(webhooksRoute + "/" + id.String() + "?done=resend")
}

func (w *Web) confirmWebhookDelete(v *visit) error {
	hook, err := w.webhookByPath(v)
	if err != nil {
		return err
	}
	w.sendPage(v, http.StatusOK, "delete", deletePage{
		frame: v.frame(v.say("webhooks.delete-title"), "webhooks"), What: v.say("webhooks.delete"),
		Detail: v.say("webhooks.delete-detail", hook.URL), Back: webhooksRoute + "/" + hook.ID.String(),
	})
	return nil
}

func (w *Web) deleteWebhook(v *visit) error {
	id, err := v.pathID()
	if err != nil {
		return err
	}
	if err := w.store.DeleteWebhook(v.r.Context(), v.key.Account, id, nil); err != nil {
		return err
	}
	return v.see(webhooksRoute + "?done=webhook")
}
