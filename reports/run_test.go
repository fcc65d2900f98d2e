package reports

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"io"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"sitegrade/audit"
	"sitegrade/gate"
	"sitegrade/weburl"
)

// sarifLog is a log as it is read.
type sarifLog struct {
	Schema  string `json:"$schema"`
	Version string `json:"version"`
	Runs    []struct {
		sarifRun
		Results []sarifResult `json:"results"`
	} `json:"runs"`
}

// junitReport is a report as it is read.
type junitReport struct {
	XMLName xml.Name `xml:"testsuites"`
	Name    string   `xml:"name,attr"`
	junitCounts
	Suites []junitSuite `xml:"testsuite"`
}

// sampleRuns are what came of the samples, and of nothing. The compared one stands beside a baseline that knows some of it and has more.
func sampleRuns() map[string]Run {
	baseline := gate.Counts{
		{Path: "/shop", Check: "title-length"}: 1, {Path: "/shop", Check: "image-alt"}: 4, {Path: "/", Check: "csp"}: 2, {Path: "/", Check: "gone"}: 1,
		{Path: "/elsewhere", Check: "csp"}: 1,
	}
	return map[string]Run{"plain": Compare(pages(), nil, gate.Conditions{}), "compared": Compare(pages(), baseline, gate.Conditions{New: true}), "nothing": Compare(nil, nil, gate.Conditions{}), "hostile": hostileRun()}
}

// hostileRun is of a page whose address, evidence and texts have every character that may do harm, and bytes that are no text.
func hostileRun() Run {
	var all strings.Builder
	for r := range rune(0x200) {
		all.WriteRune(r)
	}
	all.WriteString("\xff\xfe\u2028\u2029\u202e\ufeff\uffff\U0010ffff]]>-->::error::owned\n::add-mask::a\r\n##[error]x %0A::warning::y {0} [x](javascript:1)")
	text := all.String()
	r := &audit.Report{FinalURL: text, Why: text, Page: audit.Page{Title: text, OGImage: text}, Categories: []audit.Category{{ID: "seo", Title: text}}}
	for _, status := range []audit.Status{audit.Passed, audit.Failed, audit.Warning, audit.NotApplicable} {
		r.Checks = append(r.Checks, audit.Outcome{ID: "image-alt", Category: "seo", Severity: audit.High, Status: status, Title: text, Detail: text, Advice: text,
			Evidence: []audit.Evidence{{Selector: text, Snippet: text, URL: text, Line: 3}, {URL: "javascript:alert(1)"}}})
	}
	u := weburl.Resolve(nil, "http://example.com/a:b//%zz/[x]|^{y}`\\z?q=<script>&%0A::error::'\"[]{}|\\^`é\x1b\u202e")
	return Compare([]Page{{URL: u, Report: r}, {URL: u, Failure: &audit.Failure{Code: audit.CodeDNS, Detail: text}}}, nil, gate.Conditions{})
}

func written(t *testing.T, format string, r Run) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := formats[format].Write(&b, r); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestFormatsOfRuns(t *testing.T) {
	for _, format := range []string{"sarif", "junit", "github"} {
		for name, r := range sampleRuns() {
			r.Version = "1.2.3"
			text := written(t, format, r)
			if format == "sarif" {
				text = withoutExplanations(t, text)
			}
			golden(t, "run."+name+"."+format, text)
		}
	}
}

