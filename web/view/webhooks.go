package view

import (
	"strconv"

	"github.com/google/uuid"

	"sitegrade/db"
)

// WebhookRow is a webhook as pages show it.
type WebhookRow struct{ db.Webhook }

// State is where the webhook stands: a colour and a word.
func (w WebhookRow) State() State {
	switch {
	case w.Enabled:
		return State{Class: "good", Text: "On"}
	case w.DisabledReason != "":
		return State{Class: "bad", Text: "Given up"}
	}
	return State{Text: "Off"}
}

// FormatText is the name of the format as people know it.
func (w WebhookRow) FormatText() string { return FormatTexts[string(w.Format)] }

// Everywhere reports whether the webhook is told of all projects.
func (w WebhookRow) Everywhere() bool { return w.Project.ID == uuid.Nil }

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
func (d DeliveryRow) State() State {
	switch d.Status {
	case db.DeliveryDelivered:
		return State{Class: "good", Text: "Delivered"}
	case db.DeliveryFailed:
		return State{Class: "bad", Text: "Failed"}
	}
	return State{Class: "busy", Text: "Pending"}
}

// NewDeliveryRow returns a delivery with its attempts in words.
func NewDeliveryRow(d db.Delivery) DeliveryRow {
	row := DeliveryRow{Delivery: d, Made: Moment(d.CreatedAt), Next: Moment(d.NextAttempt), Text: EventTexts[d.Type]}
	for _, a := range d.Attempts {
		text := a.Detail
		if text == "" {
			text = "Delivered."
		}
		if a.Status != 0 {
			text = strconv.Itoa(a.Status) + ": " + text
		}
		row.Tried = append(row.Tried, AttemptRow{Moment(a.At), text + " (" + a.Took.Round(1e6).String() + ")"})
	}
	return row
}

// EventTexts say what events tell.
var EventTexts = map[db.EventType]string{
	db.ReportDone: "An audit brought a result", db.ReportFailed: "An audit brought none", db.ReportRegressed: "A page has become worse",
	db.BudgetBroken: "A project breaks its budget", db.BudgetMet: "A project keeps its budget again", db.CrawlDone: "A crawl has ended",
	db.LeadCreated: "Somebody left an address", db.WebhookDisabled: "A webhook was given up", db.WebhookTest: "A test",
}

// FormatTexts are the names of the formats as people know them.
var FormatTexts = map[string]string{
	"standard": "Standard Webhooks", "slack": "Slack", "discord": "Discord", "teams": "Microsoft Teams", "ntfy": "ntfy", "email": "E-mail",
}

// DeliveryTexts are the words for the statuses of deliveries; that of "" is for all of them.
var DeliveryTexts = map[string]string{"": "All", "pending": "Pending", "delivered": "Delivered", "failed": "Failed"}
