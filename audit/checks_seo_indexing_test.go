package audit

import (
	"testing"

	"sitegrade/audit/robots"
)

// pageOf returns a page with this in its head and body.
func pageOf(head, body string) string {
	return `<!DOCTYPE html><html lang="en"><head>` + head + `</head><body>` + body + `</body></html>`
}

// withRobots returns a change that gives the site a robots.txt.
func withRobots(text string) func(*facts) {
	return func(f *facts) { f.site.rules = robots.Parse([]byte(text)) }
}

func TestIndexingChecks(t *testing.T) {
	noindex := pageOf(`<meta name="robots" content="noindex">`, "")
	runCheckCases(t, seoIndexing, []checkCase{
		{id: "http-status", name: "200", want: Passed},
		{id: "http-status", name: "404", change: func(f *facts) { f.response.Status = 404 }, want: Failed, detail: "404"},
		{id: "http-status", name: "399", change: func(f *facts) { f.response.Status = 399 }, want: Passed},

		{id: "is-crawlable", name: "nothing said", want: Passed},
		{id: "is-crawlable", name: "noindex", html: noindex, want: Failed},
		{id: "is-crawlable", name: "in body", html: pageOf("", `<meta name="robots" content="noindex">`), want: Passed},
		{id: "is-crawlable", name: "second meta", html: pageOf(`<meta name="robots" content="index"><meta name="ROBOTS" content="NoIndex">`, ""), want: Failed},
		{id: "is-crawlable", name: "header", change: with("X-Robots-Tag", "none"), want: Failed},
		{id: "is-crawlable", name: "header for all by name", change: with("X-Robots-Tag", "*: noindex"), want: Failed},
		{id: "is-crawlable", name: "header for one", change: with("X-Robots-Tag", "bingbot: noindex"), want: Warning, detail: "bingbot"},
		{id: "is-crawlable", name: "own meta", html: pageOf(`<meta name="Googlebot" content="noindex">`, ""), want: Warning, detail: "Googlebot"},
		{id: "is-crawlable", name: "past", change: with("X-Robots-Tag", "unavailable_after: 25 Jun 2010 15:00:00 PST"), want: Failed},
		{id: "is-crawlable", name: "to come", change: with("X-Robots-Tag", "unavailable_after: 25 Jun 2045 15:00:00 PST"), want: Passed},
		{id: "is-crawlable", name: "robots.txt", change: withRobots("User-agent: *\nDisallow: /shop"), want: Failed},
		{id: "is-crawlable", name: "own group", change: withRobots("User-agent: *\nDisallow: /shop\nUser-agent: googlebot\nAllow: /"), want: Warning, detail: "4 of 5"},
		{id: "is-crawlable", name: "elsewhere", change: withRobots("User-agent: *\nDisallow: /other"), want: Passed},

		{id: "robots-conflict", name: "none", want: NotApplicable},
		{id: "robots-conflict", name: "agree", html: noindex, change: with("X-Robots-Tag", "noindex"), want: Passed},
		{id: "robots-conflict", name: "disagree", html: noindex, change: with("X-Robots-Tag", "index"), want: Failed},
		{id: "robots-conflict", name: "for different crawlers", html: pageOf(`<meta name="bingbot" content="noindex">`, ""), change: with("X-Robots-Tag", "index"), want: Passed},
		{id: "robots-conflict", name: "canonical elsewhere", html: pageOf(`<meta name="robots" content="noindex"><link rel="canonical" href="https://example.com/b">`, ""), want: Failed, detail: "canonical"},
		{id: "robots-conflict", name: "canonical here", html: pageOf(`<meta name="robots" content="noindex"><link rel="canonical" href="https://example.com/shop/page">`, ""), want: Passed},

		{id: "nofollow-page", name: "links", html: pageOf(`<meta name="robots" content="noarchive">`, `<a href="/">Home</a>`), want: Passed},
		{id: "nofollow-page", name: "no directives", html: pageOf("", `<a href="/">Home</a>`), want: NotApplicable},
		{id: "nofollow-page", name: "nofollow", html: pageOf(`<meta name="robots" content="nofollow">`, ""), want: Failed},
		{id: "nofollow-page", name: "none", change: with("X-Robots-Tag", "none"), want: Failed},
		{id: "nofollow-page", name: "no links", want: NotApplicable},

		{id: "snippet-limits", name: "none", want: NotApplicable},
		{id: "snippet-limits", name: "others", html: pageOf(`<meta name="robots" content="max-snippet:-1">`, ""), want: Passed},
		{id: "snippet-limits", name: "0", html: pageOf(`<meta name="robots" content="max-snippet:0">`, ""), want: Failed},
		{id: "snippet-limits", name: "nosnippet", change: with("X-Robots-Tag", "nosnippet"), want: Failed},

		{id: "redirects", name: "none", want: NotApplicable},
		{id: "redirects", name: "one", change: hops("http://example.com/"), want: Passed},
		{id: "redirects", name: "two", change: hops("http://example.com/", "https://example.com/"), want: Failed, detail: "2 redirects"},

		{id: "meta-refresh", name: "none", want: NotApplicable},
		{id: "meta-refresh", name: "elsewhere", html: pageOf(`<meta http-equiv="Refresh" content="0; URL='/new'">`, ""), want: Warning, detail: "at once"},
		{id: "meta-refresh", name: "elsewhere later", html: pageOf(`<meta http-equiv="Refresh" content="1; URL='/new'">`, ""), want: Failed, detail: "1 second"},
		{id: "meta-refresh", name: "after 20 hours", html: pageOf(`<meta http-equiv="refresh" content="72000">`, ""), want: Failed},
		{id: "meta-refresh", name: "in the body", html: inBody(`<meta http-equiv="refresh" content="5; /new">`), want: Failed},
		{id: "meta-refresh", name: "negative", html: pageOf(`<meta http-equiv="refresh" content="-1; /new">`, ""), want: NotApplicable},
		{id: "meta-refresh", name: "empty", html: pageOf(`<meta http-equiv="refresh" content=""><meta http-equiv="refresh">`, ""), want: NotApplicable},
		{id: "meta-refresh", name: "timed", html: pageOf(`<meta http-equiv="refresh" content="30">`, ""), want: Failed, detail: "30 seconds"},
		{id: "meta-refresh", name: "here at once", html: pageOf(`<meta http-equiv="refresh" content="0;url=/shop/page#top">`, ""), want: Passed},
		{id: "meta-refresh", name: "itself without end", html: pageOf(`<meta http-equiv="refresh" content="0">`, ""), want: Failed, detail: "without end"},
		{id: "meta-refresh", name: "itself by name", html: pageOf(`<meta http-equiv="refresh" content="0;url=">`, ""), want: Failed, detail: "without end"},
		{id: "meta-refresh", name: "header", change: with("Refresh", "5; url=/new"), want: Failed, detail: "5 seconds"},
		{id: "meta-refresh", name: "the first that counts", html: pageOf(`<meta http-equiv=refresh content="0:"><meta http-equiv=refresh content="1x;url=/a"><meta http-equiv=refresh content="3;/b">`, ""), want: Failed, detail: "3 seconds"},
		{id: "meta-refresh", name: "no form that browsers read", html: pageOf(`<meta http-equiv="refresh" content="0: url=/new">`, ""), want: NotApplicable},
		{id: "meta-refresh", name: "script", html: pageOf(`<meta http-equiv="refresh" content="0;url=javascript:x()">`, ""), want: NotApplicable},
		{id: "meta-refresh", name: "elsewhere tomorrow", html: pageOf(`<meta http-equiv="refresh" content="72001;url=/new">`, ""), want: Passed},
		{id: "meta-refresh", name: "no number", html: pageOf(`<meta http-equiv="refresh" content="soon">`, ""), want: NotApplicable},
		{id: "meta-refresh", name: "tomorrow", html: pageOf(`<meta http-equiv="refresh" content="72001">`, ""), want: Passed},
	}, []string{"http-status", "is-crawlable"}, nil)
}

func hops(addresses ...string) func(*facts) {
	return func(f *facts) { f.redirects = addresses }
}

func TestGates(t *testing.T) {
	for _, c := range []struct {
		name, robots string
		status       int
		limit        int
	}{
		{"nothing", "", 200, 100},
		{"Googlebot alone", "User-agent: Googlebot\nDisallow: /", 200, 79},
		{"bingbot alone", "User-agent: bingbot\nDisallow: /", 200, 100},
		{"everybody", "User-agent: *\nDisallow: /", 200, 49},
		{"not found", "", 404, 0},
	} {
		f := exampleFacts(t, "")
		f.response.Status = c.status
		f.site.rules = robots.Parse([]byte(c.robots))
		limit := 100
		for _, check := range seoIndexing {
			if found := check.run(f); found.ceiling != nil {
				limit = min(limit, found.ceiling.limit)
			}
		}
		if limit != c.limit {
			t.Errorf("%s: limit %d, want %d", c.name, limit, c.limit)
		}
		if r := grade(f); r.Score > c.limit {
			t.Errorf("%s: score %d over %d", c.name, r.Score, c.limit)
		}
	}
}
