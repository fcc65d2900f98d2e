package audit

import (
	"slices"
	"strings"
	"testing"
)

func TestAIChecks(t *testing.T) {
	table := slices.Concat(aiChecks, aiRobots, aiText, agentChecks)
	cases := slices.Concat(aiCases(), aiRobotsCases(), aiTextCases(), agentCases(), agentFileCases())
	runCheckCases(t, table, cases, []string{"feed", "manifest"}, []string{"token-weight"})
}

func aiCases() []checkCase {
	return []checkCase{
		{id: "feed", name: "RSS", html: `<head><link rel=alternate type=application/rss+xml href=/feed>`, want: Passed, detail: "1 feed"},
		{id: "feed", name: "Atom with a parameter", html: `<head><link rel=alternate type="application/atom+xml; charset=utf-8" href=/feed>`, want: Passed},
		{id: "feed", name: "none", html: `<head><link rel=alternate hreflang=de href=/de>`, want: Failed},
		{id: "manifest", name: "theme-color", html: `<head><meta name=theme-color content=#fff>`, want: Passed, detail: "theme-color"},
		{id: "manifest", name: "all", want: Passed, detail: "manifest, apple-touch-icon, theme-color",
			html: `<head><link rel=manifest href=/m><link rel=apple-touch-icon-precomposed href=/i><meta name=theme-color content=#fff>`},
		{id: "manifest", name: "none", html: "<p>", want: Failed},
	}
}

func aiRobotsCases() []checkCase {
	return []checkCase{
		{id: "ai-bots", name: "some named", change: robotsAnswer(200, "User-agent: GPTBot\nUser-agent: CCBot\nDisallow: /"), want: Passed,
			detail: "2 of 14 AI bots away from the page (training: GPTBot, CCBot)"},
		{id: "ai-bots", name: "classes", change: robotsAnswer(200, "User-agent: GPTBot\nUser-agent: PerplexityBot\nUser-agent: Claude-User\nDisallow: /shop"),
			want: Passed, detail: "(training: GPTBot; search: PerplexityBot; fetchers for people: Claude-User)"},
		{id: "ai-bots", name: "a part of the site", change: robotsAnswer(200, "User-agent: *\nDisallow: /shop"), want: Passed, detail: "all 14"},
		{id: "ai-bots", name: "no robots.txt", change: robotsAnswer(404, ""), want: Passed, detail: "lets all"},
		{id: "ai-bots", name: "shut to everybody", change: robotsAnswer(200, "User-agent: *\nDisallow: /"), want: Failed, detail: "OAI-SearchBot"},
		{id: "ai-bots", name: "shut to all but Google", change: robotsAnswer(200, "User-agent: Googlebot\nAllow: /\n\nUser-agent: *\nDisallow: /*"), want: Failed},
		{id: "ai-bots", name: "shut but for a part", change: robotsAnswer(200, "User-agent: *\nDisallow: /\nAllow: /shop"), want: Passed},
		{id: "ai-bots", name: "shut, with a word for each", want: Passed, change: robotsAnswer(200, "User-agent: *\nDisallow: /\n\nUser-agent: "+
			strings.Join(slices.Concat(aiBots[1].bots, aiBots[2].bots), "\nUser-agent: ")+"\nAllow: /"), detail: "keeps 7 of 14"},
		{id: "ai-bots", name: "both ways", change: robotsAnswer(200, "User-agent: GPTBot\nDisallow: /\n\nUser-agent: gptbot\nAllow: /"), want: Failed,
			detail: `both allows and disallows "/" for GPTBot`},
		{id: "ai-bots", name: "an exception is no contradiction", change: robotsAnswer(200, "User-agent: GPTBot\nDisallow: /\nAllow: /blog"), want: Passed},
		{id: "ai-bots", name: "not fetched", want: NotApplicable},
		{id: "content-signal", name: "told", change: robotsAnswer(200, "User-agent: *\nContent-Signal: search=yes, ai-train=no\nAllow: /"), want: Passed,
			detail: "search=yes, ai-train=no for *"},
		{id: "content-signal", name: "for two kinds of pages", want: Passed,
			change: robotsAnswer(200, "User-agent: *\nContent-Signal: ai-train=no\nContent-Signal: /blog ai-train=yes")},
		{id: "content-signal", name: "a bot of its own", want: Passed,
			change: robotsAnswer(200, "User-agent: *\nContent-Signal: ai-train=no\nUser-agent: GPTBot\nContent-Signal: ai-train=yes\nDisallow: /x")},
		{id: "content-signal", name: "misspelt", change: robotsAnswer(200, "User-agent: *\nContent-Signal: ai_train=no"), want: Failed, detail: `line 2 cannot be read: there is no use "ai_train"`},
		{id: "content-signal", name: "no value", change: robotsAnswer(200, "User-agent: *\nContent-Signal: search"), want: Failed},
		{id: "content-signal", name: "for nobody", change: robotsAnswer(200, "Content-Signal: search=yes\nUser-agent: *"), want: Failed, detail: "for nobody"},
		{id: "content-signal", name: "yes and no", change: robotsAnswer(200, "User-agent: a\nContent-Signal: search=yes\nUser-agent: A\nContent-Signal: search=no"), want: Failed,
			detail: "search is yes in one and no in the other"},
		{id: "content-signal", name: "yes to what nobody may fetch", change: robotsAnswer(200, "User-agent: *\nContent-Signal: search=yes\nDisallow: /"), want: Failed},
		{id: "content-signal", name: "no to what nobody may fetch", change: robotsAnswer(200, "User-agent: *\nContent-Signal: search=no\nDisallow: /"), want: Passed},
		{id: "content-signal", name: "yes to training, and all who train shut out", want: Failed, change: robotsAnswer(200,
			"User-agent: *\nContent-Signal: ai-train=yes\nAllow: /\nUser-agent: "+strings.Join(aiBots[0].bots, "\nUser-agent: ")+"\nDisallow: /")},
		{id: "content-signal", name: "none", change: robotsAnswer(200, "User-agent: *\nAllow: /"), want: NotApplicable},
		{id: "content-signal", name: "no robots.txt", change: robotsAnswer(404, ""), want: NotApplicable},
		{id: "content-signal", name: "not fetched", want: NotApplicable},
	}
}

