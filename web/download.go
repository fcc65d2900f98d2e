package web

import (
	"io"

	"sitegrade/audit"
	"sitegrade/db"
	"sitegrade/web/export"
	"sitegrade/web/standalone"
)

// exportReport sends a report of the account as a file: the whole as one HTML page, or its checks as CSV or JSON.
func (w *Web) exportReport(v *visit) error {
	id, err := v.pathID()
	if err != nil {
		return err
	}
	report, found, err := w.store.Report(v.r.Context(), v.key.Account, id)
	if err != nil {
		return err
	}
	owner, err := w.speakFor(v, v.key.Account, report.Project.ID)
	if err != nil {
		return err
	}
	return w.sendReportFile(v, owner, report, found)
}

// exportShared is exportReport for whoever has the address of a shared page, with what that shows.
func (w *Web) exportShared(v *visit) error {
	account, report, found, err := w.store.ReportByShare(v.r.Context(), v.params.ByName("share"))
	if err != nil {
		return err
	}
	if !w.isOpen(v, protectedReport(report)) {
		return v.see(v.asking(db.SharePath + report.Share)) // which asks for the password
	}
	v.Header().Set("Cache-Control", "private, no-cache")
	v.Header().Set("X-Robots-Tag", "noindex")
	owner, err := w.speakFor(v, account, report.Project.ID)
	if err != nil {
		return err
	}
	return w.sendReportFile(v, owner, report, alone(found))
}

func (w *Web) sendReportFile(v *visit, owner db.Account, r db.Report, found *audit.Report) error {
	if found == nil {
		return notFound
	}
	switch name := v.params.ByName("file"); name {
	case "checks.csv", "checks.json":
		w.sendFile(v, export.Checks(name, found.In(v.words.Language())))
	case "report.html":
		brand, sheet, err := w.fileBrand(v.r.Context(), owner)
		if err != nil {
			return err
		}
		w.sendFile(v, export.Page(name, func(to io.Writer) error {
			return standalone.WriteBranded(to, v.words, brand, sheet, []standalone.Report{{URL: r.URL, Found: found}})
		}))
	default:
		return notFound
	}
	return nil
}
