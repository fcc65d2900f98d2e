package audit

import (
	"slices"
	"strings"

	"sitegrade/audit/robots"
	"sitegrade/locale"
)

// aiRobots are the checks of what robots.txt says to bots of language models.
var aiRobots = []check{
	{
		id: "ai-bots", severity: Info,
		source: "the bots' documentation",
		needs:  needsRobotsTxt,
		run:    checkAIBots,
	},
	{
		id: "content-signal", severity: Info,
		source: "contentsignals.org",
		needs:  needsRobotsTxt,
		run:    checkContentSignal,
	},
}

// botClass is a kind of bots that people decide about together.
type botClass struct {
	name string
	use  string // what Content-Signal calls it; "" where it has no word
	bots []string
}

// aiBots are the names that robots.txt has for bots of language models.
var aiBots = []botClass{
	{"training", "ai-train", []string{"GPTBot", "ClaudeBot", "Google-Extended", "Applebot-Extended", "CCBot", "Bytespider", "Meta-ExternalAgent"}},
	{"search", "", []string{"OAI-SearchBot", "Claude-SearchBot", "PerplexityBot"}},
	{"fetchers", "ai-input", []string{"ChatGPT-User", "Claude-User", "Perplexity-User", "MistralAI-User"}},
}

// checkAIBots reports: whom to let in is the owner's choice. It fails where robots.txt does not seem to say what its owner chose.
func checkAIBots(f *facts) finding {
	if f.site.robots == nil || f.site.robots.Failure != nil {
		return notApplicable("common.robots-not-fetched")
	}
	at := []Evidence{{URL: shownAddress(f.site.robots.URL)}}
	if bot, pattern := f.contradictedBot(); bot != "" {
		return fail(at, "ai-bots.contradiction", locale.Quoted(pattern), locale.Text(bot))
	}
	if shut := f.shutOutUnnamed(); len(shut) > 0 {
		return fail(at, "ai-bots.shut-out", locale.List(shut))
	}
	total, blocked := 0, 0
	var classes []locale.Arg
	for _, class := range aiBots {
		kept := f.keptAway(class)
		if len(kept) > 0 {
			classes = append(classes, locale.Phrase("ai-bots."+class.name, locale.List(kept)))
		}
		total += len(class.bots)
		blocked += len(kept)
	}
	switch blocked {
	case 0:
		return pass("ai-bots.all", locale.Count(total))
	case total:
		return pass("ai-bots.none", locale.Count(total))
	}
	return pass("ai-bots.some", locale.Count(blocked), locale.Count(total), locale.SeriesOf(classes))
}

// keptAway returns the bots of a class that may not read the page.
func (f *facts) keptAway(class botClass) (kept []string) {
	for _, bot := range class.bots {
		if !f.site.rules.Allowed(bot, f.final) {
			kept = append(kept, bot)
		}
	}
	return kept
}

// contradictedBot returns the first AI bot that robots.txt names and gives a pattern both ways, and the pattern.
func (f *facts) contradictedBot() (bot, pattern string) {
	for _, class := range aiBots {
		for _, bot := range class.bots {
			if !f.site.rules.Names(bot) {
				continue
			}
			if pattern := f.site.rules.RulesFor(bot).Contradiction(); pattern != "" {
				return bot, pattern
			}
		}
	}
	return "", ""
}

// shutOutUnnamed returns the bots of search and for people that robots.txt shuts out without a word about them, by rules against
// everybody. Such rules are mostly left over from a site that was being built.
func (f *facts) shutOutUnnamed() (shut []string) {
	if !f.site.rules.RulesFor("").ForbidEverything() {
		return nil
	}
	for _, class := range aiBots[1:] {
		for _, bot := range class.bots {
			if !f.site.rules.Names(bot) {
				shut = append(shut, bot)
			}
		}
	}
	return shut
}

func checkContentSignal(f *facts) finding {
	if f.site.robots == nil || f.site.robots.Failure != nil {
		return notApplicable("common.robots-not-fetched")
	}
	if f.site.rules == nil || len(f.site.rules.Signals) == 0 {
		return notApplicable("content-signal.missing")
	}
	signals := f.site.rules.Signals
	at := func(s robots.Signal) []Evidence {
		return []Evidence{{URL: shownAddress(f.site.robots.URL), Line: s.Line, Snippet: s.Text}}
	}
	said := map[string]bool{}
	for _, s := range signals {
		switch {
		case s.Problem != "":
			return fail(at(s), "content-signal.unreadable", locale.Code(s.Line), locale.Worded(s.Problem))
		case len(s.Agents) == 0:
			return fail(at(s), "content-signal.for-nobody", locale.Code(s.Line))
		}
		if conflict := f.signalConflict(s, said); conflict.name != "" {
			return fail(at(s), "content-signal."+conflict.name, locale.Code(s.Line), locale.Text(conflict.use))
		}
	}
	told := pass("content-signal.found", signalSummary(signals))
	for _, s := range signals[:min(len(signals), MaxEvidence)] {
		told.evidence = append(told.evidence, at(s)...)
	}
	return told
}

// conflict is what a signal contradicts.
type conflict struct {
	name string // of the sentence that says it, "" for nothing
	use  string // for which it does
}

// signalConflict says what a signal contradicts: an earlier one, which said remembers, or the rules.
func (f *facts) signalConflict(s robots.Signal, said map[string]bool) conflict {
	for _, agent := range s.Agents {
		for _, use := range s.Uses {
			key := strings.Join([]string{strings.ToLower(agent), s.Path, use.Name}, "\n")
			if before, known := said[key]; known && before != use.Given {
				return conflict{"contradicts-another", use.Name}
			}
			said[key] = use.Given
			if !use.Given {
				continue
			}
			if f.site.rules.RulesFor(generalToken(agent)).ForbidEverything() {
				return conflict{"contradicts-group", use.Name}
			}
			if generalToken(agent) == "" && s.Path == "" && f.shutOutByName(use.Name) {
				return conflict{"contradicts-bots", use.Name}
			}
		}
	}
	return conflict{}
}

// generalToken returns the token by which rules for an agent are found: "" for "*".
func generalToken(agent string) string { return strings.TrimPrefix(agent, "*") }

// shutOutByName reports whether robots.txt disallows everything for all bots of a use, in groups that name them.
func (f *facts) shutOutByName(use string) bool {
	return slices.ContainsFunc(aiBots, func(class botClass) bool {
		return class.use == use && !slices.ContainsFunc(class.bots, func(bot string) bool {
			return !f.site.rules.Names(bot) || !f.site.rules.RulesFor(bot).ForbidEverything()
		})
	})
}

// signalSummary lists what signals say: "search=yes, ai-train=no for *".
func signalSummary(signals []robots.Signal) locale.Arg {
	var parts []locale.Arg
	for _, s := range signals[:min(len(signals), MaxEvidence)] {
		var uses []string
		for _, use := range s.Uses {
			if use.Given {
				uses = append(uses, use.Name+"=yes")
			} else {
				uses = append(uses, use.Name+"=no")
			}
		}
		parts = append(parts, locale.Phrase("content-signal.signal", locale.List(uses), locale.Text(cutText(strings.Join(s.Agents, ", "), 100)+cutText(s.Path, 100))))
	}
	return locale.SeriesOf(parts)
}
