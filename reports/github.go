package reports

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"sitegrade/audit"
	"sitegrade/gate"
	"sitegrade/terminal"
)

// githubCommands are the workflow commands of GitHub Actions that make annotations, by severity.
var githubCommands = map[audit.Severity]string{audit.High: "error", audit.Medium: "warning", audit.Low: "notice"}

// annotation is a finding as GitHub shows it beside a run.
type annotation struct {
	severity    audit.Severity
	title, text string
	state       gate.State
}

// writeGitHub writes a line for each page, then an annotation for each finding. GitHub shows the first ten of a severity, so new ones come
// first; known ones come only where they fail the run too.
func writeGitHub(w io.Writer, r Run) error {
	var b strings.Builder
	var all []annotation
	for _, a := range r.Pages {
		address := terminal.Clean(a.URL.String())
		if a.Report == nil {
			fmt.Fprintf(&b, "%s: not audited\n", address)
			all = append(all, annotation{audit.High, "Not audited: " + address, a.Failure.Detail, gate.New})
			continue
		}
		fmt.Fprintf(&b, "%s: %d of 100, %s\n", address, a.Report.Score, a.Report.Result)
		for _, o := range r.alarming(a) {
			state := r.State(gate.KeyOf(a.URL, o))
			all = append(all, annotation{o.Severity, o.ID + " on " + a.URL.Target(), findingText(o), state})
		}
	}
	slices.SortStableFunc(all, func(x, y annotation) int { return cmp.Compare(x.state, y.state) })
	for _, n := range all {
		b.WriteString(githubCommand(githubCommands[n.severity], n.title, n.text))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// githubCommand returns the line that makes an annotation.
func githubCommand(command, title, text string) string {
	return fmt.Sprintf("::%s title=%s::%s\n", command, githubProperty.Replace(terminal.Clean(title)), githubData.Replace(terminal.CleanLines(text)))
}

// githubData and githubProperty escape what stands in a workflow command, as GitHub's own toolkit does.
var (
	githubData     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	githubProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

// alarming returns the findings of a page that a build should show: all but those that the baseline knows and no condition forbids.
func (r Run) alarming(a Page) []audit.Outcome {
	return slices.DeleteFunc(gate.Findings(a.Report), func(o audit.Outcome) bool { return r.tolerates(a, o) })
}

// tolerates reports whether a finding is a known one that no condition forbids.
func (r Run) tolerates(a Page, o audit.Outcome) bool {
	return r.State(gate.KeyOf(a.URL, o)) == gate.Known && !r.Conditions.Forbids(o.Severity)
}

// findingText says in a few lines what was found, where, and what to do.
func findingText(o audit.Outcome) string {
	lines := []string{terminal.Clean(o.Title) + ". " + terminal.Clean(o.Detail)}
	for i, e := range o.Evidence {
		if i == shownEvidence {
			lines = append(lines, fmt.Sprintf("and %d more", o.Occurrences()-i))
			break
		}
		lines = append(lines, evidenceText(e))
	}
	if o.Advice != "" {
		lines = append(lines, terminal.Clean(o.Advice))
	}
	return strings.Join(lines, "\n")
}

// evidenceText says in one line where something was found, and what stands there.
func evidenceText(e audit.Evidence) string {
	return strings.Join(slices.DeleteFunc([]string{evidencePlace(e), terminal.Clean(e.Snippet)}, func(s string) bool { return s == "" }), ": ")
}
