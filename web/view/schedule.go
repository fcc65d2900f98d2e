package view

import (
	"time"

	"github.com/google/uuid"

	"sitegrade/cron"
	"sitegrade/db"
	"sitegrade/locale"
	"sitegrade/web/templates"
)

// NextRun is when a schedule is due: for everybody, and by the clocks of its own zone where they are others.
type NextRun struct {
	Instant
	There string
}

// NewNextRun returns when a schedule is due next; its texts are empty where it is not.
func NewNextRun(words *locale.Catalogue, s db.Schedule) NextRun {
	next := NextRun{Instant: Moment(s.NextRun)}
	if zone, err := cron.LoadZone(s.Zone); err == nil && s.Zone != "UTC" && !s.NextRun.IsZero() {
		next.There = templates.Say(words, "schedules.there", words.Clock(s.NextRun.In(zone)), s.Zone)
	}
	return next
}

// ScheduleRow is a schedule as pages show it.
type ScheduleRow struct {
	db.Schedule
	Address string // of the one report; "" for a whole project
	Next    NextRun
	Last    Instant
}

// HasReport reports whether the schedule is for one report.
func (s ScheduleRow) HasReport() bool { return s.Report != uuid.Nil }

// Does says what the schedule has done.
func (s ScheduleRow) Does(words *locale.Catalogue) string {
	switch {
	case s.What == db.WorkCrawl:
		return templates.Say(words, "schedules.crawl")
	case s.HasReport():
		return templates.Say(words, "schedules.one", s.Project.Name)
	}
	return templates.Say(words, "schedules.all")
}

// State is where the schedule stands: a colour and a word.
func (s ScheduleRow) State(words *locale.Catalogue) State {
	switch {
	case s.LastRun != nil && s.LastRun.Status == "":
		return State{Class: "busy", Text: templates.Say(words, "statuses.running")}
	case !s.Enabled:
		return State{Text: templates.Say(words, "schedules.off")}
	case s.LastRun != nil && s.LastRun.Status == db.RunFailed:
		return State{Class: "bad", Text: templates.Say(words, "statuses.failed")}
	}
	return State{Class: "good", Text: templates.Say(words, "schedules.on")}
}

// PlannedRun returns the next run of a schedule whose times are valid, also where nothing was changed.
func PlannedRun(words *locale.Catalogue, s db.Schedule, now time.Time) NextRun {
	if s.NextRun.IsZero() {
		_ = s.Plan(now)
	}
	return NewNextRun(words, s)
}
