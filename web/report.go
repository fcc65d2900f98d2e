package web

import (
	"net/http"

	"sitegrade/audit"
	"sitegrade/db"
	"sitegrade/web/view"
)

// reportPage is the data of a report's page in the dashboard.
type reportPage struct {
	frame
	view.Report
	ID      string
	Project db.ProjectRef
	view.PrivacyField
	Files  view.Files
	May    db.Privacy // who may see it now
	Share  string     // the address of its shared page; "" when private
	Notice string
	Wrong  []string // what is wrong with a privacy that was asked for
}

func (w *Web) showReport(v *visit) error {
	id, err := v.pathID()
	if err != nil {
		return err
	}
	report, found, err := w.store.Report(v.r.Context(), v.key.Account, id)
	if err != nil {
		return err
	}
	return w.sendReport(v, http.StatusOK, report, found, view.PrivacyField{Privacy: report.Privacy}, nil)
}

// sendReport sends the page of a report, with the privacy that it has or that was asked for, and what else was wrong with a change of it.
func (w *Web) sendReport(v *visit, status int, r db.Report, found *audit.Report, privacy view.PrivacyField, wrong []string) error {
	if _, err := w.speakFor(v, v.key.Account, r.Project.ID); err != nil {
		return err
	}
	shown, err := w.pastView(v, v.key.Account, r, found)
	if err != nil {
		return err
	}
	page := reportPage{
		frame: v.frame(view.ReportTitle(v.words, r), "reports"), Report: shown, ID: r.ID.String(), Project: r.Project,
		PrivacyField: privacy, May: r.Privacy, Notice: v.notice(), Wrong: wrong,
	}
	if v.mayChange() {
		page.offerAccepting(r)
	}
	page.Files = view.Files{Path: "/reports/" + r.ID.String() + "/export/", Lang: v.asked()}
	page.Share = r.ShareURL(v.Base)
	if page.Unfinished {
		page.Refresh = 3
	}
	w.sendPage(v, status, "report", page)
	return nil
}

// offerAccepting has each problem that nobody accepts lead to the form that does.
func (p *reportPage) offerAccepting(r db.Report) {
	for _, some := range [][]view.Issue{p.ToFix, p.Hints} {
		for i := range some {
			if some[i].Accepted == nil {
				some[i].Accept = acceptPath(r.Project.ID, some[i].ID, r.URL)
			}
		}
	}
}

func (w *Web) regenerate(v *visit) error {
	id, err := v.pathID()
	if err != nil {
		return err
	}
	if _, _, err := w.store.UpdateReport(v.r.Context(), v.key.Account, id, db.Change{Regenerate: true}, nil); err != nil {
		return err
	}
	return v.see("/reports/" + id.String() + "?done=regenerate")
}

// changePrivacy changes who may see a report. An empty password keeps the one that there is.
func (w *Web) changePrivacy(v *visit) error {
	id, err := v.pathID()
	if err != nil {
		return err
	}
	privacy, password := postedPrivacy(v.posted)
	change := db.Change{Privacy: &privacy}
	if password != "" {
		change.Password = &password
	}
	_, _, err = w.store.UpdateReport(v.r.Context(), v.key.Account, id, change, nil)
	if view.FaultLines(v.words, err) != nil {
		fault, others := view.PasswordFault(v.words, err)
		report, found, err := w.store.Report(v.r.Context(), v.key.Account, id)
		if err != nil {
			return err
		}
		return w.sendReport(v, http.StatusUnprocessableEntity, report, found, view.PrivacyField{Privacy: privacy, PasswordFault: fault}, others)
	}
	if err != nil {
		return err
	}
	return v.see("/reports/" + id.String() + "?done=privacy")
}
