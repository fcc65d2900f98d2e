package audit

import (
	"strings"
	"testing"
)

// hostilePages are pieces that make a page hard to read when they come again and again.
var hostilePages = map[string]string{
	"links":             "<a href=/>x",
	"unclosed tags":     "<a ",
	"unclosed values":   "<a x='\"",
	"stray brackets":    "<",
	"entities":          "&amp;&#x;&notin",
	"deep":              "<div>",
	"tables":            "<table>",
	"formatting":        "<font>x</p>",
	"foreign":           "<svg><a><title>x</title>",
	"options":           "<select><option>a",
	"titles":            "<title>x</title>",
	"comments":          "<!-->",
	"open comment":      "<!--",
	"scripts":           "<script>",
	"JSON-LD":           `<script type=application/ld+json>{"@type":["Product",[]]}</script>`,
	"deep JSON-LD":      `<script type=application/ld+json>` + strings.Repeat("[", 10_001) + "</script>",
	"canonicals":        "<link rel=canonical href=/a>",
	"alternates":        "<link rel=alternate hreflang=xx href=//>",
	"robots":            "<meta name=robots content='unavailable_after: x, none:'>",
	"refreshes":         "<meta http-equiv=refresh content=9;url=//[>",
	"ids":               "<p id=a aria-labelledby='a b'>",
	"labels":            "<label for=a><input id=a>",
	"headings":          "<h1>x<h3>",
	"hidden":            "<p style='display:none;;;:'>",
	"words":             "word. ",
	"no spaces":         "漢字",
	"joined characters": "<title>\u200d\u0301",
	"doctypes":          "<!DOCTYPE a PUBLIC 'x'>",
	"bytes":             "\x00\xff\xc3",
	"attributes":        "a='x' ", // of one tag, after a start that leaves it open
	"same attribute":    "class=x ",
	"references":        "&#x10ffff;&#0;&#xd800;&NotEqualTilde;",
	"templates":         "<template><template>",
	"noscript":          "<noscript><p>",
	"roles":             "<div role=heading aria-level=99999999999 tabindex=+9999999999 aria-labelledby=x>",
	"lists":             "<li><dd><dt>x",
	"frames":            "<iframe srcdoc='<iframe>' title=' '>",
	"videos":            "<video><track kind=captions></video>",
	"pictures":          "<picture><source srcset='a 1x, , b'><img src=//[ style='width:;aspect-ratio:/'></picture>",
	"forms":             "<form action='//['><input type=password><label for=x>",
	"viewports":         "<meta name=viewport content='width=,maximum-scale=+-.5e9;=;user-scalable'>",
	"charsets":          "<meta charset=x><meta http-equiv=content-type content='charset=\"'>",
	"bases":             "<base href='//['><base href=data:x>",
	"letters of style":  "<p style=\"display:none!important;display:\">",
	"math":              "<math><mi><annotation-xml encoding=text/html><svg>",
	"names with colons": "<x:y id=x:y><a href=:>",
	"ending tags":       "</p></body></html></br>",
}

func TestHostilePages(t *testing.T) {
	const size = 300_000
	for name, piece := range hostilePages {
		source := strings.Repeat(piece, size/len(piece)+1)
		for _, start := range []string{"", "<html lang=en><head>", "<body><main>", "<body><img "} {
			r := grade(benchmarkFacts([]byte(start + source)))
			if len(r.Checks) != len(table) {
				t.Errorf("%s: %d checks", name, len(r.Checks))
			}
			for _, o := range r.Checks {
				holdsOutcome(t, o)
			}
		}
	}
}