func aiTextCases() []checkCase {
	prose := strings.Repeat("bread and rolls from our own oven ", 10)
	return []checkCase{
		{id: "text-without-script", name: "no scripts", html: "<p>Hello there", want: Passed, detail: "2 words"},
		{id: "text-without-script", name: "beside scripts", html: "<script src=/a.js></script><p>" + prose, want: Passed, detail: "70 words"},
		{id: "text-without-script", name: "the same in data", want: Passed, detail: "no longer text",
			html: `<script type=module src=/a.js></script><p>` + prose + `<script type=application/json>{"text":"` + prose + `"}</script>`},
		{id: "text-without-script", name: "more in data", want: Passed, detail: "About 50%",
			html: `<script src=/a.js></script><p>` + prose + `<script type=application/json>{"a":"` + prose + `","b":"\"` + prose + `","c":"x y","d":"{a b c d e}"}</script>`},
		{id: "text-without-script", name: "nothing", html: "<div id=root>Loading</div><script src=/a.js></script>", want: Failed, detail: "1 word"},
		{id: "text-without-script", name: "no page", html: "", want: NotApplicable},
		{id: "token-weight", name: "text", html: "<p>" + strings.Repeat("abcd", 100), want: Passed, detail: "about 100 tokens, and its HTML about 101 tokens, 1.0 times"},
		{id: "token-weight", name: "no text", html: "<p>", want: Passed, detail: "no text"},
		{id: "token-weight", name: "no page", html: "", want: NotApplicable},
	}
}

func TestEstimateTokens(t *testing.T) {
	for text, want := range map[string]int{"": 0, "a": 1, "abcd": 1, "abcde": 2, "äöüß": 2, "日本語": 3, "хлеб": 2} {
		if got := estimateTokens(text); got != want {
			t.Errorf("%q has %d tokens, want %d", text, got, want)
		}
	}
}
