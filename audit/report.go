package audit

import (
	"encoding/json"
	"time"

	"sitegrade/locale"
)

// GraderVersion is raised whenever a check or a weight changes, so that two scores can be compared knowingly.
const GraderVersion = 2

// Report is what one audit found, in English; In gives it in other languages. Its JSON is what the API shows.
type Report struct {
	URL          string    `json:"url"`       // the URL that was asked for, normalised
	FinalURL     string    `json:"final_url"` // the URL that answered, after redirects
	HTTPStatus   int       `json:"http_status"`
	Redirects    []string  `json:"redirects"` // every URL on the way, without the final one; never nil
	Timings      Timings   `json:"timings"`
	Size         int64     `json:"size"`          // bytes of the document, decoded
	TransferSize int64     `json:"transfer_size"` // bytes of the document as they came over the wire
	Grader       int       `json:"grader_version"`
	GeneratedAt  time.Time `json:"generated_at"`
	Result       Result    `json:"result"`
	Score        int       `json:"score"` // 0..100
	Why          string    `json:"why"`   // one sentence: what made the score; "" in reports of grader 1
	// WhySaid is Why without its language; zero in reports of earlier versions.
	WhySaid    locale.Sentence `json:"-"`
	Summary    Summary         `json:"summary"`
	Categories []Category      `json:"categories"`
	Checks     []Outcome       `json:"checks"` // in the order of the table
	// Sample names which resources and links were looked at, in 8 hex digits; "" when not one was left out. Two reports with the same name
	// looked at the same URLs.
	Sample string `json:"sample,omitempty"`
	Page   Page   `json:"page"`
}

// Page is what the page says of itself, for lists, previews and comparisons across a project.
type Page struct {
	Title       string `json:"title"`
	Description string `json:"description"`
	H1          string `json:"h1"`
	Lang        string `json:"lang"`
	Canonical   string `json:"canonical"`
	Words       int    `json:"words"`
	// ContentHash is the hex SHA-256 of the visible text, its white space folded; empty when there is no text.
	ContentHash string `json:"content_hash"`
	// What the page declares for cards in social networks.
	OGTitle       string `json:"og_title"`
	OGDescription string `json:"og_description"`
	OGImage       string `json:"og_image"`
}

// Timings are in milliseconds. A phase that did not happen is 0, such as TLS of a page over http or DNS of an IP address.
type Timings struct {
	DNS      float64 `json:"dns"`
	Connect  float64 `json:"connect"`
	TLS      float64 `json:"tls"`
	TTFB     float64 `json:"ttfb"`     // from sending the last request to its first byte
	Download float64 `json:"download"` // from the first byte to the last
	Document float64 `json:"document"` // from the start to the document's last byte, redirects included
	Total    float64 `json:"total"`    // the whole audit
}

// Summary counts outcomes; High, Medium and Low count the failed checks of that severity.
type Summary struct {
	Passed        int `json:"passed"`
	Failed        int `json:"failed"`
	Warnings      int `json:"warnings"`
	NotApplicable int `json:"not_applicable"`
	High          int `json:"high"`
	Medium        int `json:"medium"`
	Low           int `json:"low"`
}

// Category is the rating of one part of the table: "seo", "performance", "security", "html", "ai".
type Category struct {
	ID            string `json:"id"`
	Title         string `json:"title"`
	Score         *int   `json:"score"` // nil when nothing in it applies
	Passed        int    `json:"passed"`
	Failed        int    `json:"failed"`
	Warnings      int    `json:"warnings"`
	NotApplicable int    `json:"not_applicable"`
}

// Outcome is what one check found.
type Outcome struct {
	ID       string     `json:"id"`
	Category string     `json:"category"`
	Severity Severity   `json:"severity"`
	Status   Status     `json:"status"`
	Title    string     `json:"title"`            // one sentence: what is right, or wrong, or for a check that does not apply, what it looks at
	Detail   string     `json:"detail"`           // one sentence: what was found, with numbers; what Said says
	Evidence []Evidence `json:"evidence"`         // at most 10; never nil
	Advice   string     `json:"advice"`           // one sentence: what to do; empty when passed or not applicable
	Source   string     `json:"source"`           // where the rule comes from
	Unseen   Unseen     `json:"unseen,omitempty"` // why not all was looked at; "" when it was, and for what failed

	// Said is the detail without its language. It is zero in reports of earlier versions, which have their words in English alone.
	Said locale.Sentence `json:"-"`

	// Accepted says that somebody decided to live with this failure or warning; nil if nobody did. An audit leaves it nil.
	Accepted *Acceptance `json:"accepted,omitempty"`
}

// Acceptance is why somebody lives with an outcome, and until when.
type Acceptance struct {
	Reason    string
	ExpiresAt time.Time // zero: for as long as nobody takes it back
}

// MarshalJSON writes the reason, and the end in milliseconds or null.
func (a Acceptance) MarshalJSON() ([]byte, error) {
	shown := struct {
		Reason    string  `json:"reason"`
		ExpiresAt *string `json:"expires_at"`
	}{Reason: a.Reason}
	if !a.ExpiresAt.IsZero() {
		end := a.ExpiresAt.UTC().Format("2006-01-02T15:04:05.000Z07:00")
		shown.ExpiresAt = &end
	}
	return json.Marshal(shown)
}

// Evidence points at one place in the page or at one URL. Empty fields are left out.
type Evidence struct {
	Selector string `json:"selector,omitempty"`
	Snippet  string `json:"snippet,omitempty"` // at most 200 bytes of the page, cut at a rune
	Line     int    `json:"line,omitempty"`    // 1-based line of the decoded document
	URL      string `json:"url,omitempty"`

	more int // further places for which this one stands, since not all are shown
}

// Severity says how much a check counts in the score.
type Severity string

// The severities.
const (
	High   Severity = "high"
	Medium Severity = "medium"
	Low    Severity = "low"
	Info   Severity = "info"
)

// Status is the outcome of a check.
type Status string

// The outcomes. A warning counts half.
const (
	Passed        Status = "passed"
	Failed        Status = "failed"
	Warning       Status = "warning"
	NotApplicable Status = "not_applicable"
)
