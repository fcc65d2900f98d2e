package web

import (
	"crypto/rand"
	"net/http"
	"net/url"
	"strings"

	"sitegrade/db"
	"sitegrade/sortfilter"
	"sitegrade/web/view"
)

// schedulesRoute is the path of the list of schedules, which has the form that makes one.
const schedulesRoute = "/schedules"

// faults say what is wrong with a form, by field.
type faults map[string]string

// Field returns an input of the form for the templates of what is wrong.
func (f faults) Field(name string) field { return field{name, f[name]} }

// IsWrong reports whether anything is.
func (f faults) IsWrong() bool { return len(f) > 0 }

// scheduleForm is what is filled in to make or change a schedule, and what is wrong with it.
type scheduleForm struct {
	faults
	Project, Report   string
	Cron, Every, Zone string
	Enabled           bool
	Next              view.NextRun // what the form comes to, once that was asked for
	Once              string       // what makes a form that is sent twice make one schedule
}

func (w *Web) newScheduleRow(v *visit, s db.Schedule) view.ScheduleRow {
	row := view.ScheduleRow{Schedule: s, Next: view.NewNextRun(v.words, s)}
	if row.HasReport() {
		row.Address = v.say("schedules.a-report")
		if r, _, err := w.store.Report(v.r.Context(), v.key.Account, s.Report); err == nil {
			row.Address = r.URL
		}
	}
	if s.LastRun != nil {
		row.Last = view.Moment(s.LastRun.At)
	}
	return row
}

// schedulesPage is the data of the list of schedules.
type schedulesPage struct {
	frame
	Form   scheduleForm
	Query  sortfilter.Query
	Rows   []view.ScheduleRow
	Pages  view.Pager
	Notice string
}

func (w *Web) listSchedules(v *visit) error {
	asked := v.r.URL.Query()
	return w.sendSchedules(v, http.StatusOK, v.r.URL.RawQuery, scheduleForm{Project: asked.Get("for"), Report: asked.Get("report"), Zone: "UTC"})
}

// sendSchedules sends the list with its form.
func (w *Web) sendSchedules(v *visit, status int, query string, form scheduleForm) error {
	q, err := sortfilter.Parse(query, sortfilter.ScheduleParameters)
	if err != nil {
		return err
	}
	page, err := w.store.Schedules(v.r.Context(), v.key.Account, q)
	if err != nil {
		return err
	}
	if form.Once == "" {
		form.Once = rand.Text()
	}
	shown := schedulesPage{
		frame: v.frame(v.say("layout.schedules"), "schedules"), Form: form, Query: q, Notice: v.notice(),
		Pages: view.NewPager(schedulesRoute, "schedule", q, page.Total, query),
	}
	for _, s := range page.Rows {
		shown.Rows = append(shown.Rows, w.newScheduleRow(v, s))
	}
	w.sendPage(v, status, "schedules", shown)
	return nil
}

// postedSchedule returns the form as it was filled in.
func postedSchedule(posted url.Values) scheduleForm {
	text := func(name string) string { return strings.TrimSpace(posted.Get(name)) }
	f := scheduleForm{
		Project: text("project"), Report: text("report"), Cron: text("cron"), Every: text("every"), Zone: text("timezone"),
		Enabled: text("enabled") != "", Once: text("once"),
	}
	if f.Zone == "" {
		f.Zone = "UTC"
	}
	return f
}

// createSchedule makes the schedule of the form, or shows when it would run next where that is asked for, or what is wrong at each field.
func (w *Web) createSchedule(v *visit) error {
	form := postedSchedule(v.posted)
	wanted := db.NewSchedule{Project: form.Project, Report: form.Report, Cron: form.Cron, Every: form.Every, Zone: form.Zone}
	planned, err := wanted.Validate(w.Now())
	if err == nil && v.posted.Get("do") == "check" {
		form.Next = view.NewNextRun(v.words, planned)
		return w.sendSchedules(v, http.StatusOK, "", form)
	}
	if err == nil {
		if err := tooMany(w.Limits.Call(v.key.ID, w.Now()).Wait); err != nil {
			return err
		}
		if form.Once != "" {
			wanted.IdempotencyKey = "form-" + form.Once
		}
		if _, _, err = w.store.CreateSchedule(v.r.Context(), v.key.Account, wanted); err == nil {
			return v.see(schedulesRoute + "?done=planned")
		}
	}
	if form.faults = view.Faults(v.words, err); form.faults == nil {
		return err
	}
	return w.sendSchedules(v, http.StatusUnprocessableEntity, "", form)
}

