package record

import (
	"slices"

	"sitegrade/audit"
	"sitegrade/db"
)

// Finished returns the events that the end of an audit is. old is the report before it, shown the report as readers see it now; failure says
// why there is no new result, nil where there is one; diff says what changed since the success before, nil where there was none, and regressed
// whether that is for the worse (db.Budget.Regressed).
func Finished(old *Record, shown db.Report, failure *audit.Failure, diff *db.Diff, regressed bool) []db.Event {
	if failure != nil {
		return []db.Event{event(db.ReportFailed, old, shown)}
	}
	events := []db.Event{event(db.ReportDone, old, shown)}
	if regressed {
		events = append(events, event(db.ReportRegressed, old, shown))
	}
	for i := range events {
		events[i].Diff = diff
	}
	return events
}

// Crawled returns the events that the audit of a page by a crawl is: those of what got worse. The end of the crawl tells of the others, all at
// once. old, shown, diff and regressed are as for Finished.
func Crawled(old *Record, shown db.Report, diff *db.Diff, regressed bool) []db.Event {
	return slices.DeleteFunc(Finished(old, shown, nil, diff, regressed), func(e db.Event) bool { return e.Type == db.ReportDone })
}

func event(t db.EventType, old *Record, shown db.Report) db.Event {
	shown.PasswordHash = ""
	e := db.Event{Type: t, Project: shown.Project, Report: &shown, OldResult: old.Result}
	if old.Score != NoScore {
		score := int(old.Score)
		e.OldScore = &score
	}
	return e
}
