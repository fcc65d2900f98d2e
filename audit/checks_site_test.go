package audit

import (
	"strings"
	"testing"

	"sitegrade/audit/robots"
	"sitegrade/audit/sitemap"
	"sitegrade/fetch"
)

func TestSiteChecks(t *testing.T) {
	runCheckCases(t, siteChecks, append(siteCases(), robotsTxtCases()...), nil, nil)
}

func siteCases() []checkCase {
	const page = "https://example.com/shop/page"
	insecure := func(got fetch.Result) func(*facts) { return func(f *facts) { f.site.insecure = &got } }
	other := func(got fetch.Result) func(*facts) { return func(f *facts) { f.site.otherHost = &got } }
	missing := func(got fetch.Result) func(*facts) { return func(f *facts) { f.site.notFound = &got } }
	icon := func(got fetch.Result) func(*facts) { return func(f *facts) { f.site.favicon = &got } }
	const icons = "https://example.com/favicon.ico"
	return []checkCase{
		{id: "host-variants", name: "all lead here", want: Passed, change: all(insecure(answer(page, 200, "", "")), other(answer(page+"?from=www", 200, "", "")))},
		{id: "host-variants", name: "one does not exist", change: other(noAnswer()), want: Passed},
		{id: "host-variants", name: "http answers itself", change: insecure(answer("http://example.com/shop/page", 200, "", "")), want: Failed},
		{id: "host-variants", name: "www answers itself", change: other(answer("https://www.example.com/shop/page", 200, "", "")), want: Failed},
		{id: "host-variants", name: "not fetched", want: NotApplicable},
		{id: "soft-404", name: "404", change: missing(answer(page, 404, "", "")), want: Passed},
		{id: "soft-404", name: "410", change: missing(answer(page, 410, "", "")), want: Passed},
		{id: "soft-404", name: "200", change: missing(answer(page, 200, "", "")), want: Failed},
		{id: "soft-404", name: "500", change: missing(answer(page, 500, "", "")), want: Failed},
		{id: "soft-404", name: "title of its own", html: "<title>Seite nicht gefunden - Toys</title>", want: Failed, detail: "says that it was not found"},
		{id: "soft-404", name: "heading of its own", html: "<h1>Oops! That page can’t be found.</h1>", change: missing(answer(page, 404, "", "")), want: Failed},
		{id: "soft-404", name: "Japanese", html: "<title>ページが見つかりません | 玩具</title>", want: Failed},
		{id: "soft-404", name: "its own status is right", html: "<title>404 Not Found</title>", want: Passed,
			change: all(missing(answer(page, 404, "", "")), func(f *facts) { f.response.Status = 404 })},
		{id: "soft-404", name: "about such pages", html: "<title>404 Not Found - HTTP | Handbook</title>" + strings.Repeat("word ", 301), want: NotApplicable},
		{id: "soft-404", name: "how to mend them", html: "<title>How to mend a page not found</title>", want: NotApplicable},
		{id: "soft-404", name: "something else was not found", html: "<h1>Treasure not found in Graz</h1>", want: NotApplicable},
		{id: "soft-404", name: "no answer", change: missing(noAnswer()), want: NotApplicable},
		{id: "favicon", name: "answers", change: icon(answer(icons, 200, "Content-Type: image/x-icon", "x")), want: Passed},
		{id: "favicon", name: "in the page", html: `<link rel="shortcut icon" href="data:image/png;base64,AA">`, want: Passed},
		{id: "favicon", name: "404", change: icon(answer(icons, 404, "", "")), want: Failed},
		{id: "favicon", name: "a page", change: icon(answer(icons, 200, "Content-Type: text/html; charset=utf-8", "")), want: Failed},
		{id: "favicon", name: "no answer", change: icon(noAnswer()), want: Failed},
		{id: "favicon", name: "not fetched", want: NotApplicable},
	}
}

// robotsAnswer returns a change that sets the site's robots.txt.
func robotsAnswer(status int, body string) func(*facts) {
	return func(f *facts) {
		got := answer("https://example.com/robots.txt", status, "Content-Type: text/plain", body)
		f.site.robots, f.site.rules = &got, nil
		if status < 400 {
			f.site.rules = robots.Parse(got.Body)
		}
	}
}

func noRobotsAnswer(f *facts) {
	f.site.robots = &fetch.Result{Failure: &fetch.Failure{Code: fetch.CodeTimeout}}
}

