package db

import (
	"context"
	"errors"
	"hash/fnv"
	"time"

	"github.com/google/uuid"

	"sitegrade/cron"
	"sitegrade/sortfilter"
)

// MaxSchedules is how many schedules an account may have.
const MaxSchedules = 10_000

// ScheduledWork is what a schedule has done.
type ScheduledWork string

// WorkAudit has a report, or all reports of a project, audited again.
const WorkAudit ScheduledWork = "audit"

// WorkCrawl has the site of a project crawled.
const WorkCrawl ScheduledWork = "crawl"

// ScheduledWorks are all of them, the default first.
var ScheduledWorks = []ScheduledWork{WorkAudit, WorkCrawl}

// ScheduledCrawl is what the crawls of a schedule are asked to do.
type ScheduledCrawl struct {
	CrawlOptions
	URLs   []string `json:",omitempty"` // of a list
	Sealed []byte   `json:",omitempty"` // their headers, encrypted; they are never shown
}

// Schedule says when a report or a project is done again.
type Schedule struct {
	ID        uuid.UUID
	Project   ProjectRef // of the report, too
	Report    uuid.UUID  // zero: the whole project
	What      ScheduledWork
	Crawl     *ScheduledCrawl `json:",omitempty"` // nil unless What is WorkCrawl
	Cron      string          // the rule as it was written; "" where Every is set
	Every     string
	Zone      string // of IANA
	Enabled   bool
	NextRun   time.Time // the nominal time; zero while it is not enabled
	LastRun   *Run      // nil before the first
	CreatedAt time.Time
	UpdatedAt time.Time
	Revision  uint64 // raised by every change, but not by runs
}

// RunStatus is how a run of a schedule ended.
type RunStatus string

// The statuses of runs.
const (
	RunDone   RunStatus = "done" // all that it is for was queued
	RunFailed RunStatus = "failed"
)

// Run is one time that a schedule was due.
type Run struct {
	At     time.Time `json:"at"`               // when it began
	Status RunStatus `json:"status,omitempty"` // "" while reports are still being queued
	Queued int       `json:"queued"`           // reports that it queued
	Detail string    `json:"detail,omitempty"` // what happened, in a sentence
}

// NewSchedule is what a client may say of a schedule that it makes.
type NewSchedule struct {
	Project        string    // id or name; either this or Report
	Report         string    // id
	What           string    // "" for audit
	Crawl          *NewCrawl `json:",omitempty"` // what a crawl is asked to do, without its project; nil unless What is crawl
	Cron           string    // either this or Every
	Every          string
	Zone           string // "" for UTC
	Disabled       bool
	IdempotencyKey string `json:"-"`
}

// ScheduleChange is what a client may change of a schedule. A nil field stays as it is.
type ScheduleChange struct {
	Cron    *string // takes the place of Every
	Every   *string // takes the place of Cron
	Zone    *string
	Enabled *bool
	Run     bool // now, beside its times
}

// schedules are the methods of a Store for schedules.
type schedules interface {
	// CreateSchedule stores a schedule. again reports that its idempotency key has made one before, which it returns as it is now. The error
	// is *InvalidError, also if the project or the report does not exist or the account has MaxSchedules; or ErrIdempotencyMismatch.
	CreateSchedule(ctx context.Context, account string, n NewSchedule) (made Schedule, again bool, err error)
	// Schedules returns one page of the schedules of an account, by creation. A search looks at the names of their projects.
	Schedules(ctx context.Context, account string, q sortfilter.Query) (Page[Schedule], error)
	// Schedule returns a schedule, or ErrNotFound.
	Schedule(ctx context.Context, account string, id uuid.UUID) (Schedule, error)
	// UpdateSchedule changes a schedule and returns it as it is then. check sees it as it was. The error is ErrNotFound, *InvalidError, or that
	// of check.
	UpdateSchedule(ctx context.Context, account string, id uuid.UUID, c ScheduleChange, check func(Schedule) error) (Schedule, error)
	// DeleteSchedule removes a schedule. What it queued stays queued. The error is ErrNotFound, or that of check.
	DeleteSchedule(ctx context.Context, account string, id uuid.UUID, check func(Schedule) error) error
	// RunSchedules runs, of all accounts, the schedules whose start has come, in small transactions: it queues their reports behind those that
	// people asked for, and notes the next time. What was missed while no server ran is made up for once. A start comes up to spread after the
	// nominal time, by a hash of the id. It queues no more than limit reports, and returns how many it queued and when it should be called again:
	// at once if more is due, and zero if nothing is planned.
	RunSchedules(ctx context.Context, spread time.Duration, limit int) (queued int, next time.Time, err error)
	// ScheduleStats returns the numbers of this moment.
	ScheduleStats(ctx context.Context, spread time.Duration) (ScheduleStats, error)
}

// ScheduleStats is how the schedules of all accounts stand.
type ScheduleStats struct {
	Late   int       // schedules whose start has passed, and those of which reports are still to be queued
	Oldest time.Time // the first of those starts; zero when there is not one
}

