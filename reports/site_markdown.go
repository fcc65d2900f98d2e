package reports

import (
	"fmt"
	"io"
	"strings"

	"sitegrade/audit"
)

// writeSiteMarkdown writes a report of a site as CommonMark with the tables of GitHub.
func writeSiteMarkdown(w io.Writer, r Run) error {
	m := siteMarkdown{Site: r.Site}
	m.verdict()
	m.issues(r)
	m.broken()
	m.folders()
	_, err := io.WriteString(w, m.b.String())
	return err
}

// siteMarkdown is a report of a site that is being written.
type siteMarkdown struct {
	*Site
	b strings.Builder
}

func (m *siteMarkdown) printf(format string, args ...any) { fmt.Fprintf(&m.b, format, args...) }

func (m *siteMarkdown) verdict() {
	m.printf("# %s\n\n", markdownCode(m.URL.String()))
	if m.Stopped {
		m.printf("%s\n\n", stoppedText)
	}
	if s := m.Summary.Score; s != nil {
		m.printf("**%d of 100, %s.** %s\n\n", *s, m.Summary.Result, markdownText(m.Summary.Why))
	} else {
		m.printf("**No page was audited.**\n\n")
	}
	m.printf("%s %s\n", m.pageCounts(), m.addressCounts())
	for i, l := range m.Summary.Limits {
		if i == 0 {
			m.printf("\n## Left out\n\n")
		}
		m.printf("- %s\n", markdownText(limitText(l)))
	}
}

func (m *siteMarkdown) issues(r Run) {
	m.printf("\n## To mend, what weighs most first\n\n")
	if len(m.Issues) == 0 {
		m.printf("Nothing.\n")
	}
	states := r.states()
	for i, issue := range m.Issues {
		if i == shownIssues {
			m.printf("\nAnd %s.\n", markdownText(moreIssues(m.Issues[i:])))
			break
		}
		m.printf("- **%s** (`%s`, %s, on %s)", markdownText(issue.Title), issue.Check, strings.ToLower(severityTitle(issue.Severity)), m.extent(issue, states[issue.Check]))
		if issue.Advice != "" {
			m.printf(": %s", markdownText(issue.Advice))
		}
		m.printf("\n")
		places := m.places(issue)
		for _, w := range places {
			m.printf("  - %s%s\n", markdownCode(w.URL.Target()), m.firstPlace(w))
		}
		if more := issue.Pages - len(places); more > 0 && !m.isEverywhere(issue) {
			m.printf("  - and %d more\n", more)
		}
	}
}

// firstPlace says where an issue is in an address, ": " before it; "" where only the address tells.
func (s *Site) firstPlace(w Where) string {
	if len(w.Outcome.Evidence) == 0 {
		return ""
	}
	text := s.briefly(w.Outcome.Evidence[0])
	if text == "" {
		return ""
	}
	text = ": " + markdownCode(text)
	if more := w.Outcome.Occurrences() - 1; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

func (m *siteMarkdown) broken() {
	for i, l := range m.Broken {
		if i == 0 {
			m.printf("\n## Broken links\n\n| Address | Status | Linked by | First |\n|---|--:|--:|---|\n")
		}
		if i == shownBroken {
			m.printf("\nAnd %d more.\n", len(m.Broken)-i)
			break
		}
		first := ""
		if len(l.First) > 0 {
			first = markdownText(m.sourceText(l.First[0]))
		}
		m.printf("| %s | %s | %s | %s |\n", markdownText(l.Target), statusText(l.Status), linkedBy(l), first)
	}
}

func (m *siteMarkdown) folders() {
	for i, f := range mostPages(m.Folders, shownFolders) {
		if i == 0 {
			m.printf("\n## Folders\n\n| Folder | Score | Result | Pages |\n|---|--:|---|--:|\n")
		}
		m.printf("| %s | %d | %s | %d |\n", markdownText(f.URL), f.Score, audit.ResultOf(f.Score), f.Pages)
	}
}
