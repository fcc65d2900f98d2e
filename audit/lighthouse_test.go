package audit

import (
	"encoding/json"
	"net/http"
	"os"
	"testing"

	"sitegrade/audit/page"
	"sitegrade/audit/robots"
	"sitegrade/fetch"
	"sitegrade/weburl"
)

// lighthouseCase is an input of Lighthouse's own unit tests and what Lighthouse found. testdata/lighthouse-cases.json names its
// source.
type lighthouseCase struct {
	ID    string
	Audit string
	Input struct {
		URL       string
		HTML      string
		Status    int
		Headers   [][2]string
		RobotsTXT string `json:"robots_txt"`
		siteInput
	}
	Expect struct {
		Verdict string // "pass", "fail" or "na"
		Why     string
	}
}

// lighthouseCases returns the cases of one of Lighthouse's audits.
func lighthouseCases(t *testing.T, audit string) []lighthouseCase {
	t.Helper()
	text, err := os.ReadFile("testdata/lighthouse-cases.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Cases []lighthouseCase }
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	var cases []lighthouseCase
	for _, c := range file.Cases {
		if c.Audit == audit {
			cases = append(cases, c)
		}
	}
	if len(cases) == 0 {
		t.Fatalf("no cases of %s", audit)
	}
	return cases
}

// facts returns what an audit of the case's page would have gathered.
func (c lighthouseCase) facts(t *testing.T) *facts {
	t.Helper()
	address := "https://example.com/"
	if c.Input.URL != "" {
		address = c.Input.URL
	}
	u := weburl.Resolve(nil, address)
	if u == nil {
		t.Fatalf("%s: address %s", c.ID, address)
	}
	f := &facts{now: testTime, address: u, final: u, doc: page.Parse([]byte(c.Input.HTML), u)}
	f.response = fetch.Response{URL: u, Status: 200, Header: http.Header{}, Body: []byte(c.Input.HTML)}
	if c.Input.Status != 0 {
		f.response.Status = c.Input.Status
	}
	for _, h := range c.Input.Headers {
		f.response.Header.Add(h[0], h[1])
	}
	if c.Input.RobotsTXT != "" {
		f.site.rules = robots.Parse([]byte(c.Input.RobotsTXT))
	}
	c.addSite(f)
	return f
}

// holdsLighthouse runs a check over the cases of a Lighthouse audit. Both must fail the same pages. Differences that are meant are
// listed with their reason; one that is gone must leave the list.
func holdsLighthouse(t *testing.T, audit, id string, differences map[string]string) {
	t.Helper()
	rule := checkNamed(t, id)
	for _, c := range lighthouseCases(t, audit) {
		got := rule.run(c.facts(t))
		differs := (got.status == Failed) != (c.Expect.Verdict == "fail")
		reason, known := differences[c.ID]
		switch {
		case differs && !known:
			t.Errorf("%s: %s (%s), Lighthouse: %s %s", c.ID, got.status, got.detail(), c.Expect.Verdict, c.Expect.Why)
		case !differs && known:
			t.Errorf("%s agrees with Lighthouse, against: %s", c.ID, reason)
		}
	}
}

// checkNamed returns an entry of the table.
func checkNamed(t *testing.T, id string) check {
	t.Helper()
	for _, c := range table {
		if c.id == id {
			return c
		}
	}
	t.Fatalf("no check %s", id)
	return check{}
}

func TestLighthouseSEO(t *testing.T) {
	for _, c := range []struct {
		audit, id   string
		differences map[string]string
	}{
		{"canonical", "canonical", nil},
		{"crawlable-anchors", "crawlable-anchors", nil},
		{"hreflang", "hreflang", nil},
		{"http-status-code", "http-status", nil},
		{"is-crawlable", "is-crawlable", nil},
		{"link-text", "link-text", nil},
		{"meta-description", "meta-description", nil},
		{"charset", "charset", nil},
		{"doctype", "doctype", nil},
	} {
		t.Run(c.audit, func(t *testing.T) { holdsLighthouse(t, c.audit, c.id, c.differences) })
	}
}
