package audit

import (
	"strings"
	"testing"
)

// inBody returns a page with this body.
func inBody(body string) string { return pageOf("", body) }

// english returns a page with this English sentence many times.
func english(sentence string, times int) string {
	return inBody("<p>" + strings.Repeat(sentence+" ", times))
}

func TestTextChecks(t *testing.T) {
	runCheckCases(t, seoText, []checkCase{
		{id: "h1", name: "text", html: inBody("<h1>Toys</h1>"), want: Passed, detail: "Toys"},
		{id: "h1", name: "second has text", html: inBody("<h1></h1><h1>Toys</h1>"), want: Passed},
		{id: "h1", name: "image", html: inBody(`<h1><img alt="Toys"></h1>`), want: Passed},
		{id: "h1", name: "empty", html: inBody(`<h1> <img alt=""></h1>`), want: Failed, detail: "only h1 element has no text"},
		{id: "h1", name: "absent", html: inBody("<h2>Toys</h2>"), want: Failed, detail: "no h1"},
		{id: "h1", name: "by role only", html: inBody("<div role=heading aria-level=1>Toys</div>"), want: Failed, detail: "no h1"},
		{id: "h1", name: "hidden", html: inBody("<h1 hidden>Toys</h1>"), want: Failed},

		{id: "h1-single", name: "one", html: inBody("<h1>Toys</h1><h1></h1>"), want: Passed},
		{id: "h1-single", name: "two", html: inBody("<h1>Toys</h1><h1>Games</h1>"), want: Failed, detail: "2 h1"},
		{id: "h1-single", name: "none", want: NotApplicable},

		{id: "h1-length", name: "70", html: inBody("<h1>" + strings.Repeat("x", 70) + "</h1>"), want: Passed},
		{id: "h1-length", name: "71", html: inBody("<h1>" + strings.Repeat("x", 71) + "</h1>"), want: Failed, detail: "71"},
		{id: "h1-length", name: "none", want: NotApplicable},

		{id: "heading-order", name: "down and up", html: inBody("<h2>a</h2><h3>b</h3><h4>c</h4><h2>d</h2>"), want: Passed},
		{id: "heading-order", name: "skipped", html: inBody("<h1>a</h1><h3>b</h3>"), want: Failed, detail: "1 heading"},
		{id: "heading-order", name: "by role", html: inBody("<h1>a</h1><div role=heading aria-level=3>b</div>"), want: Failed, detail: "1 heading"},
		{id: "heading-order", name: "by role without level", html: inBody("<h1>a</h1><div role=heading>b</div><h3>c</h3>"), want: Passed},
		{id: "heading-order", name: "said level", html: inBody("<h1>a</h1><h4 aria-level=2>b</h4>"), want: Passed},
		{id: "heading-order", name: "no heading by role", html: inBody("<h1>a</h1><h3 role=presentation>b</h3>"), want: Passed},
		{id: "heading-order", name: "skipped while hidden", html: inBody("<h1>a</h1><h3 aria-hidden=true>b</h3>"), want: Passed},
		{id: "heading-order", name: "none", want: NotApplicable},

		{id: "heading-empty", name: "full", html: inBody("<h1>a</h1>"), want: Passed},
		{id: "heading-empty", name: "labelled", html: inBody(`<h2 aria-label="Toys"></h2>`), want: Passed},
		{id: "heading-empty", name: "empty", html: inBody("<h1>a</h1><h2> <span></span></h2>"), want: Failed, detail: "1 of 2 headings"},
		{id: "heading-empty", name: "title", html: inBody(`<h2 title="Toys"></h2>`), want: Passed},
		{id: "heading-empty", name: "reference", html: inBody(`<b id=b>Toys</b><h2 aria-labelledby=b></h2>`), want: Passed},
		{id: "heading-empty", name: "reference to nothing", html: inBody(`<h2 aria-labelledby=b></h2>`), want: Failed},
		{id: "heading-empty", name: "by role", html: inBody(`<div role=heading></div>`), want: Failed},
		{id: "heading-empty", name: "none", want: NotApplicable},

		{id: "word-count", name: "49", html: english("word", 49), want: Failed, severity: High},
		{id: "word-count", name: "50", html: english("word", 50), want: Failed, severity: Medium},
		{id: "word-count", name: "a form", html: inBody("<p>Sign in</p><input aria-label=Name>"), want: Failed, severity: Medium},
		{id: "word-count", name: "199", html: english("word", 199), want: Failed, detail: "199 words"},
		{id: "word-count", name: "200", html: english("word", 200), want: Warning},
		{id: "word-count", name: "499", html: english("word", 499), want: Warning},
		{id: "word-count", name: "500", html: english("word", 500), want: Passed, detail: "500 words"},

		{id: "text-ratio", name: "text", html: english("word", 50), want: Passed},
		{id: "text-ratio", name: "script", html: inBody("text<script>" + strings.Repeat("x", 1000) + "</script>"), want: Failed, detail: "0%"},
		{id: "text-ratio", name: "nothing", want: NotApplicable},

		{id: "readability", name: "easy", html: english("The cat sat on the mat.", 30), want: Passed},
		{id: "readability", name: "hard", html: english("Institutional considerations necessitate interdepartmental communication.", 30), want: Failed},
		{id: "readability", name: "difficult", html: english("The members of the committee considered several proposals before they finally agreed to build the new station there.", 12), want: Warning},
		{id: "readability", name: "list of links", html: inBody(strings.Repeat("<li><a href=a>Institutional considerations.</a>", 100)), want: NotApplicable,
			detail: "running text"},
		{id: "readability", name: "list of words", html: inBody(strings.Repeat("<li>Interdepartmental communication", 100)), want: NotApplicable},
		{id: "readability", name: "German", html: strings.Replace(english("The cat sat on the mat.", 30), `"en"`, `"de"`, 1), want: NotApplicable},
	}, []string{"h1", "word-count"}, nil)
}

