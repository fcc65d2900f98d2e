package reports

import (
	"encoding/xml"
	"fmt"
	"io"
	"strconv"
	"time"

	"sitegrade/audit"
	"sitegrade/terminal"
)

// The elements of a JUnit report, as the schema of Jenkins' xUnit plugin has them.
type (
	junitReport struct {
		XMLName xml.Name `xml:"testsuites"`
		Name    string   `xml:"name,attr"`
		junitCounts
		Suites []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name string `xml:"name,attr"`
		junitCounts
		Skipped    int             `xml:"skipped,attr"`
		Time       string          `xml:"time,attr,omitempty"` // in seconds
		Timestamp  string          `xml:"timestamp,attr"`
		Properties []junitProperty `xml:"properties>property,omitempty"`
		Cases      []junitCase     `xml:"testcase"`
	}
	junitCounts struct {
		Tests    int `xml:"tests,attr"`
		Failures int `xml:"failures,attr"`
		Errors   int `xml:"errors,attr"`
	}
	junitProperty struct {
		Name  string `xml:"name,attr"`
		Value string `xml:"value,attr"`
	}
	junitCase struct {
		Name    string       `xml:"name,attr"`
		Class   string       `xml:"classname,attr"`
		Failure *junitDetail `xml:"failure"`
		Error   *junitDetail `xml:"error"`
		Skipped *junitDetail `xml:"skipped"`
		Out     string       `xml:"system-out,omitempty"`
	}
	junitDetail struct {
		Type    string `xml:"type,attr,omitempty"`
		Message string `xml:"message,attr"`
		Text    string `xml:",chardata"`
	}
)

// writeJUnit writes a suite for each page with a case for each check. A finding fails its case, unless the baseline knows it and no
// condition forbids it: then the case is skipped, as is that of a check that does not apply. Whatever else a check has to say stands in
// the output of a case that passes.
func writeJUnit(w io.Writer, r Run) error {
	report := junitReport{Name: "Sitegrade"}
	for _, a := range r.Pages {
		suite := r.junitSuite(a)
		report.Tests += suite.Tests
		report.Failures += suite.Failures
		report.Errors += suite.Errors
		report.Suites = append(report.Suites, suite)
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", "  ")
	if err := e.Encode(report); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

func (r Run) junitSuite(a Page) junitSuite {
	suite := junitSuite{Name: terminal.Clean(a.URL.String()), Timestamp: a.At.UTC().Format(time.DateOnly + "T" + time.TimeOnly)}
	if a.Report == nil {
		detail := junitDetail{string(a.Failure.Code), terminal.Clean(a.Failure.Detail), ""}
		suite.Cases = []junitCase{{Name: "audit", Class: suite.Name, Error: &detail}}
		suite.Tests, suite.Errors = 1, 1
		return suite
	}
	suite.Time = strconv.FormatFloat(a.Report.Timings.Total/1000, 'f', 3, 64)
	suite.Properties = []junitProperty{{"score", strconv.Itoa(a.Report.Score)}, {"result", a.Report.Result.String()}}
	for _, o := range a.Report.Checks {
		c := r.junitCase(a, o)
		suite.Tests++
		if c.Failure != nil {
			suite.Failures++
		}
		if c.Skipped != nil {
			suite.Skipped++
		}
		suite.Cases = append(suite.Cases, c)
	}
	return suite
}

func (r Run) junitCase(a Page, o audit.Outcome) junitCase {
	c := junitCase{Name: o.ID, Class: terminal.Clean(a.URL.String())}
	switch {
	case o.Status == audit.NotApplicable:
		c.Skipped = &junitDetail{Message: terminal.Clean(o.Detail)}
	case o.MayFailBuild() && r.tolerates(a, o):
		c.Skipped = &junitDetail{Message: "known: " + terminal.Clean(o.Title), Text: findingText(o)}
	case o.MayFailBuild():
		c.Failure = &junitDetail{string(o.Severity), terminal.Clean(o.Title), findingText(o)}
	case o.Status != audit.Passed:
		c.Out = fmt.Sprintf("%s: %s", o.Status, findingText(o))
	}
	return c
}
