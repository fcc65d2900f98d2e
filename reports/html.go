package reports

import (
	"fmt"
	"io"
	"strings"

	"sitegrade/audit"
	"sitegrade/crawl"
	"sitegrade/locale"
	"sitegrade/terminal"
	"sitegrade/web/standalone"
)

// writeHTML writes one page with all reports, which loads nothing from elsewhere and has no character that HTML forbids.
func writeHTML(w io.Writer, r Run) error {
	var reports []standalone.Report
	for _, a := range r.Pages {
		reports = append(reports, standalone.Report{URL: a.URL.String(), Found: a.Report, Failure: a.Failure})
	}
	var page strings.Builder
	if err := standalone.Write(&page, locale.For(r.language), reports); err != nil {
		return err
	}
	_, err := io.WriteString(w, terminal.CleanLines(page.String()))
	return err
}

// writeSiteHTML is writeHTML for a site.
func writeSiteHTML(w io.Writer, r Run) error {
	s := r.Site
	shown := standalone.Site{
		URL: s.URL.String(), Generated: s.FinishedAt, Score: s.Summary.Score, Result: s.Summary.Result, Why: s.Summary.Why,
		Facts: []string{s.pageCounts(), s.addressCounts()},
	}
	if s.Stopped {
		shown.Notes = append(shown.Notes, stoppedText)
	}
	for _, l := range s.Summary.Limits {
		shown.Notes = append(shown.Notes, limitText(l))
	}
	states := r.states()
	for _, i := range s.Issues {
		shown.Issues = append(shown.Issues, s.htmlIssue(i, states[i.Check]))
	}
	for _, l := range s.Broken {
		shown.Broken = append(shown.Broken, htmlLink(l))
	}
	for _, f := range mostPages(s.Folders, shownFolders) {
		shown.Folders = append(shown.Folders, standalone.Score{Name: f.URL, Score: f.Score, Text: fmt.Sprintf("%d %s", f.Pages, terminal.Plural(f.Pages, "page", "pages"))})
	}
	for _, row := range s.Worst {
		shown.Worst = append(shown.Worst, standalone.Score{Name: row.URL, Score: *row.Score, Text: row.Title})
	}
	var page strings.Builder
	if err := standalone.WriteSite(&page, locale.For(locale.English), shown); err != nil {
		return err
	}
	_, err := io.WriteString(w, terminal.CleanLines(page.String()))
	return err
}

func (s *Site) htmlIssue(i Issue, n states) standalone.Issue {
	shown := standalone.Issue{Severity: i.Severity, Title: i.Title, Extent: i.Check + ", on " + s.extent(i, n), Advice: i.Advice, More: i.Pages - len(i.First)}
	for _, w := range i.First {
		shown.Places = append(shown.Places, standalone.Place{URL: w.URL.String(), Evidence: w.Outcome.Evidence[:min(len(w.Outcome.Evidence), shownPlaces)]})
	}
	return shown
}

// htmlLink shows a broken address as an issue, with the pages that link it.
func htmlLink(l crawl.LinkRow) standalone.Issue {
	shown := standalone.Issue{Title: l.Target, Extent: statusText(l.Status) + ", linked by " + linkedBy(l), More: l.Sources - len(l.First)}
	for _, source := range l.First {
		place := standalone.Place{Evidence: []audit.Evidence{{URL: source.URL, Line: source.Line, Snippet: source.Text}}}
		shown.Places = append(shown.Places, place)
	}
	return shown
}
