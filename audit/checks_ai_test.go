package audit

import "testing"

func TestAIChecks(t *testing.T) {
	runCheckCases(t, aiChecks, aiCases(), []string{"feed", "manifest"}, []string{"ai-bots"})
}

func aiCases() []checkCase {
	llms := func(status int, body string) func(*facts) {
		return func(f *facts) {
			got := answer("https://example.com/llms.txt", status, "", body)
			f.site.llms = &got
		}
	}
	return []checkCase{
		{id: "llms-txt", name: "complete", change: llms(200, "# Example\n\n- [Shop](https://example.com/shop): all of it\n"), want: Passed},
		{id: "llms-txt", name: "no heading", change: llms(200, "## Example\n[Shop](https://example.com/shop)\n"), want: Failed, detail: "no heading"},
		{id: "llms-txt", name: "no link", change: llms(200, "# Example\nhttps://example.com/shop\n"), want: Failed, detail: "no link"},
		{id: "llms-txt", name: "empty", change: llms(200, ""), want: Failed},
		{id: "llms-txt", name: "HTML", change: llms(200, "<!doctype html>\n# a\n[a](b)"), want: Failed, detail: "HTML"},
		{id: "llms-txt", name: "none", change: llms(404, "# a\n[a](b)"), want: NotApplicable},
		{id: "llms-txt", name: "not fetched", want: NotApplicable},
		{id: "ai-bots", name: "some blocked", change: robotsAnswer(200, "User-agent: GPTBot\nUser-agent: CCBot\nDisallow: /"), want: Passed,
			detail: "2 of 9 AI crawlers away from the page: GPTBot, CCBot"},
		{id: "ai-bots", name: "all blocked", change: robotsAnswer(200, "User-agent: *\nDisallow: /shop"), want: Passed, detail: "all 9"},
		{id: "ai-bots", name: "none blocked", change: robotsAnswer(404, ""), want: Passed, detail: "lets all"},
		{id: "ai-bots", name: "not fetched", want: NotApplicable},
		{id: "feed", name: "RSS", html: `<head><link rel=alternate type=application/rss+xml href=/feed>`, want: Passed, detail: "1 feed"},
		{id: "feed", name: "Atom with a parameter", html: `<head><link rel=alternate type="application/atom+xml; charset=utf-8" href=/feed>`, want: Passed},
		{id: "feed", name: "none", html: `<head><link rel=alternate hreflang=de href=/de>`, want: Failed},
		{id: "manifest", name: "theme-color", html: `<head><meta name=theme-color content=#fff>`, want: Passed, detail: "theme-color"},
		{id: "manifest", name: "all", want: Passed, detail: "manifest, apple-touch-icon, theme-color",
			html: `<head><link rel=manifest href=/m><link rel=apple-touch-icon-precomposed href=/i><meta name=theme-color content=#fff>`},
		{id: "manifest", name: "none", html: "<p>", want: Failed},
	}
}