func robotsTxtCases() []checkCase {
	const assets = `<link rel=stylesheet href=/css/a.css><script src=/js/a.js></script><script src=https://cdn.example/js/b.js></script>`
	return []checkCase{
		{id: "robots-txt", name: "valid", change: robotsAnswer(200, "User-agent: *\nDisallow: /x\n"), want: Passed},
		{id: "robots-txt", name: "empty", change: robotsAnswer(200, ""), want: Passed},
		{id: "robots-txt", name: "missing", change: robotsAnswer(404, "<html>"), want: Passed},
		{id: "robots-txt", name: "syntax", change: robotsAnswer(200, "User-agent: *\nDisalow: /x\n"), want: Failed, detail: "1 line of robots.txt cannot be read; line 2: unknown directive"},
		{id: "robots-txt", name: "many mistakes", change: robotsAnswer(200, strings.Repeat("x\n", 500)), want: Failed, detail: "At least 100 lines"},
		{id: "robots-txt", name: "server error", change: robotsAnswer(503, ""), want: Failed},
		{id: "robots-txt", name: "HTML", change: robotsAnswer(200, "\n<!DOCTYPE html><title>Home</title>"), want: Failed, detail: "HTML"},
		{id: "robots-txt", name: "too large", change: robotsAnswer(200, strings.Repeat("# a comment\n", 50_000)), want: Failed, detail: "500 KiB"},
		{id: "robots-txt", name: "no answer", change: noRobotsAnswer, want: Failed},
		{id: "robots-txt", name: "not fetched", want: NotApplicable},
		{id: "robots-blocks-assets", name: "open", html: assets, change: robotsAnswer(200, "User-agent: *\nDisallow: /x\n"), want: Passed},
		{id: "robots-blocks-assets", name: "others blocked", html: assets, change: robotsAnswer(200, "User-agent: x\nDisallow: /\n"), want: NotApplicable},
		{id: "robots-blocks-assets", name: "no robots.txt", html: assets, change: robotsAnswer(404, ""), want: NotApplicable},
		{id: "robots-blocks-assets", name: "blocked", html: assets, change: robotsAnswer(200, "User-agent: Googlebot\nDisallow: /js\n"), want: Failed, detail: "1 stylesheet or script"},
		{id: "robots-blocks-assets", name: "no assets", html: "<p>", change: robotsAnswer(200, "User-agent: *\nDisallow: /\n"), want: NotApplicable},
		{id: "robots-blocks-assets", name: "not fetched", html: assets, want: NotApplicable},
	}
}

func TestSitemapChecks(t *testing.T) {
	runCheckCases(t, sitemapChecks, sitemapCases(), nil, nil)
}

func sitemapCases() []checkCase {
	const at = "https://example.com/sitemap.xml"
	have := func(maps ...sitemapFile) func(*facts) { return func(f *facts) { f.site.sitemaps = maps } }
	urls := sitemapFile{Result: answer(at, 200, "", ""), Contents: sitemap.Contents{Kind: sitemap.URLs, URLs: 3}}
	listing, large, broken, index, relative := urls, urls, urls, urls, urls
	relative.Relative = 2
	listing.ListsPage = true
	large.TooLarge = true
	broken.Problem = "it ends in the middle"
	index.Kind = sitemap.Index
	return []checkCase{
		{id: "sitemap-declared", name: "named", change: robotsAnswer(200, "Sitemap: "+at), want: Passed},
		{id: "sitemap-declared", name: "not named", change: robotsAnswer(200, "User-agent: *"), want: Failed},
		{id: "sitemap-declared", name: "no robots.txt", change: robotsAnswer(404, ""), want: Failed},
		{id: "sitemap-declared", name: "no answer", change: noRobotsAnswer, want: NotApplicable},
		{id: "sitemap", name: "readable", change: have(broken, urls), want: Passed, detail: "3 URLs"},
		{id: "sitemap", name: "some addresses are relative", change: have(relative), want: Warning, detail: "3 URLs, and 2 addresses without"},
		{id: "sitemap", name: "index", change: have(index), want: Passed},
		{id: "sitemap", name: "broken", change: have(broken), want: Failed, detail: "it ends in the middle"},
		{id: "sitemap", name: "404", change: have(sitemapFile{Result: answer(at, 404, "", "")}), want: Failed, detail: "404"},
		{id: "sitemap", name: "no sitemap", change: have(sitemapFile{Result: answer(at, 200, "", "")}), want: Failed},
		{id: "sitemap", name: "no answer", change: have(sitemapFile{Result: noAnswer()}), want: Failed},
		{id: "sitemap", name: "not looked for", want: NotApplicable},
		{id: "sitemap-limits", name: "within", change: have(urls), want: Passed},
		{id: "sitemap-limits", name: "over", change: have(urls, large), want: Failed},
		{id: "sitemap-limits", name: "none read", change: have(broken), want: NotApplicable},
		{id: "sitemap-lists-page", name: "listed", change: have(index, listing), want: Passed},
		{id: "sitemap-lists-page", name: "not listed", change: have(index, urls), want: Failed},
		{id: "sitemap-lists-page", name: "noindex", html: "<head><meta name=robots content=noindex>", change: have(index, urls), want: NotApplicable},
		{id: "sitemap-lists-page", name: "noindex for one", html: "<head><meta name=bingbot content=noindex>", change: have(index, urls), want: Failed},
		{id: "sitemap-lists-page", name: "an index alone", change: have(index), want: NotApplicable},
	}
}
