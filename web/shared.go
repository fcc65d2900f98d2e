package web

import (
	"net/http"
	"slices"

	"sitegrade/audit"
	"sitegrade/db"
	"sitegrade/web/templates"
	"sitegrade/web/view"
	"sitegrade/weburl"
)

// sharedPage is the data of a shared report.
type sharedPage struct {
	frame
	view.Report
	Files view.Files
}

// showShared shows a report to whoever has its address. The response for a private one is that for one that does not exist.
func (w *Web) showShared(v *visit) error {
	share := v.params.ByName("share")
	owner, report, found, err := w.store.ReportByShare(v.r.Context(), share)
	if err != nil {
		return err
	}
	of, err := w.speakFor(v, owner, report.Project.ID)
	if err != nil {
		return err
	}
	if shown := protectedReport(report); !w.isOpen(v, shown) {
		w.askForPassword(v, http.StatusOK, shown, passwordPage{})
		return nil
	}
	shown, err := w.pastView(v, owner, report, alone(found))
	if err != nil {
		return err
	}
	page := sharedPage{frame: w.sharedFrame(v, report), Report: shown, Files: view.Files{Path: db.SharePath + share + "/export/", Lang: v.asked()}}
	page.Brand = view.NewBrand(of)
	if page.Unfinished {
		page.Refresh = 5
	}
	v.Header().Set("Cache-Control", "private, no-cache") // a change of privacy shows at once
	if !page.Index {
		v.Header().Set("X-Robots-Tag", "noindex")
	}
	w.sendPage(v, http.StatusOK, "shared", page)
	return nil
}

// sharedFrame is the same for everybody: who looks at a shared page is no matter.
func (w *Web) sharedFrame(v *visit, r db.Report) frame {
	f := plainFrame(view.ReportTitle(v.words, r))
	f.Description = v.sharedDescription(r)
	f.Tongues = v.tongues("generation", "from", "to")
	f.Canonical = r.ShareURL(v.Base)
	f.Index = w.IndexShared && r.Privacy == db.Public
	f.addCard(w.assets, v, view.Moment(r.GeneratedAt).Machine())
	return f
}

func (v *visit) sharedDescription(r db.Report) string {
	host := templates.Shorten(view.HostLength, weburl.Restore(r.URL).Site())
	if r.Score == db.NoScore {
		return v.say("shared.waiting", host)
	}
	return v.say("shared.rated", host, r.Score)
}

// alone returns a report without its comparison to other reports of the project, which may be private.
func alone(found *audit.Report) *audit.Report {
	if found == nil {
		return nil
	}
	shown := *found
	shown.Checks = slices.DeleteFunc(slices.Clone(found.Checks), func(o audit.Outcome) bool { return o.Category == comparison })
	shown.Categories = slices.DeleteFunc(slices.Clone(found.Categories), func(c audit.Category) bool { return c.ID == comparison })
	return &shown
}

// comparison is the category of the checks across a project.
const comparison = "project"
