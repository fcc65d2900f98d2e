// Package notify tells others what happened: programs by Standard Webhooks 1.0.0, people by their chats and by mail. It signs and sends,
// once when asked; it stores nothing, and when something is sent again is for its caller to say, with the help of NextAttempt.
package notify

import (
	"context"
	"encoding/json"
	"time"

	"sitegrade/fetch"
)

// Message is one event as it goes to one receiver.
type Message struct {
	ID      string          // the webhook-id: the same on every attempt, letters, digits, "-" and "_", at most 64
	Type    string          // of the event: "report.regressed"
	Time    time.Time       // of the event
	Data    json.RawMessage // what "data" holds in the standard format; Trim helps to keep it short
	Summary Summary         // what chats and mails say
}

// Summary is an event in words, for chats and mails. Title and text are the caller's sentences in the language of the receiver, and may
// hold text of audited pages: every format escapes what it sends, so nothing here is escaped. Fields that are empty are left out.
type Summary struct {
	Title    string // one line: "example.com got worse: 82 to 63"
	Text     string // a sentence or two
	URL      string // of the page that was audited
	Link     string // to the report in Sitegrade, http or https
	Action   string // what the link says: "Open the report"
	Old, New *int   // the scores, 0 to 100; nil where there is none
	Facts    []Fact
	Problems []string // what broke, the most important first; formats show the first 10 and count the others
	Good     bool     // good news: shown green, and with less urgency
	Lang     string   // of all that, as BCP 47 has it: "de"; "" for unknown
}

// Fact is a line of a table: what, and how much.
type Fact struct{ Name, Value string }

// Format is how a receiver wants to be told.
type Format string

// The formats.
const (
	Standard Format = "standard" // Standard Webhooks 1.0.0, signed
	Slack    Format = "slack"    // an incoming webhook of Slack, or of what understands its blocks
	Discord  Format = "discord"  // a webhook of Discord
	Teams    Format = "teams"    // a webhook of Microsoft Teams' Workflows
	Ntfy     Format = "ntfy"     // a topic of ntfy
	Email    Format = "email"    // a mail, to a mailto: URL
)

// Formats are all of them.
var Formats = []Format{Standard, Slack, Discord, Teams, Ntfy, Email}

// Target is where messages go, and how.
type Target struct {
	URL       string // http, https or, for Email, mailto:; it may be secret, and no error or outcome names it
	Format    Format
	Signature Signature
	Secrets   []Secret // for Standard: newest first; two while one follows the other
	Brand     Brand    // whose name mails bear
}

// Brand is how an account shows itself in mails. Its texts are not escaped.
type Brand struct {
	Name   string // "" for Sitegrade
	Footer string
	Color  string // #rgb or #rrggbb; anything else is no colour
	URL    string // http or https
	// Logo is a PNG or a JPEG, of the media type LogoType; nil for none.
	Logo     []byte
	LogoType string
}

// Outcome is what came of an attempt to send.
type Outcome struct {
	Status     int           // of the response; 0 for none, and for mail the code of the server that refused it
	Detail     string        // a sentence for people, "" when delivered; it never holds the URL, nor what the receiver responded
	Took       time.Duration // from the first lookup to the last byte
	RetryAfter time.Duration // as the receiver asks; 0 for none, at most a day
	Gone       bool          // the receiver wants no more of it, ever (410)
	Delivered  bool
}

// Sender sends messages. It is safe for concurrent use.
type Sender struct {
	client *fetch.Client
	mail   *Mailer
}

// New returns a sender whose requests go out through client. Without a mailer it sends no mail.
func New(client *fetch.Client, mail *Mailer) *Sender { return &Sender{client, mail} }

// Send makes one attempt to deliver a message, now, which takes 15 seconds at most.
func (s *Sender) Send(ctx context.Context, to Target, m Message, now time.Time) Outcome {
	started := time.Now() // only to measure with
	outcome := s.send(ctx, to, m, now)
	outcome.Took = time.Since(started)
	return outcome
}
