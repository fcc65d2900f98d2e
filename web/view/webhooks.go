package view

import (
	"cmp"
	"strconv"

	"github.com/google/uuid"

	"sitegrade/db"
	"sitegrade/locale"
	"sitegrade/web/templates"
)

// WebhookRow is a webhook as pages show it.
type WebhookRow struct{ db.Webhook }

// State is where the webhook stands: a colour and a word.
func (w WebhookRow) State(words *locale.Catalogue) State {
	switch {
	case w.Enabled:
		return State{Class: "good", Text: templates.Say(words, "schedules.on")}
	case w.DisabledReason != "":
		return State{Class: "bad", Text: templates.Say(words, "webhooks.state-given-up")}
	}
	return State{Text: templates.Say(words, "schedules.off")}
}

// FormatText is the name of the format as people know it.
func (w WebhookRow) FormatText(words *locale.Catalogue) string {
	return templates.Say(words, "formats."+string(w.Format))
}

// Reason says why the webhook was given up; "" where it was not.
func (w WebhookRow) Reason(words *locale.Catalogue) string {
	return words.Translate(w.DisabledReason, deliveryDetails)
}

// Everywhere reports whether the webhook is told of all projects.
func (w WebhookRow) Everywhere() bool { return w.Project.ID == uuid.Nil }

// deliveryDetails is where the catalogues have what is said of attempts and of webhooks that were given up.
const deliveryDetails = templates.Section + "attempts"

// DeliveryRow is a delivery as the page of its webhook shows it.
type DeliveryRow struct {
	db.Delivery
	Made, Next Instant
	Text       string // what happened
	Tried      []AttemptRow
}

// AttemptRow is an attempt of a delivery.
type AttemptRow struct {
	At   Instant
	Text string
}

// State is where the delivery stands: a colour and a word.
func (d DeliveryRow) State(words *locale.Catalogue) State {
	class := map[db.DeliveryStatus]string{db.DeliveryDelivered: "good", db.DeliveryFailed: "bad", db.DeliveryPending: "busy"}[d.Status]
	return State{Class: class, Text: templates.Say(words, "deliveries."+string(d.Status))}
}

// NewDeliveryRow returns a delivery with its attempts in words.
func NewDeliveryRow(words *locale.Catalogue, d db.Delivery) DeliveryRow {
	row := DeliveryRow{Delivery: d, Made: Moment(d.CreatedAt), Next: Moment(d.NextAttempt), Text: templates.Say(words, "events."+string(d.Type))}
	for _, a := range d.Attempts {
		text := cmp.Or(words.Translate(a.Detail, deliveryDetails), templates.Say(words, "webhooks.delivered"))
		if a.Status != 0 {
			text = strconv.Itoa(a.Status) + ": " + text
		}
		row.Tried = append(row.Tried, AttemptRow{Moment(a.At), text + " (" + words.Milliseconds(float64(a.Took.Milliseconds())) + ")"})
	}
	return row
}
