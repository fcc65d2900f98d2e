package reports

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"sitegrade/audit"
	"sitegrade/crawl"
	"sitegrade/terminal"
	"sitegrade/weburl"
)

// How much of a site the terminal and Markdown show; JSON has all.
const (
	shownIssues  = 30
	shownBroken  = 15
	shownFolders = 25
	shownPlaces  = 3 // addresses of an issue, and pages that link a broken address
)

// stoppedText heads the report of a crawl that did not come to its end.
const stoppedText = "The crawl was ended early: this is of what it had seen until then."

// writeSiteText writes the score first, then what to mend, then the links that are broken and the folders.
func writeSiteText(w io.Writer, r Run) error {
	t := siteText{textReport{terminal.NewText(w)}, r.Site}
	t.verdict()
	t.limits()
	t.issues(r)
	t.broken()
	t.folders()
	t.worst()
	_, err := io.WriteString(w, t.String())
	return err
}

// siteText is a report of a site that is being written.
type siteText struct {
	textReport
	*Site
}

func (t siteText) verdict() {
	t.Paragraph("", terminal.Clean(t.URL.String()), terminal.Bold)
	if t.Stopped {
		t.Paragraph("", stoppedText, terminal.Yellow)
	}
	t.Line("")
	if s := t.Summary.Score; s != nil {
		colour := resultColour(t.Summary.Result)
		t.Line(t.Paint(fmt.Sprintf("%3d of 100  %s", *s, t.Summary.Result), colour, terminal.Bold) + "  " + t.Paint(bar(*s, 30), colour))
	} else {
		t.Line(t.Paint("no page was audited", terminal.Red, terminal.Bold))
	}
	t.Line("")
	if t.Summary.Why != "" {
		t.Paragraph("", terminal.Clean(t.Summary.Why))
		t.Line("")
	}
	t.Paragraph("", t.pageCounts())
	t.Paragraph("", t.addressCounts())
	t.Line(t.Paint(t.pace(), terminal.Faint))
}

// pageCounts says how many pages there are: "120 pages: 80 good, 30 decent, 10 bad. Search engines may index 118 of them, but not 2 with
// noindex."
func (s *Site) pageCounts() string {
	n := s.Summary
	text := fmt.Sprintf("%d %s: %d good, %d decent, %d bad.", n.Pages, terminal.Plural(n.Pages, "page", "pages"), n.Good, n.Decent, n.Bad)
	if n.Pages == n.Indexable {
		return text
	}
	var not []string
	if k := s.Unindexed[crawl.Canonical]; k > 0 {
		not = append(not, fmt.Sprintf("%d whose canonical is another address", k))
	}
	if k := s.Unindexed[crawl.Noindex]; k > 0 {
		not = append(not, fmt.Sprintf("%d with noindex", k))
	}
	text += fmt.Sprintf(" Search engines may index %d of them", n.Indexable)
	if len(not) > 0 {
		text += ", but not " + strings.Join(not, " and ")
	}
	return text + "."
}

// addressCounts says how the addresses answered: "130 addresses: 120 with status 200, 8 with 404, 2 without a response."
func (s *Site) addressCounts() string {
	var parts []string
	total := 0
	for i, c := range s.Statuses {
		total += c.Count
		switch {
		case c.Status > 0 && i == 0:
			parts = append(parts, fmt.Sprintf("%d with status %d", c.Count, c.Status))
		case c.Status > 0:
			parts = append(parts, fmt.Sprintf("%d with %d", c.Count, c.Status))
		case c.Reason == crawl.ByRobotsTxt:
			parts = append(parts, fmt.Sprintf("%d forbidden by robots.txt", c.Count))
		default:
			parts = append(parts, fmt.Sprintf("%d without a response", c.Count))
		}
	}
	text := fmt.Sprintf("%d %s", total, terminal.Plural(total, "address", "addresses"))
	if len(parts) > 0 {
		text += ": " + strings.Join(parts, ", ")
	}
	if n := s.Progress.Queued + s.Progress.UnderWay; n > 0 {
		text += fmt.Sprintf("; %d more were not asked for", n)
	}
	return text + "."
}

