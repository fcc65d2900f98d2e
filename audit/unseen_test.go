package audit

import (
	"fmt"
	"strings"
	"testing"

	"sitegrade/audit/robots"
	"sitegrade/fetch"
)

// TestUnseen has, for each way in which something can be missed, what the check says of it, and that it says nothing where all was seen.
func TestUnseen(t *testing.T) {
	const css, icon = "https://example.com/a.css", "https://example.com/favicon.ico"
	const body = "body{color:red}"
	timedOut := func(f *fetch.Result) fetch.Result { f.Failure = fetch.TimedOut(); return *f }
	lost := noAnswer()
	late := noAnswer()
	late = timedOut(&late)
	leave := func(kind resourceKind) func(*facts) { return func(f *facts) { f.leftOut[kind] = true } }
	robotsTxt := func(got fetch.Result) func(*facts) { return func(f *facts) { f.site.robots, f.site.rules = &got, nil } }
	seen := all(robotsAnswer(200, ""), func(f *facts) {
		f.site.rules = robots.Parse(nil)
	})
	for _, c := range []struct {
		id, name, html string
		change         func(*facts)
		want           Unseen
	}{
		{"cache-static", "all seen", "", fetchedResource(stylesheetResource, answer(css, 200, "Cache-Control: max-age=31536000", body)), ""},
		{"cache-static", "failed", "", fetchedResource(stylesheetResource, answer(css, 200, "", body)), ""},
		{"cache-static", "one more timed out", "", all(fetchedResource(stylesheetResource, answer(css, 200, "Cache-Control: max-age=31536000", body)),
			fetchedResource(scriptResource, late)), UnseenTimeout},
		{"cache-static", "one more did not respond", "", all(fetchedResource(stylesheetResource, answer(css, 200, "Cache-Control: max-age=31536000", body)),
			fetchedResource(imageResource, lost)), UnseenHost},
		{"cache-static", "overloaded", "", fetchedResource(stylesheetResource, answer(css, 503, "", body)), UnseenHost},
		{"cache-static", "links do not matter", "", all(fetchedResource(stylesheetResource, answer(css, 200, "Cache-Control: max-age=31536000", body)),
			fetchedResource(internalLink, late), leave(internalLink)), ""},
		{"broken-links", "timed out", "", fetchedResource(internalLink, late), UnseenTimeout},
		{"broken-links", "not all taken", "", all(fetchedResource(internalLink, answer(css, 200, "", "")), leave(internalLink)), UnseenSample},
		{"broken-links", "not one", "", nil, ""},
		{"broken-links", "broken", "", all(fetchedResource(internalLink, answer(css, 404, "", "")), leave(internalLink)), ""},
		{"broken-links", "turned away", "", fetchedResource(externalLink, answer("https://other.example/", 403, "", "")), UnseenHost},
		{"robots-txt", "not asked for", "", nil, UnseenSample},
		{"is-crawlable", "no robots.txt to be had", "", robotsTxt(lost), UnseenHost},
		{"is-crawlable", "robots.txt in trouble", "", robotsTxt(answer(css, 502, "", "")), UnseenHost},
		{"is-crawlable", "seen", "", seen, ""},
		{"ai-bots", "timed out", "", robotsTxt(late), UnseenTimeout},
		{"favicon", "not asked for", "", nil, UnseenSample},
		{"favicon", "in the page", `<link rel=icon href="data:,">`, nil, ""},
		{"favicon", "seen", "", func(f *facts) { got := answer(icon, 200, "Content-Type: image/png", ""); f.site.favicon = &got }, ""},
		{"host-variants", "no such name", "", func(f *facts) { f.site.insecure, f.site.otherHost = &lost, &lost }, ""},
		{"host-variants", "timed out", "", func(f *facts) { f.site.insecure, f.site.otherHost = &lost, &late }, UnseenTimeout},
		{"host-variants", "one not asked for", "", func(f *facts) { f.site.insecure = &lost }, UnseenSample},
		{"http-to-https", "not asked for", "", nil, UnseenSample},
		{"http-to-https", "page without TLS", "", at("http://example.com/"), ""},
		{"llms-txt", "none", "", func(f *facts) { got := answer(css, 404, "", ""); f.site.llms = &got }, ""},
		{"llms-txt", "in trouble", "", func(f *facts) { got := answer(css, 500, "", ""); f.site.llms = &got }, UnseenHost},
		{"word-count", "made by script", `<div id=root></div><script src=/a.js></script>`, nil, UnseenScript},
		{"word-count", "empty", ``, nil, ""},
		{"image-dimensions", "stylesheet missing", `<link rel=stylesheet href=/a.css><img src=a.png>`, all(leave(stylesheetResource)), UnseenSample},
		{"image-dimensions", "sized in the page", `<link rel=stylesheet href=/a.css><img src=a.png width=1 height=1>`, all(leave(stylesheetResource)), ""},
		{"css-import", "seen", "", fetchedResource(stylesheetResource, answer(css, 200, "", body)), ""},
		{"unminified", "too large", "", fetchedResource(scriptResource, answer(css, 200, "", strings.Repeat("x", minifySourceBytes+1))), UnseenSize},
	} {
		f := exampleFacts(t, c.html)
		if c.change != nil {
			c.change(f)
		}
		r := grade(f)
		for _, o := range r.Checks {
			if o.ID == c.id && o.Unseen != c.want {
				t.Errorf("%s, %s: %s without %q, not %q", c.id, c.name, o.Status, o.Unseen, c.want)
			}
			if o.Status == Failed && o.Unseen != "" {
				t.Errorf("%s, %s: %s failed without %q", c.id, c.name, o.ID, o.Unseen)
			}
		}
	}
}

// TestSampleNames chooses few samples of a page: the same ones have the same name, and all have none.
func TestSampleNames(t *testing.T) {
	var page strings.Builder
	for i := range 20 {
		fmt.Fprintf(&page, "<a href=/%d>link</a>", i)
	}
	choose := func(source string, samples int) *facts {
		r := &run{options: Options{Samples: samples}, facts: exampleFacts(t, source)}
		r.chooseSamples()
		return r.facts
	}
	few := choose(page.String(), 10)
	if again := choose(page.String(), 10); few.sample == "" || !few.leftOut[internalLink] || few.leftOut[imageResource] || again.sample != few.sample {
		t.Errorf("the first 10 of 20 links are %q, left out %v, and %q the second time", few.sample, few.leftOut, again.sample)
	}
	if other := choose("<a href=/new>link</a>"+page.String(), 10); other.sample == few.sample {
		t.Error("another link among the first 10 changes nothing")
	}
	if whole := choose(page.String(), 20); whole.sample != "" || whole.leftOut[internalLink] {
		t.Errorf("all 20 links are %q, left out %v", whole.sample, whole.leftOut)
	}
	if none := choose(page.String(), -1); none.sample == "" || !none.leftOut[internalLink] {
		t.Errorf("no samples are %q, left out %v", none.sample, none.leftOut)
	}
}
