package cli

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"sitegrade/audit"
	"sitegrade/gate"
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
func writeGitHub(w io.Writer, r run) error {
	var b strings.Builder
	var all []annotation
	for _, a := range r.pages {
		address := clean(a.url.String())
		if a.report == nil {
			fmt.Fprintf(&b, "%s: not audited\n", address)
			all = append(all, annotation{audit.High, "Not audited: " + address, a.failure.Detail, gate.New})
			continue
		}
		fmt.Fprintf(&b, "%s: %d of 100, %s\n", address, a.report.Score, a.report.Result)
		for _, o := range r.alarming(a) {
			state := r.State(gate.KeyOf(a.url, o))
			all = append(all, annotation{o.Severity, o.ID + " on " + a.url.Target(), findingText(o), state})
		}
	}
	slices.SortStableFunc(all, func(x, y annotation) int { return cmp.Compare(x.state, y.state) })
	for _, n := range all {
		fmt.Fprintf(&b, "::%s title=%s::%s\n", githubCommands[n.severity], githubProperty.Replace(clean(n.title)), githubData.Replace(cleanLines(n.text)))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// githubData and githubProperty escape what stands in a workflow command, as GitHub's own toolkit does.
var (
	githubData     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	githubProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

// alarming returns the findings of a page that a build should show: all but those that the baseline knows and no condition forbids.
func (r run) alarming(a audited) []audit.Outcome {
	page := gate.Page{URL: a.url, Report: a.report}
	return slices.DeleteFunc(page.Findings(), func(o audit.Outcome) bool { return r.tolerates(a, o) })
}

// tolerates reports whether a finding is a known one that no condition forbids.
func (r run) tolerates(a audited, o audit.Outcome) bool {
	return r.State(gate.KeyOf(a.url, o)) == gate.Known && !r.conditions.Forbids(o)
}

// findingText says in a few lines what was found, where, and what to do.
func findingText(o audit.Outcome) string {
	lines := []string{clean(o.Title) + ". " + clean(o.Detail)}
	for i, e := range o.Evidence {
		if i == shownEvidence {
			lines = append(lines, fmt.Sprintf("and %d more", o.Occurrences()-i))
			break
		}
		lines = append(lines, evidenceText(e))
	}
	if o.Advice != "" {
		lines = append(lines, clean(o.Advice))
	}
	return strings.Join(lines, "\n")
}

// evidenceText says in one line where something was found, and what stands there.
func evidenceText(e audit.Evidence) string {
	return strings.Join(slices.DeleteFunc([]string{evidencePlace(e), clean(e.Snippet)}, func(s string) bool { return s == "" }), ": ")
}