// Validate returns the schedule that n asks for, without id, times, project and report. The error is *InvalidError with every wrong field.
func (n NewSchedule) Validate(now time.Time) (Schedule, error) {
	var fields []FieldError
	s := Schedule{What: WorkAudit, Cron: n.Cron, Every: n.Every, Zone: "UTC", Enabled: !n.Disabled, CreatedAt: now, UpdatedAt: now, Revision: 1}
	if n.What != "" {
		s.What = ScheduledWork(n.What)
	}
	if detail := oneOf(s.What, ScheduledWorks); detail != "" {
		fields = append(fields, FieldError{Field: "what", Detail: detail})
	}
	if (n.Project == "") == (n.Report == "") {
		fields = append(fields, FieldError{Field: "project", Detail: "is required: what to do again, a project or a report (one of the two)"})
	}
	if n.Zone != "" {
		s.Zone = n.Zone
	}
	fields = append(fields, s.plan(now)...)
	if s.What == WorkCrawl {
		fields = append(fields, s.setCrawl(n)...)
	}
	return s, invalid(fields)
}

// setCrawl says what the crawls of a schedule are asked to do, and returns what is wrong with that.
func (s *Schedule) setCrawl(n NewSchedule) (wrong []FieldError) {
	if n.Report != "" {
		wrong = append(wrong, FieldError{Field: "report", Detail: "is not possible with a crawl, which is of a project"})
	}
	asked := NewCrawl{}
	if n.Crawl != nil {
		asked = *n.Crawl
	}
	c, urls, err := asked.Normalised()
	if e, ok := errors.AsType[*InvalidError](err); ok {
		return append(wrong, e.Fields...)
	}
	s.Crawl = &ScheduledCrawl{CrawlOptions: c.CrawlOptions, URLs: urls}
	return wrong
}

// Apply changes a schedule. The error is *InvalidError, and then nothing has changed.
func (c ScheduleChange) Apply(s *Schedule, now time.Time) error {
	changed := *s
	if c.Cron != nil {
		changed.Cron, changed.Every = *c.Cron, ""
	}
	if c.Every != nil {
		changed.Every = *c.Every
		if c.Cron == nil {
			changed.Cron = ""
		}
	}
	if c.Zone != nil {
		changed.Zone = *c.Zone
	}
	if c.Enabled != nil {
		changed.Enabled = *c.Enabled
	}
	if changed == *s {
		return nil // and what is due, but has not begun yet, stays due
	}
	changed.UpdatedAt = now
	changed.Revision++
	if err := changed.Plan(now); err != nil {
		return err
	}
	*s = changed
	return nil
}

// Plan sets the next run to the first after a moment. The error is *InvalidError if the times of the schedule are wrong.
func (s *Schedule) Plan(after time.Time) error { return invalid(s.plan(after)) }

// plan sets the next run after a time, and returns what is wrong with the times of the schedule.
func (s *Schedule) plan(after time.Time) (wrong []FieldError) {
	next, wrong := s.next(after)
	if s.NextRun = next; !s.Enabled {
		s.NextRun = time.Time{}
	}
	return wrong
}

func (s *Schedule) next(after time.Time) (next time.Time, wrong []FieldError) {
	zone, err := cron.LoadZone(s.Zone)
	if err != nil {
		wrong = append(wrong, FieldError{Field: "timezone", Detail: err.Error()})
		zone = time.UTC
	}
	switch {
	case (s.Cron == "") == (s.Every == ""):
		return next, append(wrong, FieldError{Field: "cron", Detail: `is required: when, as a rule such as "0 6 * * mon", or every with an interval such as 6h (one of the two)`})
	case s.Every != "":
		every, err := cron.ParseEvery(s.Every)
		if err != nil {
			return next, append(wrong, FieldError{Field: "every", Detail: err.Error()})
		}
		return every.Next(s.CreatedAt, after).UTC(), wrong
	}
	rule, err := cron.Parse(s.Cron)
	if err != nil {
		return next, append(wrong, FieldError{Field: "cron", Detail: err.Error()})
	}
	if next, ok := rule.Next(after, zone); ok {
		return next.UTC(), wrong
	}
	return next, append(wrong, FieldError{Field: "cron", Detail: "is never due"})
}

// Start returns when a run begins: within spread of its nominal time, always by the same part of it. It is zero if there is no next run.
func (s *Schedule) Start(spread time.Duration) time.Time {
	if s.NextRun.IsZero() || spread < time.Millisecond {
		return s.NextRun
	}
	h := fnv.New64a()
	_, _ = h.Write(s.ID[:]) // never fails
	return s.NextRun.Add(time.Duration(h.Sum64()%uint64(spread/time.Millisecond)) * time.Millisecond)
}

// Ran notes a run and plans the next. What was due meanwhile is not made up for.
func (s *Schedule) Ran(r Run, now time.Time) {
	s.LastRun = &r
	_ = s.plan(now) // its times were valid when it was stored
}
