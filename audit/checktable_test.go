package audit

import (
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"sitegrade/audit/page"
	"sitegrade/fetch"
	"sitegrade/locale"
	"sitegrade/weburl"
)

// checkCase is a page, what is changed in its facts, and what a check must find.
type checkCase struct {
	id, name string
	html     string
	change   func(*facts)
	want     Status
	severity Severity // "" for any
	detail   string   // a part of the detail; "" for any
}

// testTime is the time at which the facts of tests were gathered.
var testTime = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// exampleFacts returns the facts of a page at https://example.com/shop/page that came fast, by HTTP/2 and with status 200, from a
// site of which nothing else was fetched.
func exampleFacts(t *testing.T, source string) *facts {
	t.Helper()
	address := mustAddress(t, "https://example.com/shop/page")
	return &facts{
		now:     testTime,
		address: address,
		final:   address,
		response: fetch.Response{
			URL: address, Status: 200, Proto: "HTTP/2.0", Header: http.Header{"Content-Type": {"text/html; charset=utf-8"}},
			Body: []byte(source), Size: int64(len(source)), Wire: int64(len(source)),
			TLS: &fetch.TLS{Version: 0x0304, NotAfter: testTime.AddDate(0, 2, 0)},
		},
		doc: page.Parse([]byte(source), address),
	}
}

func mustAddress(t *testing.T, s string) *weburl.URL {
	t.Helper()
	u := weburl.Resolve(nil, s)
	if u == nil {
		t.Fatalf("%s is no URL", s)
	}
	return u
}

// runCheckCases runs the cases, and holds that each check of the table has cases that pass, that fail and to which it does
// not apply. always names the checks that apply to every page, never those that cannot fail.
func runCheckCases(t *testing.T, table []check, cases []checkCase, always, never []string) {
	t.Helper()
	seen := map[string]map[Status]bool{}
	for _, c := range cases {
		t.Run(c.id+"/"+c.name, func(t *testing.T) { c.run(t, table) })
		if seen[c.id] == nil {
			seen[c.id] = map[Status]bool{}
		}
		seen[c.id][c.want] = true
	}
	for _, c := range table {
		for _, want := range []Status{Passed, Failed, NotApplicable} {
			excused := want == NotApplicable && slices.Contains(always, c.id) || want == Failed && slices.Contains(never, c.id)
			if !seen[c.id][want] && !excused {
				t.Errorf("%s has no case with %s", c.id, want)
			}
		}
	}
}

func (c checkCase) run(t *testing.T, table []check) {
	i := slices.IndexFunc(table, func(entry check) bool { return entry.id == c.id })
	if i < 0 {
		t.Fatalf("no check %s", c.id)
	}
	f := exampleFacts(t, c.html)
	if c.change != nil {
		c.change(f)
	}
	got := table[i].outcome(table[i].find(f))
	if got.Status != c.want {
		t.Fatalf("%s: %s, want %s", got.Status, got.Detail, c.want)
	}
	if c.severity != "" && got.Severity != c.severity {
		t.Errorf("severity %s, want %s", got.Severity, c.severity)
	}
	if !strings.Contains(got.Detail, c.detail) {
		t.Errorf("detail %q does not have %q", got.Detail, c.detail)
	}
	holdsOutcome(t, got)
	holdsSaid(t, got)
	for _, o := range grade(f).Checks {
		holdsGrammar(t, o)
	}
}

// holdsOutcome holds what every outcome promises to readers.
func holdsOutcome(t *testing.T, o Outcome) {
	t.Helper()
	if !strings.HasSuffix(o.Detail, ".") || strings.Contains(o.Detail, "%!") {
		t.Errorf("detail %q is no sentence", o.Detail)
	}
	if o.Title == "" || o.Source == "" {
		t.Error("title or source is missing")
	}
	if wantAdvice := o.Status == Failed || o.Status == Warning; wantAdvice != (o.Advice != "") {
		t.Errorf("%s with advice %q", o.Status, o.Advice)
	}
	for _, e := range o.Evidence {
		if e == (Evidence{}) || len(e.Snippet) > page.MaxSnippet {
			t.Errorf("evidence %+v", e)
		}
	}
}

