package audit

import (
	"strings"
	"testing"
)

func TestPlaceholderChecks(t *testing.T) {
	var cases []checkCase
	add := func(want Status, sources ...string) {
		for _, source := range sources {
			cases = append(cases, checkCase{id: "placeholder-text", name: source, html: source, want: want})
		}
	}
	add(Passed, "<p>Toys", "<title>Toys</title>", "<pre>Hello {{name}}</pre>", "<p>Write <code>${name}</code>, <kbd>{% if x %}</kbd> or <samp>[Your name]</samp>",
		"<p>It costs $5 {or more}", "<p>Growth of 5% in NAME%", "<p>Set %PATH%, %TEMP% and ${REMOTE_ADDR}", "<p>[your], [1] and [citation needed]", "<p>{{}} { {a} }",
		"<title>Document control</title>", "<h2>Document</h2>", "<p>Untitled document", "<script>var s = '{{name}}'</script><p>Toys")
	add(Failed, "<p>Lorem <b>ipsum</b> dolor", "<title>{{title}}</title>", "<h1>Hello, {{ user.name | upper }}!</h1>", "<p>Dear {{{name}}}", "<p>Hello ${name}",
		"<li>{% include 'header.html' %}", "<p><%= page.title %></p>", "<title>%%title%% %%sep%% %%sitename%%</title>", "<p>Welcome to %COMPANY_NAME%",
		"<p>Call [Your Phone Number]", "<h2>[Insert heading]</h2>", "<p>© [Company Name]", "<title>Untitled Document</title>", "<title>Vite App</title>",
		"<title>Document</title>", "<title>Unbenanntes Dokument</title>", "<h1>Untitled Document</h1>")
	add(NotApplicable, "")
	cases = append(cases,
		checkCase{id: "placeholder-text", name: "title", html: "<title>{{title}}</title>", want: Failed, severity: High},
		checkCase{id: "placeholder-text", name: "most of the text", html: strings.Repeat("<p>{{a}}", 5), want: Failed, severity: High},
		checkCase{id: "placeholder-text", name: "a part of the text", html: strings.Repeat("<p>{{a}}<p>b<p>c", 5), want: Failed, severity: Medium})
	cases = append(cases, checkCase{id: "placeholder-text", name: "count", html: "<p>{{a}}<p>{{b}}", want: Failed, detail: "2 pieces of text have a placeholder"})
	runCheckCases(t, seoPlaceholder, cases, nil, nil)
}
