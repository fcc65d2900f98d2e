package audit

import (
	"fmt"
	"slices"
	"strings"

	"sitegrade/audit/robots"
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
	{"fetchers for people", "ai-input", []string{"ChatGPT-User", "Claude-User", "Perplexity-User", "MistralAI-User"}},
}

// checkAIBots reports: whom to let in is the owner's choice. It fails where robots.txt does not seem to say what its owner chose.
func checkAIBots(f *facts) finding {
	if f.site.robots == nil || f.site.robots.Failure != nil {
		return notApplicableText("robots.txt was not fetched.")
	}
	at := []Evidence{{URL: shownAddress(f.site.robots.URL)}}
	if bot, pattern := f.contradictedBot(); bot != "" {
		return failText(at, "robots.txt both allows and disallows %s for %s, which then may fetch it.", quote(pattern), bot)
	}
	if shut := f.shutOutUnnamed(); len(shut) > 0 {
		return failText(at, "robots.txt disallows everything for all user agents, and so AI search and fetchers that act for people too: %s.",
			strings.Join(shut, ", "))
	}
	total, blocked := 0, 0
	var classes []string
	for _, class := range aiBots {
		kept := f.keptAway(class)
		if len(kept) > 0 {
			classes = append(classes, class.name+": "+strings.Join(kept, ", "))
		}
		total += len(class.bots)
		blocked += len(kept)
	}
	switch blocked {
	case 0:
		return passText("robots.txt lets all %d AI bots read the page.", total)
	case total:
		return passText("robots.txt keeps all %d AI bots away from the page.", total)
	}
	return passText("robots.txt keeps %d of %d AI bots away from the page (%s).", blocked, total, strings.Join(classes, "; "))
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
		return notApplicableText("robots.txt was not fetched.")
	}
	if f.site.rules == nil || len(f.site.rules.Signals) == 0 {
		return notApplicableText("robots.txt has no Content-Signal.")
	}
	signals := f.site.rules.Signals
	at := func(s robots.Signal) []Evidence {
		return []Evidence{{URL: shownAddress(f.site.robots.URL), Line: s.Line, Snippet: s.Text}}
	}
	said := map[string]bool{}
	for _, s := range signals {
		switch {
		case s.Problem != "":
			return failText(at(s), "The Content-Signal in line %d cannot be read: %s.", s.Line, s.Problem)
		case len(s.Agents) == 0:
			return failText(at(s), "The Content-Signal in line %d stands before the first user-agent and so is for nobody.", s.Line)
		}
		if conflict := f.signalConflict(s, said); conflict != "" {
			return failText(at(s), "The Content-Signal in line %d contradicts %s.", s.Line, conflict)
		}
	}
	told := passText("robots.txt says %s.", signalSummary(signals))
	for _, s := range signals[:min(len(signals), MaxEvidence)] {
		told.evidence = append(told.evidence, at(s)...)
	}
	return told
}

// signalConflict says what a signal contradicts: an earlier one, which said remembers, or the rules. It returns "" for nothing.
func (f *facts) signalConflict(s robots.Signal, said map[string]bool) string {
	for _, agent := range s.Agents {
		for _, use := range s.Uses {
			key := strings.Join([]string{strings.ToLower(agent), s.Path, use.Name}, "\n")
			if before, known := said[key]; known && before != use.Given {
				return fmt.Sprintf("another one: %s is yes in one and no in the other", use.Name)
			}
			said[key] = use.Given
			if !use.Given {
				continue
			}
			if f.site.rules.RulesFor(generalToken(agent)).ForbidEverything() {
				return fmt.Sprintf("the rules: it permits %s, and its group disallows everything", use.Name)
			}
			if generalToken(agent) == "" && s.Path == "" && f.shutOutByName(use.Name) {
				return fmt.Sprintf("the rules: it permits %s, and all bots of that kind have groups that disallow everything", use.Name)
			}
		}
	}
	return ""
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
func signalSummary(signals []robots.Signal) string {
	var parts []string
	for _, s := range signals[:min(len(signals), MaxEvidence)] {
		var uses []string
		for _, use := range s.Uses {
			if use.Given {
				uses = append(uses, use.Name+"=yes")
			} else {
				uses = append(uses, use.Name+"=no")
			}
		}
		parts = append(parts, fmt.Sprintf("%s for %s%s", strings.Join(uses, ", "), cutText(strings.Join(s.Agents, ", "), 100), cutText(s.Path, 100)))
	}
	return strings.Join(parts, "; ")
}
