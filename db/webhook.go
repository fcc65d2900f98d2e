package db

import (
	"context"
	"fmt"
	"net/mail"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"sitegrade/sortfilter"
	"sitegrade/weburl"
)

// WebhookFormat is how a webhook is told.
type WebhookFormat string

// The formats.
const (
	FormatStandard WebhookFormat = "standard" // Standard Webhooks 1.0.0
	FormatSlack    WebhookFormat = "slack"
	FormatDiscord  WebhookFormat = "discord"
	FormatTeams    WebhookFormat = "teams"
	FormatNtfy     WebhookFormat = "ntfy"
	FormatEmail    WebhookFormat = "email" // to an address mailto:
)

// WebhookFormats are all of them, the default first.
var WebhookFormats = []WebhookFormat{FormatStandard, FormatSlack, FormatDiscord, FormatTeams, FormatNtfy, FormatEmail}

// WebhookSignature is how deliveries are signed.
type WebhookSignature string

// The signatures of Standard Webhooks.
const (
	SignatureHMAC    WebhookSignature = "v1"  // HMAC-SHA256 with a secret whsec_
	SignatureEd25519 WebhookSignature = "v1a" // ed25519 with a key pair, of which the account gets whpk_
)

// WebhookSignatures are both, the default first.
var WebhookSignatures = []WebhookSignature{SignatureHMAC, SignatureEd25519}

// Bounds of webhooks.
const (
	MaxWebhooks    = 100 // of an account
	rotationPeriod = 24 * time.Hour
)

// Webhook is where events go.
type Webhook struct {
	ID             uuid.UUID
	URL            string      // http, https or mailto
	Events         []EventType // at least one, in the order of EventTypes
	Project        ProjectRef  // zero: of all projects
	Format         WebhookFormat
	Signature      WebhookSignature
	Enabled        bool
	DisabledReason string          // why we gave it up; "" otherwise
	Secrets        []WebhookSecret // the newest first: two while one takes the place of the other
	CreatedAt      time.Time
	UpdatedAt      time.Time
	Revision       uint64
}

// WebhookSecret is what deliveries are signed with.
type WebhookSecret struct {
	Text  string    `json:"text"`
	Until time.Time `json:"until,omitzero"` // zero: for as long as it is the newest
}

// Secret returns the newest secret, zero if there is not one.
func (w Webhook) Secret() WebhookSecret {
	if len(w.Secrets) == 0 {
		return WebhookSecret{}
	}
	return w.Secrets[0]
}

// SecretsAt returns the secrets that sign at a moment, the newest first.
func (w Webhook) SecretsAt(now time.Time) []string {
	var all []string
	for _, s := range w.Secrets {
		if s.Until.IsZero() || now.Before(s.Until) {
			all = append(all, s.Text)
		}
	}
	return all
}

// Rotate has deliveries signed with a new secret, and for a day with the one before too.
func (w *Webhook) Rotate(secret string, now time.Time) {
	kept := []WebhookSecret{{Text: secret}}
	if len(w.Secrets) > 0 {
		before := w.Secrets[0]
		before.Until = now.Add(rotationPeriod)
		kept = append(kept, before)
	}
	w.Secrets = kept
}

// NewWebhook is what a client may say of a webhook that it makes.
type NewWebhook struct {
	URL       string
	Events    []string
	Project   string // id or name; "" for all projects
	Format    string // "" for standard, or email for mailto:
	Signature string // "" for v1
	Disabled  bool
	// Secret is what deliveries are signed with. The caller makes it, to suit the signature.
	Secret         string              `json:"-"`
	Check          func(Webhook) error `json:"-"` // says in a sentence why there cannot be a webhook of that URL and format; nil: there can
	IdempotencyKey string              `json:"-"`
}

// WebhookChange is what a client may change of a webhook. A nil field stays as it is.
type WebhookChange struct {
	URL       *string
	Events    []string // nil: as they are
	Project   *string  // "": all projects
	Format    *string
	Signature *string
	Enabled   *bool // true takes back that we gave it up
	Rotate    bool  // a new secret, beside which the old one signs for a day
	Test      bool  // tell it webhook.test
	// NewSecret returns a secret that suits a signature. It is called for Rotate, and where the signature becomes another. It may run twice.
	NewSecret func(WebhookSignature) string
	Check     func(Webhook) error // as that of NewWebhook
}

// webhooks are the methods of a Store for webhooks.
type webhooks interface {
	// CreateWebhook stores a webhook. again reports that its idempotency key has made one before, which it returns as it is now. The error is
	// *InvalidError, also if the project does not exist or the account has MaxWebhooks; or ErrIdempotencyMismatch.
	CreateWebhook(ctx context.Context, account string, n NewWebhook) (made Webhook, again bool, err error)
	// Webhooks returns one page of the webhooks of an account, by creation. A search looks at their URLs.
	Webhooks(ctx context.Context, account string, q sortfilter.Query) (Page[Webhook], error)
	// Webhook returns a webhook, or ErrNotFound.
	Webhook(ctx context.Context, account string, id uuid.UUID) (Webhook, error)
	// UpdateWebhook changes a webhook and returns it as it is then. check sees it as it was. The deliveries that are pending when it is disabled
	// fail. The error is ErrNotFound, *InvalidError, or that of check.
	UpdateWebhook(ctx context.Context, account string, id uuid.UUID, c WebhookChange, check func(Webhook) error) (Webhook, error)
	// DeleteWebhook removes a webhook and its deliveries. The error is ErrNotFound, or that of check.
	DeleteWebhook(ctx context.Context, account string, id uuid.UUID, check func(Webhook) error) error
}

