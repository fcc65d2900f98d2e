package db

import (
	"context"
	"slices"
	"time"

	"github.com/google/uuid"

	"sitegrade/audit"
	"sitegrade/sortfilter"
)

// EventType says what happened.
type EventType string

// The events.
const (
	ReportDone      EventType = "report.done"      // an audit brought a result
	ReportFailed    EventType = "report.failed"    // an audit brought none
	ReportRegressed EventType = "report.regressed" // a worse result, a new failure of high severity, or a drop over the budget
	BudgetBroken    EventType = "budget.broken"
	BudgetMet       EventType = "budget.met"
	CrawlDone       EventType = "crawl.done"
	LeadCreated     EventType = "lead.created"
	WebhookDisabled EventType = "webhook.disabled" // we gave up on a webhook
	WebhookTest     EventType = "webhook.test"     // somebody asked for it
)

// EventTypes are the events that a webhook may be told, in the order of the documentation. A test goes to the webhook that it is asked for.
var EventTypes = []EventType{ReportDone, ReportFailed, ReportRegressed, BudgetBroken, BudgetMet, CrawlDone, LeadCreated, WebhookDisabled}

// Event is something that happened and that others may be told. It holds what was true at that moment, so that each attempt to deliver it says
// the same. The fields behind Project are those of its type, and zero in others.
type Event struct {
	ID      uuid.UUID  // UUIDv7; the same at every attempt and for every webhook
	Type    EventType  //
	At      time.Time  // to the millisecond
	Project ProjectRef // what it is about; zero for what is not of a project

	Report    *Report       `json:",omitempty"` // report.*, and lead.created
	Diff      *Diff         `json:",omitempty"` // report.done and report.regressed: what changed since the success before; nil without one
	OldResult audit.Result  `json:",omitempty"` // of the generation before; Unrated when there was not one
	OldScore  *int          `json:",omitempty"`
	Webhook   *WebhookFault `json:",omitempty"` // webhook.disabled
	Crawl     *Crawl        `json:",omitempty"` // crawl.done
	Budgeted  *Project      `json:",omitempty"` // budget.*: the project as it stands then
	Lead      *Lead         `json:",omitempty"` // lead.created
}

// WebhookFault says why we gave up on a webhook.
type WebhookFault struct {
	ID     uuid.UUID
	Format WebhookFormat
	Reason string
}

// DeliveryStatus is where a delivery stands.
type DeliveryStatus string

// The statuses of deliveries.
const (
	DeliveryPending   DeliveryStatus = "pending"
	DeliveryDelivered DeliveryStatus = "delivered"
	DeliveryFailed    DeliveryStatus = "failed" // no attempt follows unless somebody asks for one
)

// Delivery is one event on its way to one webhook.
type Delivery struct {
	ID          uuid.UUID // UUIDv7, so that ids sort by creation
	Event       uuid.UUID
	Type        EventType
	Status      DeliveryStatus
	CreatedAt   time.Time
	Attempts    []Attempt // the oldest first; of more than MaxAttemptsKept the newest
	Tries       int       // attempts since it was made or asked for again: what the next pause depends on
	NextAttempt time.Time // zero unless it is pending
}

// MaxDigest is how many events one mail tells of at most.
const MaxDigest = 50

// MaxAttemptsKept is how many attempts a delivery remembers.
const MaxAttemptsKept = 20

// Attempt is one request of a delivery.
type Attempt struct {
	At     time.Time
	Status int    // of HTTP; 0 without a response
	Detail string // what went wrong, in a sentence without secrets; "" when it was delivered
	Took   time.Duration
}

// DueDelivery is a delivery that somebody shall attempt now, with all that it needs.
type DueDelivery struct {
	Account string
	Webhook Webhook
	Delivery
	Event Event
}

// Claiming says how many deliveries ClaimDeliveries may take. A webhook by mail takes one place with all that it is told at once, up to
// MaxDigest; any other takes a place for each delivery.
type Claiming struct {
	// Places bounds what is taken and not given back, of all accounts. An account takes another place only while it has fewer than are free, so
	// that there is always one for the next.
	Places int
	// PerWebhook is how many of them a webhook takes at most.
	PerWebhook int
	// NotBefore returns when a webhook may be told something next; nil: at any time.
	NotBefore func(webhook uuid.UUID) time.Time
}

// Attempted says what came of an attempt.
type Attempted struct {
	Attempt
	Delivered bool
	Next      time.Time // of the next attempt; zero for not one, and then the delivery has failed unless it was delivered
	Disable   string    // why the webhook is given up with this attempt; "" to keep it
}

// deliveries are the methods of a Store for what others are told.
type deliveries interface {
	// Deliveries returns one page of the deliveries to a webhook, the newest first or last. q may filter by status. The error is ErrNotFound if
	// the webhook does not exist.
	Deliveries(ctx context.Context, account string, webhook uuid.UUID, q sortfilter.Query) (Page[Delivery], error)
	// Delivery returns a delivery to a webhook, or ErrNotFound.
	Delivery(ctx context.Context, account string, webhook, delivery uuid.UUID) (Delivery, error)
	// Resend has a delivery attempted once more, now, however it stands, and returns it. check sees it as it was. The error is ErrNotFound,
	// *InvalidError if the webhook is disabled, or that of check.
	Resend(ctx context.Context, account string, webhook, delivery uuid.UUID, check func(Delivery) error) (Delivery, error)
	// ClaimDeliveries takes deliveries of all accounts that are due, the oldest of each webhook first. It also returns when the next of the others
	// becomes due; zero if not one waits but for a place. What was taken is given back by FinishDelivery, or when the process ends.
	ClaimDeliveries(ctx context.Context, c Claiming) (due []DueDelivery, next time.Time, err error)
	// FinishDelivery notes an attempt and gives the delivery back. When the webhook is given up, all its deliveries that are pending fail, and
	// the account is told (WebhookDisabled). A delivery or a webhook that was deleted since is passed over.
	// With any other error the delivery stays taken.
	FinishDelivery(ctx context.Context, d DueDelivery, a Attempted) error
	// DeleteOldDeliveries removes deliveries that were made before a moment and are not pending, in small transactions, and returns how many.
	DeleteOldDeliveries(ctx context.Context, before time.Time) (removed int, err error)
	// DeliveryStats returns the numbers of this moment.
	DeliveryStats(ctx context.Context) (DeliveryStats, error)
}

// DeliveryStats is how the deliveries of all accounts stand.
type DeliveryStats struct {
	Pending       int
	OldestPending time.Time // when the oldest of them was made; zero when there is not one
}

// Wants reports whether a webhook is to be told of an event.
func (w Webhook) Wants(e Event) bool {
	return w.Enabled && slices.Contains(w.Events, e.Type) && (w.Project.ID == uuid.Nil || w.Project.ID == e.Project.ID)
}