// pace says how long the crawl took.
func (s *Site) pace() string {
	took := s.FinishedAt.Sub(s.StartedAt)
	return fmt.Sprintf("crawled in %s, %.1f pages a second", audit.FormatMilliseconds(float64(took.Milliseconds())), float64(s.Summary.Pages)/max(took.Seconds(), 0.001))
}

func (t siteText) heading(text string) {
	t.Line("")
	t.Line(t.Paint(text, terminal.Bold))
	t.Line("")
}

func (t siteText) limits() {
	if len(t.Summary.Limits) == 0 {
		return
	}
	t.heading("Left out")
	for _, l := range t.Summary.Limits {
		t.Paragraph("  "+t.Paint("!", terminal.Yellow)+" ", limitText(l))
	}
}

// limitText says what a limit left out.
func limitText(l crawl.Limit) string {
	return fmt.Sprintf("%s %d %s left out (%s).", terminal.Clean(l.Detail), l.Addresses, terminal.Plural(l.Addresses, "address was", "addresses were"), l.Limit)
}

func (t siteText) issues(r Run) {
	t.heading("To mend, what weighs most first")
	if len(t.Issues) == 0 {
		t.Line("  Nothing.")
	}
	states := r.states()
	for i, issue := range t.Issues {
		if i > 0 {
			t.Line("")
		}
		if i == shownIssues {
			t.Paragraph("  ", "And "+moreIssues(t.Issues[i:])+".", terminal.Faint)
			break
		}
		t.issue(issue, states[issue.Check])
	}
}

// moreIssues names issues: "3 more: image-alt (12), title-length (3)".
func moreIssues(issues []Issue) string {
	var names []string
	for _, i := range issues {
		names = append(names, fmt.Sprintf("%s (%d)", i.Check, i.Pages))
	}
	return fmt.Sprintf("%d more: %s", len(issues), strings.Join(names, ", "))
}

func (t siteText) issue(i Issue, n states) {
	sign := t.Paint("✗", severityColour(i.Severity))
	t.Paragraph("  "+sign+" ", terminal.Clean(i.Title)+" ("+i.Check+")", terminal.Bold)
	t.Paragraph("    ", strings.ToLower(severityTitle(i.Severity))+", on "+t.extent(i, n))
	places := t.places(i)
	for _, w := range places {
		t.where(w)
	}
	if more := i.Pages - len(places); more > 0 && !t.isEverywhere(i) {
		t.Line(t.Paint(fmt.Sprintf("      and %d more", more), terminal.Faint))
	}
	if i.Advice != "" {
		t.Paragraph("    → ", terminal.Clean(i.Advice))
	}
}

// isEverywhere reports whether all pages have an issue but for one in twenty at most, so that which ones have it says nothing.
func (s *Site) isEverywhere(i Issue) bool {
	return !i.Across && i.Pages > 1 && 20*i.Pages >= 19*s.Summary.Pages
}

// places returns the addresses of an issue that people are shown. Of what is on every page that is one, if it shows something there.
func (s *Site) places(i Issue) []Where {
	shown := i.First[:min(len(i.First), shownPlaces)]
	if !s.isEverywhere(i) {
		return shown
	}
	for _, w := range shown {
		if len(w.Outcome.Evidence) > 0 {
			return []Where{w}
		}
	}
	return nil
}

// extent says on how many pages an issue is, and how many of them are new: "312 of 500 pages, 3 of them new".
func (s *Site) extent(i Issue, n states) string {
	text := fmt.Sprintf("%d of %d %s", i.Pages, s.Summary.Pages, terminal.Plural(s.Summary.Pages, "page", "pages"))
	switch {
	case s.isEverywhere(i) && i.Pages == s.Summary.Pages:
		text = fmt.Sprintf("every page (%d)", i.Pages)
	case s.isEverywhere(i):
		text = fmt.Sprintf("nearly every page (%d of %d)", i.Pages, s.Summary.Pages)
	case i.Across:
		text = fmt.Sprintf("%d %s", i.Pages, terminal.Plural(i.Pages, "address", "addresses"))
	}
	if n.fresh > 0 {
		text += fmt.Sprintf(", %d of them new", n.fresh)
	}
	return text
}