func TestVisibleText(t *testing.T) {
	for _, c := range []struct{ name, body, want string }{
		{"white space", "<p> a\n\tb </p>\u00a0c", "a b c"},
		{"inline and block", "a<b>b</b><p>c</p>d<br>e", "ab c d e"},
		{"scripts and styles", "a<script>b</script><style>c</style>", "a"},
		{"noscript", "a<noscript>b <img src=x></noscript>", "a"},
		{"template", "a<template>b</template>", "a"},
		{"hidden", `a<p hidden>b</p><p style="Display : none !important">c</p><p style="visibility:hidden">d`, "a"},
		{"shown", `<p style="display:block">a</p><p aria-hidden="true">b</p>`, "a b"},
		{"comments", "a<!-- b --><!--[if IE]>c<![endif]-->", "a"},
		{"closed dialog", "a<dialog>b</dialog><dialog open>c</dialog>", "a c"},
		{"fallback", "a<video>b</video><canvas>c</canvas><iframe>d</iframe><object>e</object>", "a"},
		{"fields", "<textarea>a</textarea><button>b</button><select><option>c</option></select>", "b c"},
		{"svg", "<svg><title>a</title><desc>b</desc><text>c</text></svg>", "c"},
		{"unclosed", "<div><p>a<p>b<li>c<dd>d", "a b c d"},
	} {
		if got := exampleFacts(t, inBody(c.body)).doc.Text; got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestCountSyllables(t *testing.T) {
	for word, want := range map[string]int{
		"cat": 1, "table": 2, "make": 1, "reading": 2, "communication": 5, "the": 1, "rhythm,": 1, "see": 1, "42": 0, "—": 0, "hmm": 1,
	} {
		if got := countSyllables(word); got != want {
			t.Errorf("countSyllables(%q) = %d, want %d", word, got, want)
		}
	}
}
