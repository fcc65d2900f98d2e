package audit

import (
	"net/http"
	"slices"
	"strings"
	"testing"
)

const examplePage = "https://example.com/shop/page"

func agentCases() []checkCase {
	visited := func(statuses ...int) func(*facts) {
		return func(f *facts) {
			for i, status := range statuses {
				visit := agentVisit{token: agentNames[i].token, Result: noAnswer()}
				if status > 0 {
					visit.Result = answer(examplePage, status, "", "")
				}
				f.site.agents = append(f.site.agents, visit)
			}
		}
	}
	again := func(status int) func(*facts) {
		return func(f *facts) {
			got := answer(examplePage, status, "", "")
			f.site.foreign = &got
		}
	}
	markdown := func(status int, lines, body string) func(*facts) {
		return func(f *facts) { f.site.markdown = &siteFile{answer(examplePage, status, lines, body), true} }
	}
	const typed = "Content-Type: text/markdown; charset=utf-8\nVary: Accept-Encoding, accept"
	return []checkCase{
		{id: "agent-access", name: "as others", change: visited(200, 200), want: Passed, detail: "ChatGPT-User, Claude-User"},
		{id: "agent-access", name: "forbidden", change: all(visited(403, 200), again(200)), want: Failed, detail: "ChatGPT-User gets status 403"},
		{id: "agent-access", name: "cut off", change: all(visited(0, 200), again(200)), want: Failed, detail: "gets no response"},
		{id: "agent-access", name: "as robots.txt says", want: Passed, detail: "disallows too",
			change: all(visited(403, 200), robotsAnswer(200, "User-agent: ChatGPT-User\nDisallow: /"))},
		{id: "agent-access", name: "against robots.txt", change: all(visited(403, 200), robotsAnswer(200, "User-agent: ChatGPT-User\nAllow: /")), want: Failed},
		{id: "agent-access", name: "the second request of anybody", change: all(visited(503, 503), again(503)), want: NotApplicable},
		{id: "agent-access", name: "too many requests", change: visited(429, 429), want: NotApplicable},
		{id: "agent-access", name: "the page is forbidden to all", change: all(visited(403, 403), func(f *facts) { f.response.Status = 403 }), want: NotApplicable},
		{id: "agent-access", name: "not asked", want: NotApplicable},
		{id: "markdown", name: "offered", change: markdown(200, typed, "# Shop\n"), want: Passed, detail: "about 2 tokens"},
		{id: "markdown", name: "without Vary", change: markdown(200, "Content-Type: text/markdown", "# Shop\n"), want: Warning},
		{id: "markdown", name: "HTML under that name", change: markdown(200, typed, "<!doctype html><p>"), want: Failed},
		{id: "markdown", name: "empty", change: markdown(200, typed, "\n"), want: Failed},
		{id: "markdown", name: "refused", change: all(markdown(406, "", ""), again(200)), want: Failed, detail: "406"},
		{id: "markdown", name: "everybody refused", change: all(markdown(503, "", ""), again(503)), want: NotApplicable},
		{id: "markdown", name: "HTML", change: markdown(200, "Content-Type: text/html", "<!doctype html><p>"), want: NotApplicable, detail: "text/html alone"},
		{id: "markdown", name: "not asked", want: NotApplicable},
	}
}

// present returns the file of a site at a path.
func present(path string, status int, media, body string) *siteFile {
	return &siteFile{answer("https://example.com"+path, status, "Content-Type: "+media, body), true}
}

