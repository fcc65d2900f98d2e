package reports

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strconv"
	"time"

	"sitegrade/audit"
	"sitegrade/gate"
	"sitegrade/terminal"
)

// The elements in the root of a JUnit report, as the schema of Jenkins' xUnit plugin has them.
type (
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
// the output of a case that passes. Of the pages of a crawl only the checks that have something to say have cases.
func writeJUnit(w io.Writer, r Run) error {
	var sum junitCounts
	for a, err := range r.each() {
		if err != nil {
			return err
		}
		suite := r.junitSuite(a)
		sum.Tests += suite.Tests
		sum.Failures += suite.Failures
		sum.Errors += suite.Errors
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", "  ")
	root := xml.StartElement{Name: xml.Name{Local: "testsuites"}, Attr: sum.attributes()}
	if err := e.EncodeToken(root); err != nil {
		return err
	}
	for a, err := range r.each() { // again, rather than to hold the suites of a large site
		if err != nil {
			return err
		}
		if err := e.EncodeElement(r.junitSuite(a), xml.StartElement{Name: xml.Name{Local: "testsuite"}}); err != nil {
			return err
		}
	}
	if err := errors.Join(e.EncodeToken(root.End()), e.Close()); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

// attributes returns those of the root.
func (n junitCounts) attributes() []xml.Attr {
	var all []xml.Attr
	for _, a := range [][2]string{
		{"name", "Sitegrade"}, {"tests", strconv.Itoa(n.Tests)}, {"failures", strconv.Itoa(n.Failures)}, {"errors", strconv.Itoa(n.Errors)},
	} {
		all = append(all, xml.Attr{Name: xml.Name{Local: a[0]}, Value: a[1]})
	}
	return all
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
	if a.Report.Score != gate.NoScore {
		suite.Properties = []junitProperty{{"score", strconv.Itoa(a.Report.Score)}, {"result", a.Report.Result.String()}}
	}
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
	if suite.Tests == 0 { // the page of a crawl, of which only what fails is kept
		suite.Cases, suite.Tests = []junitCase{{Name: "audit", Class: suite.Name}}, 1
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
