package web

import (
	"net/http"

	"sitegrade/db"
)

// deletePage is the data of the question before something is deleted.
type deletePage struct {
	frame
	What   string // as a heading
	Detail string
	Back   string // the path of the page that one came from
	Do     string // what the button says; "" for deleting
}

func (w *Web) confirmReportDelete(v *visit) error {
	id, err := v.pathID()
	if err != nil {
		return err
	}
	report, _, err := w.store.Report(v.r.Context(), v.key.Account, id)
	if err != nil {
		return err
	}
	w.sendPage(v, http.StatusOK, "delete", deletePage{
		frame: v.frame(v.say("delete.report"), "reports"), What: v.say("delete.report-question"),
		Detail: v.say("delete.report-detail", report.URL), Back: "/reports/" + id.String(),
	})
	return nil
}

func (w *Web) deleteReport(v *visit) error {
	id, err := v.pathID()
	if err != nil {
		return err
	}
	if err := w.store.DeleteReport(v.r.Context(), v.key.Account, id, nil); err != nil {
		return err
	}
	return v.see("/?done=deleted")
}

// projectByID returns the project that the path names by its id, which stays the same when another gets its name. From then on the page is in its
// language, where it has one.
func (w *Web) projectByID(v *visit) (db.Project, error) {
	id, err := v.pathID()
	if err != nil {
		return db.Project{}, err
	}
	p, err := w.store.Project(v.r.Context(), v.key.Account, id.String())
	if p.Lang != "" {
		v.speak(p.Lang)
	}
	return p, err
}

func (w *Web) confirmProjectDelete(v *visit) error {
	project, err := w.projectByID(v)
	if err != nil {
		return err
	}
	w.sendPage(v, http.StatusOK, "delete", deletePage{
		frame: v.frame(v.say("delete.project"), "projects"), What: v.say("delete.project-question"),
		Detail: v.say("delete.project-detail", project.Name, project.Reports.Total), Back: "/projects",
	})
	return nil
}

func (w *Web) deleteProject(v *visit) error {
	project, err := w.projectByID(v)
	if err != nil {
		return err
	}
	if err := w.store.DeleteProject(v.r.Context(), v.key.Account, project.ID.String(), nil); err != nil {
		return err
	}
	return v.see("/projects?done=project")
}