// withoutExplanations returns a log of SARIF in which the texts about checks, which are written elsewhere, are cut to what never changes.
func withoutExplanations(t *testing.T, text []byte) []byte {
	t.Helper()
	var log sarifLog
	if err := json.Unmarshal(text, &log); err != nil {
		t.Fatal(err)
	}
	for i := range log.Runs[0].Tool.Driver.Rules {
		rule := &log.Runs[0].Tool.Driver.Rules[i]
		if e, ok := audit.Explain(rule.ID); ok {
			if rule.Short.Text != e.Name || rule.Full == nil || !strings.HasSuffix(rule.Help.Text, sarifText(e.Mend).Text) || rule.Link != e.Link {
				t.Errorf("the rule of %s is %+v", rule.ID, rule)
			}
			rule.Short.Text, rule.Full.Text, rule.Help.Text, rule.Link = "Name", "What it looks at", "Why it matters, and how to mend it", "https://example.com/"
		}
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetIndent("", "  ")
	if err := e.Encode(log); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestNothingToObey holds that no format has characters by which a page could play with a terminal, or lines that it began. JSON has what
// its own rules allow, since it is for programs.
func TestNothingToObey(t *testing.T) {
	for format := range formats {
		harmless(t, format, written(t, format, hostileRun()))
	}
}

// harmless holds it of a text in a format.
func harmless(t *testing.T, format string, text []byte) {
	t.Helper()
	if !utf8.Valid(text) {
		t.Errorf("%s is no UTF-8", format)
	}
	for i, r := range string(text) {
		if r != '\n' && (r < ' ' || format != "json" && (unicode.Is(unicode.Cc, r) || r == '\u202e')) {
			t.Errorf("%s has %U in %q", format, r, text[max(0, i-40):i+1])
			break
		}
	}
	for line := range strings.Lines(string(text)) {
		if format == "github" && !githubLine.MatchString(line) {
			t.Errorf("GitHub gets the line %q", line)
		}
	}
}

// githubLine matches the lines that may be there where a page is hostile.
var githubLine = regexp.MustCompile(`^(http://example\.com/|::(error|warning|notice) title=[^:]*::[^\n]*\n$)`)

// TestSARIFHoldsTogether holds what no schema can say of a log: its indexes, its states, and the addresses of its pages.
func TestSARIFHoldsTogether(t *testing.T) {
	for name, r := range sampleRuns() {
		var log sarifLog
		d := json.NewDecoder(bytes.NewReader(written(t, "sarif", r)))
		d.DisallowUnknownFields()
		if err := d.Decode(&log); err != nil {
			t.Fatal(err)
		}
		got := log.Runs[0]
		states := map[string]int{}
		for _, result := range got.Results {
			if got.Tool.Driver.Rules[result.Index].ID != result.Rule || result.Occurrences < 1 || len(result.Fingerprints[sarifFingerprint]) != 32 {
				t.Errorf("%s: %+v", name, result)
			}
			if !slices.Contains([]string{"error", "warning", "note"}, result.Level) {
				t.Errorf("%s: the level %q", name, result.Level)
			}
			for _, at := range append(result.Locations, result.Related...) {
				base, known := got.Bases[at.Physical.Artifact.Base]
				if !known || !reference.MatchString(at.Physical.Artifact.URI) {
					t.Errorf("%s: %+v", name, at.Physical.Artifact)
				}
				if root, err := url.Parse(base.URI); err != nil || !strings.HasSuffix(base.URI, "/") {
					t.Errorf("%s: the base %q", name, base.URI)
				} else if u, err := root.Parse(at.Physical.Artifact.URI); err != nil || u.Host != root.Host || u.Scheme != root.Scheme {
					t.Errorf("%s: %q leads to %v, %v", name, at.Physical.Artifact.URI, u, err)
				}
			}
			states[result.State]++
		}
		if compared := name == "compared"; compared != (states["new"] == 2 && states["unchanged"] == 1 && states["absent"] == 2) || !compared && len(states) > 1 {
			t.Errorf("%s: the states are %v", name, states)
		}
	}
}

// reference matches a relative reference of RFC 3986 that names neither scheme nor host.
var reference = regexp.MustCompile(`^(\./)?(([A-Za-z0-9._~!$&'()*+,;=:@-]|%[0-9A-Fa-f]{2})+/?|/)*(\?([A-Za-z0-9._~!$&'()*+,;=:@/?-]|%[0-9A-Fa-f]{2})*)?$`)

func TestJUnitAddsUp(t *testing.T) {
	for name, r := range sampleRuns() {
		text := written(t, "junit", r)
		for d := xml.NewDecoder(bytes.NewReader(text)); ; {
			if _, err := d.Token(); err == io.EOF {
				break
			} else if err != nil {
				t.Fatalf("%s is not XML: %v", name, err)
			}
		}
		var report junitReport
		if err := xml.Unmarshal(text, &report); err != nil {
			t.Fatal(err)
		}
		var sum junitCounts
		for i, suite := range report.Suites {
			var n junitCounts
			skipped := 0
			for _, c := range suite.Cases {
				n.Tests++
				if c.Failure != nil {
					n.Failures++
				}
				if c.Error != nil {
					n.Errors++
				}
				if c.Skipped != nil {
					skipped++
				}
			}
			if n != suite.junitCounts || skipped != suite.Skipped || (n.Errors > 0) != (r.Pages[i].Report == nil) {
				t.Errorf("%s: %s has %+v and %d skipped, and counts %+v and %d", name, suite.Name, n, skipped, suite.junitCounts, suite.Skipped)
			}
			sum.Tests, sum.Failures, sum.Errors = sum.Tests+n.Tests, sum.Failures+n.Failures, sum.Errors+n.Errors
		}
		if sum != report.junitCounts || len(report.Suites) != len(r.Pages) {
			t.Errorf("%s: %+v, counted %+v", name, report.junitCounts, sum)
		}
	}
}

// TestKnownFindings holds that a finding of the baseline is shown as a failure only where a condition forbids it.
func TestKnownFindings(t *testing.T) {
	for _, test := range []struct {
		conditions gate.Conditions
		want       bool
	}{{gate.Conditions{New: true}, false}, {gate.Conditions{New: true, Severity: audit.High}, false}, {gate.Conditions{Severity: audit.Low}, true}} {
		r := Compare(pages(), gate.Counts{{Path: "/shop", Check: "title-length"}: 1}, test.conditions)
		if got := bytes.Contains(written(t, "github", r), []byte("title-length")); got != test.want {
			t.Errorf("%+v: annotated: %t", test.conditions, got)
		}
		if got := bytes.Contains(written(t, "junit", r), []byte(`<failure type="low"`)); got != test.want {
			t.Errorf("%+v: a failed case: %t", test.conditions, got)
		}
	}
}
