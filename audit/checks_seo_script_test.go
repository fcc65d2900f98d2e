package audit

import (
	"strings"
	"testing"
)

// reactShell is what a server sends of a page that a script makes.
const reactShell = `<!doctype html><html lang=en><title>Toys of wood</title><body><noscript>You need to enable JavaScript to run this app.</noscript>
	<div id="root"></div><script src=main.js></script>`

func TestScriptChecks(t *testing.T) {
	script := "<script src=main.js></script>"
	runCheckCases(t, seoScript, []checkCase{
		{id: "needs-script", name: "shell", html: reactShell, want: Failed, detail: "0 words of text"},
		{id: "needs-script", name: "loading", html: inBody("<div id=app><div>Loading</div></div>" + script), want: Failed, detail: "1 word of text"},
		{id: "needs-script", name: "own element", html: inBody("<app-root></app-root><script>boot()</script>"), want: Failed},
		{id: "needs-script", name: "asked for", html: inBody("<noscript><b>JavaScript</b> is off</noscript><p>Please wait</p>" + script), want: Failed},
		{id: "needs-script", name: "nothing else", html: inBody(script), want: Failed},
		{id: "needs-script", name: "text in the root", html: inBody("<div id=root><p>Coming soon</p></div>" + script), want: Passed, detail: "2 words"},
		{id: "needs-script", name: "little text", html: inBody("<p>Coming soon</p>" + script), want: Passed},
		{id: "needs-script", name: "much text beside the root", html: inBody("<div id=app></div>" + script + strings.Repeat("word ", 30)), want: Passed},
		{id: "needs-script", name: "an image that counts", html: inBody(`<noscript><img src=/javascript.gif></noscript><p>Hello</p>` + script), want: Passed},
		{id: "needs-script", name: "form", html: inBody("<div id=app></div><input aria-label=Name>" + script), want: Passed},
		{id: "needs-script", name: "picture", html: inBody("<img src=a.png alt=Toys>" + script), want: Passed},
		{id: "needs-script", name: "text enough", html: inBody("<p>" + strings.Repeat("word ", 200) + script), want: NotApplicable},
		{id: "needs-script", name: "text enough beside a root", html: inBody("<div id=app></div><p>" + strings.Repeat("word ", 200) + script), want: Passed},
		{id: "needs-script", name: "no script", html: inBody("<div id=root></div>"), want: NotApplicable},
		{id: "needs-script", name: "data only", html: inBody("<div id=root></div><script type=application/json>{}</script>"), want: NotApplicable},
	}, nil, nil)
}

func TestAPageMadeByScriptIsNotBlamedForItsText(t *testing.T) {
	report := grade(exampleFacts(t, reactShell))
	for _, id := range []string{"h1", "word-count", "text-ratio", "link-count", "landmark-main", "title-words-in-text"} {
		if o := outcomeOf(t, report, id); o.Status != NotApplicable || !strings.Contains(o.Detail, "made by script") {
			t.Errorf("%s: %s, %s", id, o.Status, o.Detail)
		}
	}
	if o := outcomeOf(t, grade(exampleFacts(t, inBody("<h2>Toys</h2>"))), "h1"); o.Status != Failed {
		t.Errorf("h1 of a page with text: %s", o.Status)
	}
}

func TestGatesOfContent(t *testing.T) {
	words := func(n int) string { return "<title>Toys</title>" + strings.Repeat("word ", n) }
	for name, c := range map[string]struct {
		source string
		capped bool
	}{
		"no title":          {strings.Repeat("word ", 15), true},
		"blank title":       {"<title> </title>" + strings.Repeat("word ", 15), true},
		"14 words":          {words(14), true},
		"15 words":          {words(15), false},
		"image":             {words(0) + "<img src=a.png>", false},
		"image of nothing":  {words(0) + "<img>", true},
		"drawing":           {words(0) + "<svg></svg>", false},
		"form":              {words(0) + "<form></form>", false},
		"film":              {words(0) + "<video></video>", false},
		"frame":             {words(0) + "<iframe src=a></iframe>", false},
		"made by script":    {reactShell, true},
		"script, more said": {words(15) + "<div id=app></div><script>boot()</script>", false},
	} {
		limit := 100
		f := exampleFacts(t, c.source)
		for _, entry := range table {
			if found := entry.find(f); found.ceiling != nil {
				limit = min(limit, found.ceiling.limit)
			}
		}
		if want := map[bool]int{true: 49, false: 100}[c.capped]; limit != want {
			t.Errorf("%s: the score may be %d, want %d", name, limit, want)
		}
	}
}
