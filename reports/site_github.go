package reports

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"sitegrade/terminal"
)

// writeSiteGitHub writes a line about the site, then an annotation for each check that finds something, rather than for each page: GitHub
// shows the first ten of a severity. What is new comes first; what the baseline knows comes only where it fails the run too.
func writeSiteGitHub(w io.Writer, r Run) error {
	var b strings.Builder
	s := r.Site
	address := terminal.Clean(s.URL.String())
	if s.Summary.Score != nil {
		fmt.Fprintf(&b, "%s: %d of 100, %s; %s\n", address, *s.Summary.Score, s.Summary.Result, s.pageCounts())
	} else {
		fmt.Fprintf(&b, "%s: no page was audited\n", address)
	}
	if s.Stopped {
		b.WriteString(githubCommand("warning", "The crawl was ended early", "What it had seen until then was looked at."))
	}
	for _, l := range s.Summary.Limits {
		b.WriteString(githubCommand("notice", "Left out", limitText(l)))
	}
	states := r.states()
	issues := slices.Clone(s.Issues)
	slices.SortStableFunc(issues, func(a, b Issue) int { return cmp.Compare(min(states[b.Check].fresh, 1), min(states[a.Check].fresh, 1)) })
	for _, i := range issues {
		if n := states[i.Check]; n.alarming > 0 && githubCommands[i.Severity] != "" {
			b.WriteString(githubCommand(githubCommands[i.Severity], i.Check+" on "+s.extent(i, n), s.issueText(i)))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// issueText says in a few lines what is wrong, where first, and what to do.
func (s *Site) issueText(i Issue) string {
	lines := []string{terminal.Clean(i.Title) + "."}
	places := s.places(i)
	for _, w := range places {
		line := terminal.Clean(w.URL.Target())
		if len(w.Outcome.Evidence) > 0 {
			line = strings.TrimSuffix(line+": "+s.briefly(w.Outcome.Evidence[0]), ": ")
		}
		lines = append(lines, line)
	}
	if more := i.Pages - len(places); more > 0 && !s.isEverywhere(i) {
		lines = append(lines, fmt.Sprintf("and %d more", more))
	}
	if i.Advice != "" {
		lines = append(lines, terminal.Clean(i.Advice))
	}
	return strings.Join(lines, "\n")
}