// schedulePage is the data of the page of one schedule.
type schedulePage struct {
	frame
	view.ScheduleRow
	Form   scheduleForm
	Notice string
}

func (w *Web) showSchedule(v *visit) error {
	s, err := w.scheduleByPath(v)
	if err != nil {
		return err
	}
	form := scheduleForm{Cron: s.Cron, Every: s.Every, Zone: s.Zone, Enabled: s.Enabled}
	return w.sendSchedule(v, http.StatusOK, s, form)
}

func (w *Web) scheduleByPath(v *visit) (db.Schedule, error) {
	id, err := v.pathID()
	if err != nil {
		return db.Schedule{}, err
	}
	return w.store.Schedule(v.r.Context(), v.key.Account, id)
}

func (w *Web) sendSchedule(v *visit, status int, s db.Schedule, form scheduleForm) error {
	w.sendPage(v, status, "schedule", schedulePage{
		frame: v.frame(v.say("schedules.title"), "schedules"), ScheduleRow: w.newScheduleRow(v, s), Form: form, Notice: v.notice(),
	})
	return nil
}

// updateSchedule changes a schedule to what the form says, or shows when it would run next, or what is wrong at each field.
func (w *Web) updateSchedule(v *visit) error {
	s, err := w.scheduleByPath(v)
	if err != nil {
		return err
	}
	form := postedSchedule(v.posted)
	change := db.ScheduleChange{Cron: &form.Cron, Every: &form.Every, Zone: &form.Zone, Enabled: &form.Enabled}
	planned := s
	planned.Enabled = true // so that it has a next run
	changing := change
	changing.Enabled = nil
	err = changing.Apply(&planned, w.Now())
	if err == nil && v.posted.Get("do") == "check" {
		form.Next = view.PlannedRun(v.words, planned, w.Now())
		return w.sendSchedule(v, http.StatusOK, s, form)
	}
	if err == nil {
		if _, err = w.store.UpdateSchedule(v.r.Context(), v.key.Account, s.ID, change, nil); err == nil {
			return v.see(schedulesRoute + "/" + s.ID.String() + "?done=planned")
		}
	}
	if form.faults = view.Faults(v.words, err); form.faults == nil {
		return err
	}
	return w.sendSchedule(v, http.StatusUnprocessableEntity, s, form)
}

func (w *Web) runSchedule(v *visit) error {
	id, err := v.pathID()
	if err != nil {
		return err
	}
	if _, err := w.store.UpdateSchedule(v.r.Context(), v.key.Account, id, db.ScheduleChange{Run: true}, nil); err != nil {
		return err
	}
	return v.see(schedulesRoute + "/" + id.String() + "?done=run")
}

func (w *Web) confirmScheduleDelete(v *visit) error {
	s, err := w.scheduleByPath(v)
	if err != nil {
		return err
	}
	what := s.Project.Name
	if row := w.newScheduleRow(v, s); row.HasReport() {
		what = row.Address
	}
	w.sendPage(v, http.StatusOK, "delete", deletePage{
		frame: v.frame(v.say("schedules.delete-title"), "schedules"), What: v.say("schedules.delete"),
		Detail: v.say("schedules.delete-detail", what), Back: schedulesRoute + "/" + s.ID.String(),
	})
	return nil
}

func (w *Web) deleteSchedule(v *visit) error {
	id, err := v.pathID()
	if err != nil {
		return err
	}
	if err := w.store.DeleteSchedule(v.r.Context(), v.key.Account, id, nil); err != nil {
		return err
	}
	return v.see(schedulesRoute + "?done=schedule")
}