// where writes an address with the first place in it.
func (t siteText) where(w Where) {
	t.Line("      " + terminal.Shorten(terminal.Clean(w.URL.Target()), t.Wide-6))
	for _, e := range w.Outcome.Evidence[:min(1, len(w.Outcome.Evidence))] {
		text := t.briefly(e)
		more := ""
		if n := w.Outcome.Occurrences() - 1; n > 0 {
			more = fmt.Sprintf(" and %d more", n)
		}
		t.Line("        " + t.Paint(terminal.Shorten(text, t.Wide-8-len(more))+more, terminal.Faint))
	}
}

// local returns an address without the scheme and the host of the start, where it has them.
func (s *Site) local(url string) string {
	if path, ok := strings.CutPrefix(url, s.URL.Origin()); ok && strings.HasPrefix(path, "/") {
		return path
	}
	return url
}

// briefly is evidenceText with local addresses, and without the selector where something else tells more in less room.
func (s *Site) briefly(e audit.Evidence) string {
	e.URL = s.local(e.URL)
	if e.Snippet != "" || e.URL != "" {
		e.Selector = ""
	}
	return evidenceText(e)
}

func (t siteText) broken() {
	if len(t.Broken) == 0 {
		return
	}
	t.heading("Broken links")
	for i, l := range t.Broken {
		if i == shownBroken {
			t.Line(t.Paint(fmt.Sprintf("  and %d more", len(t.Broken)-i), terminal.Faint))
			break
		}
		t.Paragraph("  "+statusText(l.Status)+"  ", terminal.Clean(t.local(l.Target))+", linked by "+linkedBy(l))
		for _, s := range l.First[:min(len(l.First), shownPlaces)] {
			t.Line("       " + t.Paint(terminal.Shorten(t.sourceText(s), t.Wide-7), terminal.Faint))
		}
	}
}

// linkedBy says how many pages link an address.
func linkedBy(l crawl.LinkRow) string {
	return fmt.Sprintf("%d %s", l.Sources, terminal.Plural(l.Sources, "page", "pages"))
}

// statusText returns a status in three columns.
func statusText(status int) string {
	if status == 0 {
		return " – "
	}
	return strconv.Itoa(status)
}

// sourceText says which page links, where and with what text.
func (s *Site) sourceText(from crawl.Source) string {
	return s.briefly(audit.Evidence{URL: from.URL, Line: from.Line, Snippet: from.Text})
}

func (t siteText) folders() {
	shown := mostPages(t.Folders, shownFolders)
	if len(shown) < 2 {
		return
	}
	t.heading("Folders")
	wide := 0
	for _, f := range shown {
		wide = max(wide, terminal.Width(folderName(f)))
	}
	wide = min(wide, t.Wide-32)
	for _, f := range shown {
		colour := resultColour(audit.ResultOf(f.Score))
		t.Line("  " + terminal.Pad(terminal.ShortenStart(folderName(f), wide), wide) + t.Paint(fmt.Sprintf("  %3d  %s", f.Score, bar(f.Score, 10)), colour) +
			fmt.Sprintf("  %d %s", f.Pages, terminal.Plural(f.Pages, "page", "pages")))
	}
	if more := len(t.Folders) - len(shown); more > 0 {
		t.Line(t.Paint(fmt.Sprintf("  and %d more", more), terminal.Faint))
	}
}

// folderName returns a folder's path below as many spaces as it lies deep.
func folderName(f crawl.Folder) string {
	return strings.Repeat("  ", f.Level) + terminal.Clean(weburl.Restore(f.URL).Path())
}

func (t siteText) worst() {
	t.heading("Pages with the lowest scores")
	for _, row := range t.Worst {
		t.Line("  " + t.Paint(fmt.Sprintf("%3d", *row.Score), resultColour(audit.ResultOf(*row.Score))) + "  " + terminal.Shorten(terminal.Clean(t.local(row.URL)), t.Wide-7))
	}
}