// detail returns what the finding says, in English.
func (f finding) detail() string { return locale.For(locale.English).Say(f.said) }

// holdsSaid holds that what an outcome says can be stored, and that its English words alone tell it, too.
func holdsSaid(t *testing.T, o Outcome) {
	t.Helper()
	english := locale.For(locale.English)
	stored, err := locale.ParseCompact(o.Said.Compact())
	if err != nil || english.Say(stored) != o.Detail {
		t.Errorf("%s is stored as %q: %v", o.Detail, o.Said.Compact(), err)
	}
	if got, ok := locale.Recognise(o.Detail, o.ID); !ok || english.Say(got) != o.Detail || got.ID != o.Said.ID {
		t.Errorf("%s is taken for %q, not for %q", o.Detail, got.Compact(), o.Said.Compact())
	}
}

var (
	quotedText   = regexp.MustCompile(`"(\\.|[^"\\])*"`)
	wrongNumbers = regexp.MustCompile(`^(1|1 of [0-9]+|The only|Not one) ([a-z@-]+ ){1,5}(have|are|do|were)\b|` +
		`^(All )?([2-9]|[0-9]{2,})( of [0-9]+)? ([a-z@-]+ ){1,5}(has|is|does|was)\b|\b(of|All|None of) 1[ .]`)
)

// holdsGrammar holds that the verb of a detail agrees with what it counts.
func holdsGrammar(t *testing.T, o Outcome) {
	t.Helper()
	if wrong := wrongNumbers.FindString(quotedText.ReplaceAllString(o.Detail, "")); wrong != "" {
		t.Errorf("%s: %q in %q", o.ID, wrong, o.Detail)
	}
}

// with returns a change that sets a header of the page.
func with(name string, values ...string) func(*facts) {
	return func(f *facts) { f.response.Header[http.CanonicalHeaderKey(name)] = values }
}

// at returns a change that moves the page.
func at(address string) func(*facts) {
	return func(f *facts) {
		u := weburl.Resolve(nil, address)
		f.address, f.final, f.response.URL = u, u, u
		f.doc = page.Parse(f.response.Body, u)
		if u.Scheme() == "http" {
			f.response.TLS = nil
			f.response.Proto = "HTTP/1.1"
		}
	}
}

// all returns a change that makes several.
func all(changes ...func(*facts)) func(*facts) {
	return func(f *facts) {
		for _, change := range changes {
			change(f)
		}
	}
}

// answer returns an answer from an address, with header lines "Name: value" before a body.
func answer(address string, status int, lines string, body string) fetch.Result {
	u := weburl.Resolve(nil, address)
	header := http.Header{}
	for line := range strings.Lines(lines) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		header.Add(name, value)
	}
	return fetch.Result{Response: fetch.Response{
		URL: u, Status: status, Proto: "HTTP/2.0", Header: header, Encoding: header.Get("Content-Encoding"),
		Body: []byte(body), Size: int64(len(body)), Wire: int64(len(body)),
	}}
}

// noAnswer returns a request that failed.
func noAnswer() fetch.Result { return noAnswerFrom("https://example.com/other") }

func noAnswerFrom(address string) fetch.Result {
	return fetch.Result{
		Response: fetch.Response{URL: weburl.Resolve(nil, address)},
		Failure:  &fetch.Failure{Code: fetch.CodeUnreachable, Detail: "The host gives no answer."},
	}
}

// fetchedResource returns a change that adds a sampled resource.
func fetchedResource(kind resourceKind, got fetch.Result) func(*facts) {
	return func(f *facts) {
		r := resource{kind: kind, Result: got}
		r.evidence.URL = "https://example.com/named"
		if got.URL != nil {
			r.evidence.URL = got.URL.String()
		}
		f.resources = append(f.resources, r)
	}
}
