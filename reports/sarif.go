package reports

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"sitegrade/audit"
	"sitegrade/gate"
	"sitegrade/terminal"
)

// sarifSchema is where the schema of SARIF 2.1.0 is published.
const sarifSchema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

// sarifFingerprint names the kind of our fingerprints, with a version that is raised when they change.
const sarifFingerprint = "sitegradeFinding/v1"

// sarifLevels are the levels of SARIF by severity.
var sarifLevels = map[audit.Severity]string{audit.High: "error", audit.Medium: "warning", audit.Low: "note"}

// sarifStates are how SARIF names the states of findings; not one where there is no baseline.
var sarifStates = map[gate.State]string{gate.New: "new", gate.Known: "unchanged"}

// sarif writes a log of one run.
type sarif struct {
	Run
	rules []sarifRule
	index map[string]int // of a rule, by the id of its check
	bases map[string]sarifArtifact
}

// writeSARIF writes a log of SARIF 2.1.0: a result for each finding of each page, a rule for each check that found something, and with a
// baseline also the findings that are gone. Pages are named by their paths, relative to the origins that the run names.
func writeSARIF(w io.Writer, r Run) error {
	s := sarif{Run: r, rules: []sarifRule{}, index: map[string]int{}, bases: map[string]sarifArtifact{}}
	notes := []sarifNote{}
	out := sarifWriter{w: bufio.NewWriter(w)}
	out.begin()
	for a, err := range r.each() {
		if err != nil {
			return err
		}
		if a.Report == nil {
			notes = append(notes, sarifNote{"error", sarifText(terminal.Clean(a.Failure.Detail)), []sarifLocation{s.page(a)}})
			continue
		}
		for _, o := range gate.Findings(a.Report) {
			out.add(s.result(a, o))
		}
	}
	for _, result := range s.absent() {
		out.add(result)
	}
	return out.end(sarifRun{
		Tool:        sarifTool{sarifDriver{"Sitegrade", r.Version, s.rules}},
		Invocations: []sarifInvocation{{len(notes) == 0 && !r.isStopped(), notes}},
		Bases:       s.bases,
	})
}

// page returns the location of a page as a whole.
func (s *sarif) page(a Page) sarifLocation {
	origin := a.URL.Origin()
	s.bases[origin] = sarifArtifact{URI: origin + "/"}
	return sarifLocation{Physical: sarifPhysical{Artifact: sarifArtifact{URI: relativeReference(a.URL.Target()), Base: origin}}}
}

func (s *sarif) result(a Page, o audit.Outcome) sarifResult {
	key := gate.KeyOf(a.URL, o)
	result := sarifResult{
		Rule: o.ID, Index: s.rule(o), Level: sarifLevels[o.Severity], Message: sarifText(findingText(o)), Locations: []sarifLocation{s.page(a)},
		Fingerprints: map[string]string{sarifFingerprint: key.Fingerprint()}, Occurrences: o.Occurrences(), State: sarifStates[s.State(key)],
	}
	for i, e := range o.Evidence {
		at := s.place(a, e)
		if i == 0 {
			result.Locations[0] = at
			continue
		}
		at.ID = i
		result.Related = append(result.Related, at)
	}
	return result
}

// place returns the location of a piece of evidence.
func (s *sarif) place(a Page, e audit.Evidence) sarifLocation {
	at := s.page(a)
	if e.Line > 0 {
		at.Physical.Region = &sarifRegion{StartLine: e.Line}
	}
	if e.Selector != "" {
		at.Logical = []sarifLogical{{terminal.Clean(e.Selector), "element"}}
	}
	if text := evidenceText(e); text != "" {
		message := sarifText(text)
		at.Message = &message
	}
	return at
}

// absent returns the findings of the baseline that are gone.
func (s *sarif) absent() []sarifResult {
	pages := map[string]Page{}
	for _, p := range s.Comparison.Pages {
		pages[p.URL.Target()] = Page{URL: p.URL}
	}
	var results []sarifResult
	for _, key := range s.Absent() {
		o := audit.Outcome{ID: key.Check, Severity: audit.Medium, Title: key.Check}
		if e, ok := audit.Explain(key.Check); ok && sarifLevels[e.Severity] != "" {
			o.Severity = e.Severity
		}
		results = append(results, sarifResult{
			Rule: key.Check, Index: s.rule(o), Level: sarifLevels[o.Severity], Message: sarifText("This is no longer found."),
			Locations: []sarifLocation{s.page(pages[key.Path])}, Fingerprints: map[string]string{sarifFingerprint: key.Fingerprint()},
			Occurrences: s.Baseline[key], State: "absent",
		})
	}
	return results
}

// rule returns the index of the rule of a check. A check across pages has no explanation: what its outcome says is all there is.
func (s *sarif) rule(o audit.Outcome) int {
	if i, known := s.index[o.ID]; known {
		return i
	}
	rule := sarifRule{ID: o.ID, Short: sarifText(terminal.Clean(o.Title)), Help: sarifText(terminal.Clean(o.Title + ". " + o.Advice)), Config: sarifConfig{sarifLevels[o.Severity]}}
	if e, ok := audit.Explain(o.ID); ok {
		full, help := sarifText(e.Looks), sarifText(e.Why+"\n\n"+e.Mend)
		rule.Short, rule.Full, rule.Help, rule.Link = sarifText(e.Name), &full, help, e.Link
		rule.Properties = &sarifProperties{[]string{e.Category}}
	}
	s.index[o.ID] = len(s.rules)
	s.rules = append(s.rules, rule)
	return s.index[o.ID]
}

// sarifText returns a message with a text in which nothing is a placeholder or a link (SARIF 2.1.0, 3.11.5 and 3.11.6).
func sarifText(s string) sarifMessage { return sarifMessage{sarifLiteral.Replace(s)} }

var sarifLiteral = strings.NewReplacer("{", "{{", "}", "}}", `\`, `\\`, "[", `\[`, "]", `\]`)

// relativeReference returns a path with its query as a reference below the root of a site, in the characters of RFC 3986, which are fewer
// than those of browsers.
func relativeReference(target string) string {
	var b strings.Builder
	b.WriteString("./")
	path := strings.TrimPrefix(target, "/")
	for i := range len(path) {
		c := path[i]
		switch {
		case c <= ' ' || c >= 0x7f || strings.IndexByte("\"<>[\\]^`{|}#", c) >= 0, c == '%' && !isEscape(path[i:]):
			fmt.Fprintf(&b, "%%%02X", c)
		default:
			b.WriteByte(c)
		}
	}
	if s := b.String(); len(s) > 2 && !strings.HasPrefix(s[2:], "/") && !strings.Contains(s, ":") {
		return s[2:]
	}
	return b.String()
}

// isEscape reports whether a text begins with a percent sign and two hexadecimal digits.
func isEscape(s string) bool {
	return len(s) > 2 && strings.Trim(s[1:3], "0123456789abcdefABCDEF") == ""
}
