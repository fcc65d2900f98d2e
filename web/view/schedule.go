package view

import (
	"time"

	"github.com/google/uuid"

	"sitegrade/cron"
	"sitegrade/db"
)

// NextRun is when a schedule is due: for everybody, and by the clocks of its own zone where they are others.
type NextRun struct {
	Instant
	There string
}

// NewNextRun returns when a schedule is due next; its texts are empty where it is not.
func NewNextRun(s db.Schedule) NextRun {
	next := NextRun{Instant: Moment(s.NextRun)}
	if zone, err := cron.LoadZone(s.Zone); err == nil && s.Zone != "UTC" && !s.NextRun.IsZero() {
		next.There = s.NextRun.In(zone).Format("Mon 15:04") + " in " + s.Zone
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
func (s ScheduleRow) Does() string {
	switch {
	case s.What == db.WorkCrawl:
		return "A crawl of the site"
	case s.HasReport():
		return "One report of " + s.Project.Name
	}
	return "All reports of the project"
}

// State is where the schedule stands: a colour and a word.
func (s ScheduleRow) State() State {
	switch {
	case s.LastRun != nil && s.LastRun.Status == "":
		return State{Class: "busy", Text: "Running"}
	case !s.Enabled:
		return State{Text: "Off"}
	case s.LastRun != nil && s.LastRun.Status == db.RunFailed:
		return State{Class: "bad", Text: "Failed"}
	}
	return State{Class: "good", Text: "On"}
}

// PlannedRun returns the next run of a schedule whose times are valid, also where nothing was changed.
func PlannedRun(s db.Schedule, now time.Time) NextRun {
	if s.NextRun.IsZero() {
		_ = s.Plan(now)
	}
	return NewNextRun(s)
}
