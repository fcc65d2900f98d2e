package db

import (
	"time"

	"github.com/google/uuid"

	"sitegrade/audit"
)

// NoScore is the score of a report that has none.
const NoScore = -1

// Status is where a report stands.
type Status uint8

// The statuses. Running is never stored: what was running when the process died is queued again.
const (
	Queued Status = iota
	Running
	Done
	Failed
)

// String returns the status as the API spells it.
func (s Status) String() string { return [...]string{"queued", "running", "done", "failed"}[s] }

// Unfinished reports whether an audit is still to come or under way.
func (s Status) Unfinished() bool { return s == Queued || s == Running }

// Privacy says who may see the page of a report or of a project's site.
type Privacy uint8

// The privacies, with the numbers that the API gives them.
const (
	Public Privacy = iota
	Private
	Password
)

// Report is a stored report as lists show it.
type Report struct {
	ID           uuid.UUID // UUIDv7, so that ids sort by creation
	Project      ProjectRef
	URL          string
	Status       Status
	Result       audit.Result
	Score        int // 0 to 100, or NoScore: before the first success, and if it was imported without a score
	Privacy      Privacy
	PasswordHash string    // argon2id, in its usual text form; "" unless Privacy is Password
	Share        string    // what the path of its shared page ends with, 26 lower-case letters and digits; "" when private
	GeneratedAt  time.Time // zero before the first success
	CreatedAt    time.Time
	UpdatedAt    time.Time
	Failure      *audit.Failure // why the last audit failed; nil unless Status is Failed
	Revision     uint64         // raised by every write: what an ETag is made from
}

// ProjectRef is what a report says of its project.
type ProjectRef struct {
	ID   uuid.UUID
	Name string
}

// Project is a name that groups reports.
type Project struct {
	ProjectRef
	CreatedAt time.Time
	Reports   Counts
	Budget    Budget
	Standing  BudgetState
	Lang      string // of locale.Codes; "" for none

	Privacy      Privacy // of the page that shows the site
	PasswordHash string  // argon2id, in its usual text form; "" unless Privacy is Password
	Share        string  // what the path of that page ends with, 26 lower-case letters and digits; "" when private
}

// Counts are exact numbers of reports. Total counts those without a result too.
type Counts struct{ Total, Good, Decent, Bad int }

// NewReport is what a client may say of a report that it creates.
type NewReport struct {
	URL      string
	Privacy  Privacy
	Password string
	Project  string // "" for the host of the URL
	// IdempotencyKey, where not empty, makes a repetition harmless: within ResponseLife the same create with the same key makes no other
	// report, unless the first was deleted.
	IdempotencyKey string
}

// Change is what a client may change of a report. A nil field stays as it is.
type Change struct {
	Privacy    *Privacy
	Password   *string
	Regenerate bool // queue an audit of the stored URL
}

// Page is one page of a list, with the exact number of all rows that match.
type Page[Row any] struct {
	Rows  []Row
	Total int
}
