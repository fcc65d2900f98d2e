package db

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
)

// WebhookText is a webhook as a line of an export has it, with its secrets.
type WebhookText struct {
	Kind           LineKind         `json:"kind"`
	Account        string           `json:"account"`
	ID             string           `json:"id,omitempty"`
	URL            string           `json:"url"`
	Events         []string         `json:"events"`
	Project        string           `json:"project,omitempty"` // its name; "": all projects
	Format         WebhookFormat    `json:"format,omitempty"`
	Signature      WebhookSignature `json:"signature,omitempty"`
	Enabled        *bool            `json:"enabled,omitempty"` // nil: true
	DisabledReason string           `json:"disabled_reason,omitempty"`
	Secrets        []WebhookSecret  `json:"secrets"`
	CreatedAt      *time.Time       `json:"created_at,omitempty"`
	UpdatedAt      *time.Time       `json:"updated_at,omitempty"`
}

// LineOfWebhook returns the line of a webhook.
func LineOfWebhook(account string, w Webhook) WebhookText {
	l := WebhookText{
		Kind: WebhookLine, Account: account, ID: w.ID.String(), URL: w.URL, Project: w.Project.Name, Format: w.Format, Signature: w.Signature,
		Enabled: &w.Enabled, DisabledReason: w.DisabledReason, Secrets: w.Secrets, CreatedAt: timeOrNil(w.CreatedAt), UpdatedAt: timeOrNil(w.UpdatedAt),
	}
	for _, e := range w.Events {
		l.Events = append(l.Events, string(e))
	}
	return l
}

// parseWebhook reads the line of a webhook, with the name of its project.
func parseWebhook(text []byte, id uuid.UUID) (Webhook, error) {
	var l WebhookText
	if err := json.Unmarshal(text, &l); err != nil {
		return Webhook{}, err
	}
	n := NewWebhook{URL: l.URL, Events: l.Events, Format: string(l.Format), Signature: string(l.Signature), Disabled: l.Enabled != nil && !*l.Enabled}
	w, err := n.Validate()
	w.ID, w.Project.Name, w.Secrets = id, l.Project, l.Secrets
	w.CreatedAt, w.UpdatedAt = timeOf(l.CreatedAt), timeOf(l.UpdatedAt)
	if !w.Enabled {
		w.DisabledReason = l.DisabledReason
	}
	if len(w.Secrets) == 0 || len(w.Secrets) > 2 {
		err = errors.Join(err, errors.New("secrets: one is required, and two while one takes the place of the other"))
	}
	for _, s := range w.Secrets {
		if !strings.HasPrefix(s.Text, "whsec_") && !strings.HasPrefix(s.Text, "whsk_") {
			err = errors.Join(err, errors.New("secrets: each must have a text that begins with whsec_ or whsk_"))
		}
	}
	return w, errors.Join(err, validProjectName(l.Project))
}

// validProjectName is validStoredName for the project of a line that may have none.
func validProjectName(name string) error {
	if name == "" {
		return nil
	}
	return validStoredName("project", name)
}

// ScheduleText is a schedule as a line of an export has it. Its next run is planned when it is imported.
type ScheduleText struct {
	Kind      LineKind      `json:"kind"`
	Account   string        `json:"account"`
	ID        string        `json:"id,omitempty"`
	Project   string        `json:"project,omitempty"` // its name
	Report    string        `json:"report,omitempty"`  // the id of a report whose line comes before; either this or Project
	What      ScheduledWork `json:"what,omitempty"`
	Cron      string        `json:"cron,omitempty"`
	Every     string        `json:"every,omitempty"`
	Zone      string        `json:"timezone,omitempty"`
	Enabled   *bool         `json:"enabled,omitempty"` // nil: true
	Crawl     *CrawlText    `json:"crawl,omitempty"`
	LastRun   *Run          `json:"last_run,omitempty"`
	CreatedAt *time.Time    `json:"created_at,omitempty"`
	UpdatedAt *time.Time    `json:"updated_at,omitempty"`
}

// CrawlText is what the crawls of a schedule are asked to do, as its line has it. Their headers are not in it.
type CrawlText struct {
	URL      string   `json:"url,omitempty"`
	URLs     []string `json:"urls,omitempty"`
	Mode     string   `json:"mode,omitempty"`
	Privacy  *Privacy `json:"privacy,omitempty"`
	MaxPages *int     `json:"max_pages,omitempty"`
	MaxDepth *int     `json:"max_depth,omitempty"`
	Include  []string `json:"include,omitempty"`
	Exclude  []string `json:"exclude,omitempty"`
}

// crawlText returns what the crawls of a schedule are asked to do; nil for another schedule.
func (c *ScheduledCrawl) crawlText() *CrawlText {
	if c == nil {
		return nil
	}
	t := &CrawlText{
		URL: c.URL, URLs: c.URLs, Mode: string(c.Mode), Privacy: &c.Privacy, MaxPages: &c.MaxPages, Include: c.Include, Exclude: c.Exclude,
	}
	if c.URLs != nil {
		t.URL = ""
	}
	if c.MaxDepth != 0 {
		t.MaxDepth = &c.MaxDepth
	}
	return t
}

// asked returns what a line asks crawls to do; nil without that.
func (t *CrawlText) asked() *NewCrawl {
	if t == nil {
		return nil
	}
	return &NewCrawl{
		URL: t.URL, URLs: t.URLs, Mode: t.Mode, Privacy: t.Privacy, MaxPages: t.MaxPages, MaxDepth: t.MaxDepth, Include: t.Include, Exclude: t.Exclude,
	}
}

// LineOfSchedule returns the line of a schedule.
func LineOfSchedule(account string, s Schedule) ScheduleText {
	l := ScheduleText{
		Kind: ScheduleLine, Account: account, ID: s.ID.String(), What: s.What, Cron: s.Cron, Every: s.Every, Zone: s.Zone, Enabled: &s.Enabled,
		Crawl: s.Crawl.crawlText(), LastRun: s.LastRun, CreatedAt: timeOrNil(s.CreatedAt), UpdatedAt: timeOrNil(s.UpdatedAt),
	}
	if s.Report != uuid.Nil {
		l.Report = s.Report.String()
	} else {
		l.Project = s.Project.Name
	}
	return l
}

// parseSchedule reads the line of a schedule, with the name of its project or the id of its report.
func parseSchedule(text []byte, id uuid.UUID, now time.Time) (Schedule, error) {
	var l ScheduleText
	if err := json.Unmarshal(text, &l); err != nil {
		return Schedule{}, err
	}
	n := NewSchedule{
		Project: l.Project, Report: l.Report, What: string(l.What), Cron: l.Cron, Every: l.Every, Zone: l.Zone, Disabled: l.Enabled != nil && !*l.Enabled,
		Crawl: l.Crawl.asked(),
	}
	s, err := n.Validate(now)
	s.ID, s.Project.Name, s.LastRun = id, l.Project, l.LastRun
	s.CreatedAt, s.UpdatedAt = timeOf(l.CreatedAt), timeOf(l.UpdatedAt)
	if s.LastRun != nil && s.LastRun.Status == "" {
		s.LastRun.Status, s.LastRun.Detail = RunFailed, "It was broken off by a move to another database."
	}
	if l.Report != "" {
		var broken error
		if s.Report, broken = uuid.Parse(l.Report); broken != nil {
			err = errors.Join(err, fmt.Errorf("report: must be a UUID, not %q", l.Report))
		}
	}
	return s, errors.Join(err, validProjectName(l.Project))
}
