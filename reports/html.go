package reports

import (
	"io"
	"strings"

	"sitegrade/terminal"
	"sitegrade/web"
)

// writeHTML writes one page with all reports, which loads nothing from elsewhere and has no character that HTML forbids.
func writeHTML(w io.Writer, r Run) error {
	var reports []web.StandaloneReport
	for _, a := range r.Pages {
		reports = append(reports, web.StandaloneReport{URL: a.URL.String(), Found: a.Report, Failure: a.Failure})
	}
	var page strings.Builder
	if err := web.WriteStandalone(&page, reports); err != nil {
		return err
	}
	_, err := io.WriteString(w, terminal.CleanLines(page.String()))
	return err
}
