package audit

import (
	"bytes"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"

	"sitegrade/audit/header"
	"sitegrade/fetch"
	"sitegrade/locale"
	"sitegrade/weburl"
)

// agentChecks are the checks of what a site has for agents beside the page.
var agentChecks = []check{
	{
		id: "agent-access", severity: Info,
		source: "OpenAI and Anthropic, documentation of their bots",
		needs:  needsAgents,
		run:    checkAgentAccess,
	},
	{
		id: "markdown", severity: Info,
		source: "RFC 9110, section 12; RFC 7763",
		needs:  needsMarkdown,
		run:    checkMarkdown,
	},
	{
		id: "llms-txt", severity: Info,
		source: "llmstxt.org; Lighthouse llms-txt",
		needs:  needsLlms,
		run:    checkLLMsTxt,
	},
	{
		id: "agents-md", severity: Info,
		source: "agents.md",
		needs:  needsAgentsMD,
		run:    checkAgentsMD,
	},
	{
		id: "rsl", severity: Info,
		source: "Really Simple Licensing 1.0",
		needs:  needsLicense,
		run:    checkRSL,
	},
	{
		id: "api-catalog", severity: Info,
		source: "RFC 9727; RFC 9264",
		needs:  needsAPICatalog,
		run:    checkAPICatalog,
	},
	{
		id: "well-known-cards", severity: Info,
		source: "A2A protocol, AgentCard; MCP server cards (SEP-1649, SEP-2127)",
		needs:  needsCards,
		run:    checkCards,
	},
}

// checkAgentAccess compares the status that agents get with the page's own.
func checkAgentAccess(f *facts) finding {
	if f.response.Status >= 400 {
		return notApplicable("agent-access.error", locale.Code(f.response.Status))
	}
	var refused []locale.Arg
	var meant []string
	asked := 0
	for i := range f.site.agents {
		visit := &f.site.agents[i]
		told, known := f.refusal(visit)
		if !known {
			continue
		}
		asked++
		switch {
		case told.IsZero():
		case f.site.rules.Names(visit.token) && !f.site.rules.Allowed(visit.token, f.final):
			meant = append(meant, visit.token)
		default:
			refused = append(refused, locale.PhraseOf(told))
		}
	}
	switch {
	case asked == 0:
		return notApplicable("agent-access.unasked")
	case len(refused) > 0:
		return fail([]Evidence{{URL: shownAddress(f.final)}}, "agent-access.refused", locale.Code(f.response.Status), locale.ListOf(refused))
	case len(meant) > 0:
		return pass("agent-access.meant", locale.List(meant))
	}
	return pass("agent-access.same", locale.List(visitors(f.site.agents)))
}

func visitors(visits []agentVisit) (tokens []string) {
	for i := range visits {
		tokens = append(tokens, visits[i].token)
	}
	return tokens
}

// refusal says how an agent was treated otherwise than the page's other visitors, nothing when it was not; known tells whether that can be
// said. A server that answers a second request of our own in the same way does not look at who asks.
func (f *facts) refusal(visit *agentVisit) (told locale.Sentence, known bool) {
	control := f.site.foreign
	switch {
	case visit.Failure != nil:
		if visit.Failure.Code == fetch.CodeTimeout || control == nil || control.Failure != nil {
			return told, false
		}
		return locale.Say("agent-access.no-response", locale.Text(visit.token)), true
	case visit.Status == f.response.Status:
		return told, true
	case visit.Status == http.StatusTooManyRequests || control != nil && control.Failure == nil && control.Status == visit.Status:
		return told, false
	}
	return locale.Say("agent-access.other-status", locale.Text(visit.token), locale.Code(visit.Status)), true
}

func checkMarkdown(f *facts) finding {
	got := f.site.markdown
	if got == nil || got.Failure != nil || f.response.Status >= 400 {
		return notApplicable("markdown.unasked")
	}
	at := []Evidence{{URL: shownAddress(got.URL)}}
	media := header.MIMEType(got.Header)
	control := f.site.foreign
	switch {
	case got.Status >= 400 && control != nil && control.Failure == nil && control.Status == got.Status:
		return notApplicable("markdown.control", locale.Code(got.Status))
	case got.Status >= 400:
		return fail(at, "markdown.error", locale.Code(got.Status))
	case media != "text/markdown":
		return notApplicable("markdown.other-type", typeOf(media))
	case looksLikeHTML(got.Body):
		return fail(at, "markdown.html")
	case len(bytes.TrimSpace(got.Body)) == 0:
		return fail(at, "markdown.empty")
	case !variesByAccept(got.Header):
		return warn(at, "markdown.vary")
	}
	return pass("markdown.found", locale.Count(estimateTokens(got.Body)))
}

// typeOf returns the type of a response for a sentence.
func typeOf(media string) locale.Arg {
	if media == "" {
		return locale.Phrase("common.no-type")
	}
	return locale.Phrase("common.type", locale.Text(cutText(media, 100)))
}