// Validate returns the webhook that n asks for, without id, times and project. The error is *InvalidError with every wrong field.
func (n NewWebhook) Validate() (Webhook, error) {
	format := n.Format
	if format == "" && strings.HasPrefix(strings.ToLower(n.URL), "mailto:") {
		format = string(FormatEmail)
	}
	w := Webhook{Format: FormatStandard, Signature: SignatureHMAC, Enabled: !n.Disabled, Revision: 1}
	c := WebhookChange{URL: &n.URL, Events: n.Events, Check: n.Check}
	if c.Events == nil {
		c.Events = []string{}
	}
	if format != "" {
		c.Format = &format
	}
	if n.Signature != "" {
		c.Signature = &n.Signature
	}
	err := c.apply(&w)
	if n.Secret != "" {
		w.Secrets = []WebhookSecret{{Text: n.Secret}}
	}
	return w, err
}

// Apply changes a webhook, which is told of a project from then on. The error is *InvalidError, and then nothing has changed.
func (c WebhookChange) Apply(w *Webhook, project ProjectRef, now time.Time) error {
	changed := *w
	changed.Project = project
	if err := c.apply(&changed); err != nil {
		return err
	}
	if c.Rotate || changed.Signature != w.Signature {
		changed.Rotate(c.NewSecret(changed.Signature), now)
	}
	if changed.Enabled {
		changed.DisabledReason = ""
	}
	if !reflect.DeepEqual(changed, *w) {
		changed.UpdatedAt = now
		changed.Revision++
	}
	*w = changed
	return nil
}

func (c WebhookChange) apply(w *Webhook) error {
	var fields []FieldError
	wrong := func(field, detail string) {
		if detail != "" {
			fields = append(fields, FieldError{Field: field, Detail: detail})
		}
	}
	if c.Format != nil {
		w.Format = WebhookFormat(*c.Format)
		wrong("format", oneOf(w.Format, WebhookFormats))
	}
	if c.Signature != nil {
		w.Signature = WebhookSignature(*c.Signature)
		wrong("signature", oneOf(w.Signature, WebhookSignatures))
	}
	if c.URL != nil {
		var detail string
		w.URL, detail = webhookURL(*c.URL, w.Format)
		wrong("url", detail)
	} else if (w.Format == FormatEmail) != strings.HasPrefix(w.URL, "mailto:") {
		wrong("format", "email goes with an address that begins with mailto:, and only with one")
	}
	if c.Events != nil {
		var detail string
		w.Events, detail = webhookEvents(c.Events)
		wrong("events", detail)
	}
	if c.Enabled != nil {
		w.Enabled = *c.Enabled
	}
	if c.Test && !w.Enabled {
		wrong("test", "is only possible while the webhook is enabled")
	}
	if named := func(f FieldError) bool { return f.Field == "url" || f.Field == "format" }; c.Check != nil && !slices.ContainsFunc(fields, named) {
		if err := c.Check(*w); err != nil {
			wrong("url", err.Error())
		}
	}
	return invalid(fields)
}

// oneOf says which values would be right, or nothing.
func oneOf[T ~string](value T, all []T) string {
	if slices.Contains(all, value) {
		return ""
	}
	names := make([]string, len(all))
	for i, v := range all {
		names[i] = string(v)
	}
	return "must be one of " + strings.Join(names, ", ")
}

// webhookURL returns an address as it is stored, or what would be right.
func webhookURL(text string, format WebhookFormat) (stored, detail string) {
	if text == "" {
		return "", "is required: the http or https address that events are sent to, or mailto: and an e-mail address"
	}
	scheme, address, isMail := strings.Cut(text, ":")
	if isMail = isMail && strings.EqualFold(scheme, "mailto"); isMail != (format == FormatEmail) {
		return "", "goes with the format email if it begins with mailto:, and only then"
	}
	if isMail {
		parsed, err := mail.ParseAddress(address)
		if err != nil || parsed.Address != address || len(address) > 254 || !printable(address) {
			return "", "must be mailto: and one e-mail address, such as mailto:you@example.com"
		}
		return "mailto:" + address, ""
	}
	u, err := weburl.Parse(text)
	if err != nil {
		return "", err.Error()
	}
	return u.String(), ""
}

// webhookEvents returns the events in their order, each once, or what would be right.
func webhookEvents(names []string) (events []EventType, detail string) {
	for _, name := range names {
		if !slices.Contains(EventTypes, EventType(name)) {
			return nil, fmt.Sprintf("has %.40q: %s", name, oneOf(EventType(""), EventTypes))
		}
	}
	for _, e := range EventTypes {
		if slices.Contains(names, string(e)) {
			events = append(events, e)
		}
	}
	if events == nil {
		return nil, "is required: " + oneOf(EventType(""), EventTypes)
	}
	return events, ""
}