func agentFileCases() []checkCase {
	llms := func(status int, body string) func(*facts) {
		return func(f *facts) {
			got := answer("https://example.com/llms.txt", status, "", body)
			f.site.llms = &got
		}
	}
	agents := func(status int, media, body string) func(*facts) {
		return func(f *facts) { f.site.agentsMD = present("/AGENTS.md", status, media, body) }
	}
	everythingIsThere := func(f *facts) {
		got := answer("https://example.com/x", 200, "", "")
		f.site.notFound = &got
	}
	return slices.Concat([]checkCase{
		{id: "llms-txt", name: "complete", change: llms(200, "# Example\n\n- [Shop](https://example.com/shop): all of it\n"), want: Passed, detail: "1 link"},
		{id: "llms-txt", name: "underlined heading, relative links", change: llms(200, "Example\r\n=======\r\n[a](/shop \"Shop\") [b](<b c>) [c](mailto:a@b.example)"), want: Passed, detail: "3 links"},
		{id: "llms-txt", name: "a link that is no URL", change: llms(200, "# Example\n[Shop](http://) [b](/b)\n"), want: Failed, detail: "1 of 2 links of llms.txt leads nowhere"},
		{id: "llms-txt", name: "no heading", change: llms(200, "## Example\n[Shop](https://example.com/shop)\n"), want: Failed, detail: "no heading"},
		{id: "llms-txt", name: "no link", change: llms(200, "# Example\nhttps://example.com/shop\n"), want: Failed, detail: "no link"},
		{id: "llms-txt", name: "empty", change: llms(200, ""), want: Failed},
		{id: "llms-txt", name: "HTML", change: llms(200, "<!doctype html>\n# a\n[a](b)"), want: Failed, detail: "HTML"},
		{id: "llms-txt", name: "HTML like everywhere", change: all(llms(200, "<!doctype html>"), everythingIsThere), want: NotApplicable},
		{id: "llms-txt", name: "none", change: llms(404, "# a\n[a](b)"), want: NotApplicable},
		{id: "llms-txt", name: "not fetched", want: NotApplicable},
		{id: "agents-md", name: "there", change: agents(200, "text/markdown", "# Agents\n"), want: Passed},
		{id: "agents-md", name: "empty", change: agents(200, "text/plain", " \n"), want: Failed},
		{id: "agents-md", name: "no text", change: agents(200, "text/plain", "\xff\xfe"), want: Failed},
		{id: "agents-md", name: "a page", change: agents(200, "text/html", "<p>Home"), want: NotApplicable},
		{id: "agents-md", name: "missing", change: agents(404, "text/plain", "x"), want: NotApplicable},
		{id: "agents-md", name: "not fetched", want: NotApplicable},
	}, catalogCases(), cardCases(), licenseCases())
}

func catalogCases() []checkCase {
	catalog := func(status int, media, body string) func(*facts) {
		return func(f *facts) { f.site.apiCatalog = present("/.well-known/api-catalog", status, media, body) }
	}
	const linkset, links = "application/linkset+json", `{"linkset":[{"anchor":"https://example.com/api","service-desc":[{"href":"https://example.com/openapi.json"}]}]}`
	return []checkCase{
		{id: "api-catalog", name: "complete", change: catalog(200, linkset+`; profile="https://www.rfc-editor.org/info/rfc9727"`, links), want: Passed, detail: "1 link"},
		{id: "api-catalog", name: "another type", change: catalog(200, "application/json", links), want: Failed, detail: "application/json"},
		{id: "api-catalog", name: "not JSON", change: catalog(200, linkset, links[1:]), want: Failed},
		{id: "api-catalog", name: "no linkset", change: catalog(200, linkset, "{}"), want: Failed},
		{id: "api-catalog", name: "no list", change: catalog(200, linkset, `{"linkset":[{"item":{"href":"/a"}}]}`), want: Failed, detail: `"item" is not a list`},
		{id: "api-catalog", name: "no href", change: catalog(200, linkset, `{"linkset":[{"item":[{}]}]}`), want: Failed, detail: "no href"},
		{id: "api-catalog", name: "no links", change: catalog(200, linkset, `{"linkset":[]}`), want: Failed, detail: "no links"},
		{id: "api-catalog", name: "a page", change: catalog(200, linkset, "<!doctype html>"), want: NotApplicable},
		{id: "api-catalog", name: "missing", change: catalog(404, linkset, links), want: NotApplicable},
		{id: "api-catalog", name: "not fetched", want: NotApplicable},
	}
}

