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
}

func TestHostilePages(t *testing.T) {
	const size = 300_000
	for name, piece := range hostilePages {
		source := strings.Repeat(piece, size/len(piece)+1)
		for _, start := range []string{"", "<html lang=en><head>", "<body><main>"} {
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
