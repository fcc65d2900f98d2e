package notify

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"sitegrade/fetch"
)

// hostile are texts that a page may have as its title, and what no format may send as it stands.
var hostile = []string{
	"<!channel> <!here> <@U012AB3CD> <https://evil.example|Sign in>",
	"@everyone @here <@123456789> <@&42> <#7> <:blob:1>",
	"[Sign in](javascript:alert(1)) ![x](https://evil.example/x.png) [x]: https://evil.example",
	"<script>alert(1)</script><img src=x onerror=alert(1)>\"'><a href='javascript:1'>",
	"A title\r\nBcc: victim@example.com\r\n\r\nA body\r\n.\r\nMAIL FROM:<x@y.z>",
	"invoice\u202Efdp.exe \u2066x\u2069 \u200B\uFEFF\u2028second\u2029third\u0085fourth",
	"# big\n> quote\n- item\n1. one\n**bold** _it_ ~~no~~ ||spoiler|| ```code``` `x`",
	"NUL \x00 ESC \x1b[31m BEL \a DEL \x7f bad UTF-8 \xff\xfe",
	"{{DATE(2026-11-21,SHORT)}} ${expression} <at>Everyone</at>",
	strings.Repeat("long & <wide> ", 1000), strings.Repeat("😀", 5000), strings.Repeat("*", 10_000), strings.Repeat(`"\`, 5000), strings.Repeat("界", 9000),
}

// hostileMessage has a text wherever a page may have put it.
func hostileMessage(text string) Message {
	m := regressed()
	m.Summary.Title, m.Summary.Text, m.Summary.URL = text, text, "https://example.com/"+text
	m.Summary.Facts = slices.Repeat([]Fact{{text, text}}, 40)
	m.Summary.Problems = slices.Repeat([]string{text}, 40)
	return m
}

// arrived returns what a format sends of a message, as a receiver reads it, and checks that each of its strings is harmless anywhere: one
// line, or several that we began, valid, and without what hides or turns text.
func arrived(t *testing.T, format Format, m Message) (target string, body []byte, texts []string) {
	t.Helper()
	r := receive(t, nil)
	deliver(t, newSender(t, fetch.Options{}, nil), Target{URL: r.URL + "/base/topic?auth=1", Format: format}, m, noon)
	d := r.only(t)
	var all any
	if err := json.Unmarshal(d.body, &all); err != nil {
		t.Fatalf("%v: %s", err, d.body)
	}
	texts = stringsIn(all)
	for _, s := range texts {
		if strings.ContainsFunc(s, func(r rune) bool { return r != '\n' && unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) }) {
			t.Errorf("%s sends %q", format, s)
		}
	}
	return d.target, d.body, texts
}

// stringsIn returns every string of a JSON value, not the names.
func stringsIn(v any) []string {
	var found []string
	switch v := v.(type) {
	case string:
		return []string{v}
	case []any:
		for _, item := range v {
			found = append(found, stringsIn(item)...)
		}
	case map[string]any:
		for _, item := range v {
			found = append(found, stringsIn(item)...)
		}
	}
	return found
}

// has reports that some of the texts hold each of the parts.
func has(t *testing.T, texts []string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(strings.Join(texts, "\n"), part) {
			t.Errorf("%q is not in %q", part, texts)
		}
	}
}

var slackMarkup = regexp.MustCompile(`<[^>]*>`)

func TestSlack(t *testing.T) {
	_, _, texts := arrived(t, Slack, regressed())
	has(t, texts, "example.com got worse", "82 → 63", "https://example.com/a?b=1&amp;c=2", "Problems: 7", "• No title\n• No HTTPS", "<https://grade.example/r/1|Open the report>")
	for _, text := range hostile {
		_, body, texts := arrived(t, Slack, hostileMessage(text))
		for _, s := range texts {
			for _, markup := range slackMarkup.FindAllString(s, -1) {
				if markup != "<https://grade.example/r/1|Open the report>" {
					t.Errorf("%.40q became %q", text, markup)
				}
			}
			if strings.Contains(s, "<") != strings.Contains(s, "|Open") || length(s) > slackSection {
				t.Errorf("%.40q became %.80q, %d units", text, s, length(s))
			}
		}
		var message slackMessage
		if err := json.Unmarshal(body, &message); err != nil {
			t.Fatal(err)
		}
		checkSlackBlocks(t, message)
	}
}

// checkSlackBlocks holds Slack's limits, and that nothing but our link is in mrkdwn.
func checkSlackBlocks(t *testing.T, message slackMessage) {
	t.Helper()
	if message.Mrkdwn || message.UnfurlLinks {
		t.Error("the text of notifications is read as mrkdwn, or its links are fetched")
	}
	for i, b := range message.Blocks {
		if len(b.Fields) > 10 || b.Text == nil && len(b.Fields) == 0 || b.Type == "header" && length(b.Text.Text) > 150 {
			t.Errorf("block %d is %+v", i, b)
		}
		if b.Text != nil && b.Text.Type == "mrkdwn" && i != len(message.Blocks)-1 {
			t.Errorf("block %d is mrkdwn: %q", i, b.Text.Text)
		}
	}
}

func TestDiscord(t *testing.T) {
	_, body, texts := arrived(t, Discord, regressed())
	has(t, texts, `example.com got worse`, "82 → 63", "https://example.com/a?b=1&c=2", "Problems", "7", "• No title\n• No HTTPS", "https://grade.example/r/1")
	has(t, []string{string(body)}, `"allowed_mentions":{"parse":[]}`, fmt.Sprintf(`"color":%d`, badColor))
	special := regexp.MustCompile(`(\\.)|[*_~|<>@\[\]()#:+-]|` + "`")
	for _, text := range hostile {
		_, body, _ := arrived(t, Discord, hostileMessage(text))
		var message discordMessage
		if err := json.Unmarshal(body, &message); err != nil {
			t.Fatal(err)
		}
		e := message.Embeds[0]
		total := length(e.Title) + length(e.Description) + length(e.Author.Name)
		marked := []string{e.Title, e.Description}
		for _, f := range e.Fields {
			total += length(f.Name) + length(f.Value)
			marked = append(marked, f.Name, f.Value)
			if length(f.Name) > 256 || length(f.Value) > 1024 || f.Name == "" || f.Value == "" {
				t.Errorf("a field is %+v", f)
			}
		}
		if length(e.Title) > 256 || length(e.Description) > 4096 || len(e.Fields) > 25 || total > 6000 || length(e.Author.Name) > 256 {
			t.Errorf("%.40q becomes an embed of %d units", text, total)
		}
		for _, s := range marked {
			for _, m := range special.FindAllString(s, -1) {
				if m[0] != '\\' {
					t.Errorf("%.40q leaves %q in %.80q", text, m, s)
				}
			}
		}
	}
}

func TestTeams(t *testing.T) {
	_, body, texts := arrived(t, Teams, regressed())
	has(t, texts, "example.com got worse", "82 → 63", "https://example.com/a?b=1&c=2", "Problems: ", "7", "• No title", "Open the report", "https://grade.example/r/1")
	has(t, []string{string(body)}, `{"type":"message","attachments":[{"contentType":"application/vnd.microsoft.card.adaptive","contentUrl":null,"content":{`)
	for _, text := range hostile {
		_, body, texts := arrived(t, Teams, hostileMessage(text))
		if len(body) > 28_000 {
			t.Errorf("%.40q becomes %d bytes", text, len(body))
		}
		for _, s := range texts {
			if strings.Contains(s, "{{") || strings.Contains(s, "${") || strings.Contains(s, "<at") || s == "TextBlock" {
				t.Errorf("%.40q becomes %q", text, s)
			}
		}
	}
}

func TestNtfy(t *testing.T) {
	target, body, _ := arrived(t, Ntfy, regressed())
	const want = `{"topic":"topic","title":"example.com got worse","message":"Two checks broke.\nhttps://example.com/a?b=1&c=2\n82 → 63\nProblems: 7\n• No title\n• No HTTPS",` +
		`"tags":["warning"],"priority":4,"click":"https://grade.example/r/1"}` + "\n"
	if target != "/base/?auth=1" || string(body) != want {
		t.Errorf("%s %s", target, body)
	}
	for _, text := range hostile {
		_, body, _ := arrived(t, Ntfy, hostileMessage(text))
		var message ntfyMessage
		if err := json.Unmarshal(body, &message); err != nil {
			t.Fatal(err)
		}
		if message.Topic != "topic" || message.Click != "https://grade.example/r/1" || len(message.Message) > maxNtfy || strings.Contains(message.Title, "\n") {
			t.Errorf("%.40q becomes %+v", text, message)
		}
	}
}

// Good news look like it.
func TestGoodNews(t *testing.T) {
	m := regressed()
	m.Summary.Good = true
	for format, sign := range map[Format]string{Discord: fmt.Sprint(goodColor), Teams: `"good"`, Ntfy: "white_check_mark"} {
		if _, body, _ := arrived(t, format, m); !strings.Contains(string(body), sign) {
			t.Errorf("%s: %s", format, body)
		}
	}
}

// A summary that says next to nothing is a message all the same, in every format.
func TestEmptySummary(t *testing.T) {
	for _, format := range []Format{Slack, Discord, Teams, Ntfy} {
		_, _, texts := arrived(t, format, Message{
			ID: "m", Type: "webhook.test", Time: noon, Summary: Summary{Facts: []Fact{{"\n", "x"}, {"x", ""}}, Problems: []string{"\x00"}},
		})
		has(t, texts, "webhook.test")
		if slices.Contains(texts, "") && format != Ntfy {
			t.Errorf("%s sends an empty text: %q", format, texts)
		}
	}
}

var linked = regexp.MustCompile(`"(?:url|click)":"([^"]*)"|<([^>|]*)\|`)

// What leads nowhere good is shown, at most, but not linked.
func TestBadLinks(t *testing.T) {
	for link, want := range map[string]string{
		"https://a.example/?x|y>z":   "https://a.example/?x|y%3Ez",
		"javascript:alert(1)":        "",
		"https://me:x@evil.example/": "",
		"data:text/html,x":           "",
		"//evil.example/":            "",
		"https://a.example/\r\nx: y": "",
	} {
		m := regressed()
		m.Summary.Link, m.Summary.URL = link, link
		for _, format := range []Format{Slack, Discord, Teams, Ntfy} {
			_, body, _ := arrived(t, format, m)
			found := linked.FindAllStringSubmatch(string(body), -1)
			if (len(found) == 0) != (want == "") {
				t.Errorf("%s links %q: %s", format, link, body)
			}
			for _, f := range found {
				if got := strings.ReplaceAll(f[1]+f[2], "%7C", "|"); got != want {
					t.Errorf("%s links %q as %q", format, link, got)
				}
			}
		}
	}
}

func TestFit(t *testing.T) {
	stars := func(r rune) string {
		if r == '*' {
			return `\*`
		}
		return string(r)
	}
	for _, c := range []struct {
		in    string
		limit int
		want  string
	}{
		{"", 3, ""}, {"abc", 3, "abc"}, {"abcd", 3, "ab…"}, {"a*", 3, `a\*`}, {"a*b", 3, "a…"}, {"***", 4, `\*…`}, {"😀😀", 4, "😀😀"}, {"😀😀😀", 4, "😀…"}, {"ab😀", 3, "ab…"},
	} {
		if got := fit(c.in, c.limit, stars); got != c.want {
			t.Errorf("fit(%q, %d) is %q, want %q", c.in, c.limit, got, c.want)
		}
	}
}