func cardCases() []checkCase {
	card := func(kind, status int, body string) func(*facts) {
		return func(f *facts) {
			f.site.cards = make([]*siteFile, len(cardKinds))
			f.site.cards[kind] = present(cardKinds[kind].path, status, "application/json", body)
		}
	}
	const skill = `{"id":"a","name":"b","description":"c","tags":["d"]}`
	agent := func(skills string) string {
		return `{"name":"Shop","description":"Sells","version":"1","url":"https://example.com/a2a","capabilities":{},"defaultInputModes":["text/plain"],` +
			`"defaultOutputModes":["text/plain"],"skills":[` + skills + `]}`
	}
	cut := func(f *facts) {
		card(1, 200, `{"name":"a"}`)(f)
		f.site.cards[1].whole = false
	}
	return []checkCase{
		{id: "well-known-cards", name: "agent", change: card(0, 200, agent(skill)), want: Passed, detail: "agent card"},
		{id: "well-known-cards", name: "agent with interfaces", change: card(0, 200, strings.Replace(agent(skill), `"url":"https`, `"supportedInterfaces":"https`, 1)), want: Passed},
		{id: "well-known-cards", name: "agent without a version", change: card(0, 200, strings.Replace(agent(skill), "version", "v", 1)), want: Failed, detail: "it lacks version"},
		{id: "well-known-cards", name: "half a skill", change: card(0, 200, agent(`{"id":"a"}`)), want: Failed, detail: "it lacks name, description, tags"},
		{id: "well-known-cards", name: "MCP", change: card(1, 200, `{"serverInfo":{"name":"shop","version":"1"}}`), want: Passed, detail: "MCP server card"},
		{id: "well-known-cards", name: "MCP without a name", change: card(1, 200, `{"version":"1"}`), want: Failed, detail: "name / serverInfo"},
		{id: "well-known-cards", name: "a list", change: card(2, 200, `[]`), want: Failed, detail: "not a JSON object"},
		{id: "well-known-cards", name: "not JSON", change: card(2, 200, `{`), want: Failed, detail: "not JSON"},
		{id: "well-known-cards", name: "too large", change: cut, want: Failed, detail: "256 KiB"},
		{id: "well-known-cards", name: "a page", change: card(0, 200, "<!DOCTYPE html><title>Home</title>"), want: NotApplicable},
		{id: "well-known-cards", name: "missing", change: card(0, 404, "{}"), want: NotApplicable},
		{id: "well-known-cards", name: "not fetched", want: NotApplicable},
	}
}

func licenseCases() []checkCase {
	const (
		named = "License: https://example.com/license.xml\nUser-agent: *\nAllow: /"
		valid = `<?xml version="1.0"?><rsl xmlns="https://rslstandard.org/rsl"><content url="/"><license><permits type="usage">search</permits></license></content></rsl>`
		link  = `<link rel=license type=application/rsl+xml href=/license.xml>`
	)
	file := func(status int, body string) func(*facts) {
		return func(f *facts) { f.site.license = present("/license.xml", status, "application/rsl+xml", body) }
	}
	listed := robotsAnswer(200, named)
	return []checkCase{
		{id: "rsl", name: "in robots.txt", change: all(listed, file(200, valid)), want: Passed},
		{id: "rsl", name: "in another encoding", change: all(listed, file(200, strings.Replace(valid, `"1.0"`, `"1.0" encoding="windows-1252"`, 1)+"<!-- \xe4 -->")), want: Passed},
		{id: "rsl", name: "in the page", html: link, change: file(200, valid), want: Passed},
		{id: "rsl", name: "in a header", change: all(with("Link", `</license.xml>; rel="license"; type="application/rsl+xml"`), file(200, valid)), want: Passed},
		{id: "rsl", name: "inside the page", html: `<script type=application/rsl+xml>` + valid + `</script>`, want: Passed},
		{id: "rsl", name: "broken inside the page", html: `<script type=application/rsl+xml><rsl></script>`, want: Failed},
		{id: "rsl", name: "a license of another kind", html: `<link rel=license href=/license.html>`, want: NotApplicable},
		{id: "rsl", name: "relative in robots.txt", change: robotsAnswer(200, "License: /license.xml"), want: Failed, detail: "not an absolute URL"},
		{id: "rsl", name: "missing", change: all(listed, file(404, "")), want: Failed, detail: "404"},
		{id: "rsl", name: "a page", change: all(listed, file(200, "<!doctype html>")), want: Failed, detail: "HTML"},
		{id: "rsl", name: "not well-formed", change: all(listed, file(200, valid[:len(valid)-3])), want: Failed, detail: "well-formed"},
		{id: "rsl", name: "another root", change: all(listed, file(200, "<license/>")), want: Failed, detail: "root element is license"},
		{id: "rsl", name: "no namespace", change: all(listed, file(200, `<rsl><content url="/"/></rsl>`)), want: Failed, detail: "namespace"},
		{id: "rsl", name: "no content", change: all(listed, file(200, `<rsl xmlns="https://rslstandard.org/rsl"/>`)), want: Failed, detail: "no content"},
		{id: "rsl", name: "content without url", change: all(listed, file(200, `<rsl xmlns="https://rslstandard.org/rsl"><content/></rsl>`)), want: Failed, detail: "no url"},
		{id: "rsl", name: "empty", change: all(listed, file(200, "")), want: Failed, detail: "empty"},
		{id: "rsl", name: "not fetched", change: listed, want: NotApplicable},
		{id: "rsl", name: "none", want: NotApplicable},
	}
}

