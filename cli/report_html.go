package cli

import (
	"io"
	"strings"

	"sitegrade/web"
)

// writeHTML writes one page with all reports, which loads nothing from elsewhere and has no character that HTML forbids.
func writeHTML(w io.Writer, r run) error {
	var reports []web.StandaloneReport
	for _, a := range r.pages {
		reports = append(reports, web.StandaloneReport{URL: a.url.String(), Found: a.report, Failure: a.failure})
	}
	var page strings.Builder
	if err := web.WriteStandalone(&page, reports); err != nil {
		return err
	}
	_, err := io.WriteString(w, cleanLines(page.String()))
	return err
}
