package audit

import (
	"runtime"
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

// TestHostilePagesLeaveMemory holds what the facts of a page of the largest size keep beyond the page itself, for those pieces that
// keep the most.
func TestHostilePagesLeaveMemory(t *testing.T) {
	const size, most = 10 << 20, 64 << 20
	for _, name := range []string{"alternates", "links", "viewports", "canonicals", "robots", "bytes", "ids"} {
		piece := hostilePages[name]
		source := []byte("<body>" + strings.Repeat(piece, size/len(piece)))
		before := heapInUse()
		f := benchmarkFacts(source)
		report := grade(f)
		if kept := heapInUse() - before; kept > most {
			t.Errorf("%s: %d bytes", name, kept)
		}
		runtime.KeepAlive(source)
		runtime.KeepAlive(f)
		runtime.KeepAlive(report)
	}
}

// heapInUse gives the bytes of everything that is still needed.
func heapInUse() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
