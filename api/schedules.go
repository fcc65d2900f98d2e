package api

import (
	"net/http"

	"sitegrade/db"
	"sitegrade/sortfilter"
)

func (a *API) listSchedules(x *request) error {
	return serveList(x, "/schedules", sortfilter.ScheduleParameters, a.store.Schedules, db.Schedule.AppendJSON)
}

func (a *API) showSchedule(x *request) error {
	id, err := x.pathID()
	if err != nil {
		return err
	}
	s, err := a.store.Schedule(x.r.Context(), x.key.Account, id)
	if err != nil {
		return err
	}
	document := scheduleDocument(s)
	x.sendRecord(document, revisionTag(s.Revision, document))
	return nil
}

// createSchedule stores a schedule. With an Idempotency-Key it does so once.
func (a *API) createSchedule(x *request) error {
	n, err := a.readNewSchedule(x)
	if err != nil {
		return err
	}
	made, _, err := a.store.CreateSchedule(x.r.Context(), x.key.Account, n)
	if err != nil {
		return err
	}
	document := scheduleDocument(made)
	x.sendMade("/schedules/"+made.ID.String(), document, revisionTag(made.Revision, document))
	return nil
}

// sendMade sends a record that was just made, which a GET of path shows.
func (x *request) sendMade(path string, document []byte, tag string) {
	x.Header().Set("Location", x.Base+Base+path)
	x.sendChanged(http.StatusCreated, document, tag)
}

// sendChanged sends a record as the request has made it.
func (x *request) sendChanged(status int, document []byte, tag string) {
	x.Header().Set("ETag", tag)
	x.sendJSON(status, document)
}

func (a *API) readNewSchedule(x *request) (n db.NewSchedule, err error) {
	b, err := x.readLongBody()
	if err != nil {
		return n, err
	}
	n = db.NewSchedule{
		Project: b.text("project"), Report: b.text("report"), What: b.text("what"), Cron: b.text("cron"), Every: b.text("every"), Zone: b.text("timezone"),
	}
	if enabled := b.boolean("enabled"); enabled != nil {
		n.Disabled = !*enabled
	}
	if n.What == string(db.WorkCrawl) {
		n.Crawl = new(a.crawlOf(b))
	}
	if wrong := b.finish(); wrong != nil {
		_, others := n.Validate(a.Now())
		return n, invalidFields(withOthers(wrong, others))
	}
	n.IdempotencyKey, err = idempotencyKey(x.r.Header)
	return n, err
}

// updateSchedule changes a schedule, and runs it now where the request wants that.
func (a *API) updateSchedule(x *request) error {
	id, err := x.pathID()
	if err != nil {
		return err
	}
	b, err := x.readBody()
	if err != nil {
		return err
	}
	c := db.ScheduleChange{
		Cron: b.given("cron"), Every: b.given("every"), Zone: b.given("timezone"), Enabled: b.boolean("enabled"),
		Run: b.flag("run", "run it now"),
	}
	if wrong := b.finish(); wrong != nil {
		return invalidFields(wrong)
	}
	s, err := a.store.UpdateSchedule(x.r.Context(), x.key.Account, id, c, x.scheduleUnchanged)
	if err != nil {
		return err
	}
	document := scheduleDocument(s)
	x.sendChanged(http.StatusOK, document, revisionTag(s.Revision, document))
	return nil
}

func (a *API) deleteSchedule(x *request) error {
	return deleteRecord(x, a.store.DeleteSchedule, x.scheduleUnchanged)
}