// TestSiteForAgents holds what a site is asked for on behalf of agents, and what is made of its responses.
func TestSiteForAgents(t *testing.T) {
	var v visits
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		v.note(r)
		switch r.URL.Path {
		case "/":
			switch {
			case strings.Contains(r.UserAgent(), "Claude-User"):
				w.WriteHeader(http.StatusForbidden)
			case strings.HasPrefix(r.Header.Get("Accept"), "text/markdown"):
				w.Header().Set("Content-Type", "text/markdown")
				w.Header().Set("Vary", "Accept")
				w.Write([]byte("# Shop\n"))
			default:
				servePage(w, "")
			}
		case "/robots.txt":
			w.Write([]byte("License: http://" + r.Host + "/license.xml\n"))
		case "/license.xml":
			w.Write([]byte(`<rsl xmlns="https://rslstandard.org/rsl"><content url="/"/></rsl>`))
		case "/AGENTS.md":
			w.Write([]byte("# Agents"))
		case "/.well-known/api-catalog":
			w.Header().Set("Content-Type", "application/linkset+json")
			w.Write([]byte(`{"linkset":[{"item":[{"href":"/api"}]}]}`))
		case "/.well-known/mcp/server-card.json":
			w.Header().Set("Content-Type", "application/json")
			w.Write([]byte(`{"name":"` + strings.Repeat("x", agentFileRead) + `"}`))
		default:
			servePage(w, "Home")
		}
	})
	f := gatherAt(t, newAuditor(t, Options{}), s.URL+"/")
	for _, want := range []struct {
		found  finding
		status Status
		detail string
	}{
		{checkAgentAccess(f), Failed, "turned away: Claude-User gets status 403"},
		{checkMarkdown(f), Passed, "Markdown"},
		{checkRSL(f), Passed, "license"},
		{checkAgentsMD(f), Passed, "8 bytes"},
		{checkAPICatalog(f), Passed, "1 link"},
		{checkCards(f), Failed, "256 KiB"}, // the agent card is a page, and so not there
	} {
		if want.found.status != want.status || !strings.Contains(want.found.detail(), want.detail) {
			t.Errorf("%s: %s, want %s with %q", want.found.status, want.found.detail(), want.status, want.detail)
		}
	}
	host := strings.TrimPrefix(s.URL, "http://")
	for asked, want := range map[string]int{"GET " + host + "/": 5, "GET " + host + "/robots.txt": 1, "GET " + host + "/license.xml": 1} {
		if got := v.of(asked); got != want {
			t.Errorf("%s: %d times, want %d", asked, got, want)
		}
	}
}