func variesByAccept(h http.Header) bool {
	for _, line := range h.Values("Vary") {
		for name := range strings.SplitSeq(line, ",") {
			if name = strings.TrimSpace(name); name == "*" || strings.EqualFold(name, "Accept") {
				return true
			}
		}
	}
	return false
}

func checkLLMsTxt(f *facts) finding {
	file := f.site.llms
	if file == nil || file.Failure != nil || file.Status >= 400 {
		return notApplicable("llms-txt.missing")
	}
	at := []Evidence{{URL: shownAddress(file.URL)}}
	if looksLikeHTML(file.Body) {
		if missing := f.site.notFound; missing != nil && missing.Failure == nil && missing.Status < 400 {
			return notApplicable("llms-txt.missing-everywhere")
		}
		return fail(at, "llms-txt.html")
	}
	heading, links := markdownParts(file.Body)
	switch {
	case !heading && len(links) == 0:
		return fail(at, "llms-txt.bare")
	case !heading:
		return fail(at, "llms-txt.no-heading")
	case len(links) == 0:
		return fail(at, "llms-txt.no-links")
	}
	var broken tally
	for _, target := range links {
		if u := weburl.Resolve(file.URL, target); u == nil || u.Scheme() != "mailto" && u.Check() != nil {
			broken.add(Evidence{URL: shownAddress(file.URL), Snippet: cutText(target, 200)})
		}
	}
	if broken.count > 0 {
		return fail(broken.evidence, "llms-txt.broken", locale.Count(broken.count), locale.Count(len(links)))
	}
	return pass("llms-txt.found", locale.Count(len(links)))
}

// markdownParts reports whether a Markdown text has a heading of the first level, and returns the targets of its inline links.
func markdownParts(body []byte) (heading bool, links []string) {
	var before []byte
	for line := range bytes.SplitSeq(bytes.TrimPrefix(body, []byte("\xef\xbb\xbf")), []byte("\n")) {
		line = bytes.TrimRight(line, " \t\r")
		if rest, ok := bytes.CutPrefix(line, []byte("#")); ok && len(rest) > 1 && (rest[0] == ' ' || rest[0] == '\t') {
			heading = true
		}
		if len(line) > 0 && len(bytes.Trim(line, "=")) == 0 && len(before) > 0 {
			heading = true // underlined
		}
		links = append(links, linksOf(string(line))...)
		before = line
	}
	return heading, links
}

// linksOf returns the targets of the inline links of a line of Markdown, [text](target "title").
func linksOf(line string) (targets []string) {
	for {
		text, rest, found := strings.Cut(line, "](")
		if !found {
			return targets
		}
		inside, after, closed := strings.Cut(rest, ")")
		line = rest
		if !closed || !strings.Contains(text, "[") {
			continue
		}
		line = after
		if bracketed, ok := strings.CutPrefix(inside, "<"); ok {
			inside, _, _ = strings.Cut(bracketed, ">")
		} else if words := strings.Fields(inside); len(words) > 0 {
			inside = words[0]
		}
		if inside = strings.TrimSpace(inside); inside != "" {
			targets = append(targets, inside)
		}
	}
}

func checkAgentsMD(f *facts) finding {
	file := f.site.agentsMD
	if !file.exists() {
		return notApplicable("agents-md.missing")
	}
	at := []Evidence{{URL: shownAddress(file.URL)}}
	switch {
	case len(bytes.TrimSpace(file.Body)) == 0:
		return fail(at, "agents-md.empty")
	case file.whole && !utf8.Valid(file.Body):
		return fail(at, "agents-md.encoding")
	}
	return pass("agents-md.found", locale.Bytes(file.Size))
}

// license is a license for machines that the site or the page names.
type license struct {
	url *weburl.URL // nil when the address is not one
	at  Evidence
}

const rslType = "application/rsl+xml"

// licenses returns what robots.txt, the Link header and the page name, in this order.
func (f *facts) licenses() (found []license) {
	if f.site.rules != nil {
		for _, address := range f.site.rules.Licenses {
			found = append(found, newLicense(nil, address, Evidence{URL: cutText(address, weburl.MaxLength), Snippet: "License: " + cutText(address, 150)}))
		}
	}
	for _, l := range header.ParseLinks(f.response.Header.Values("Link")) {
		if slices.Contains(l.Rel, "license") && l.Type == rslType {
			found = append(found, newLicense(f.final, l.Target, Evidence{URL: cutText(l.Target, weburl.MaxLength)}))
		}
	}
	for _, l := range f.doc.Links {
		if slices.Contains(l.Rel, "license") && l.MIME == rslType {
			found = append(found, newLicense(f.doc.Base, l.Href, evidenceOf(f.doc, l.Element)))
		}
	}
	return found
}

func newLicense(base *weburl.URL, address string, at Evidence) license {
	u := weburl.Resolve(base, address)
	if u != nil && u.Check() != nil {
		u = nil
	}
	return license{u, at}
}
