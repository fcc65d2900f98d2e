package audit

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzDocument reads whatever comes as a page and runs every check over it: each must end, with an outcome that keeps its
// promises, and the same one again.
func FuzzDocument(f *testing.F) {
	f.Add(shopPage(1))
	f.Add("<title>a<meta name=robots content='unavailable_after:'><base href='//['><a href='http://['>")
	f.Add("<svg><title><a xlink:href=x><math><annotation-xml encoding=text/html><p>")
	f.Add("<select><option><table><b><p><td><i></b></p><template></table><frameset>")
	f.Add("<script type=application/ld+json>[{\"@type\":[1,null,{}],\"@graph\":{\"@graph\":[]}}]")
	f.Add("<meta http-equiv=refresh content='.;url='><link rel=alternate hreflang=--- href=>")
	f.Add(strings.Repeat("<b id=a>", 600) + "<p>x")
	f.Fuzz(func(t *testing.T, source string) {
		r := grade(benchmarkFacts([]byte(source)))
		again := grade(benchmarkFacts([]byte(source)))
		for i, o := range r.Checks {
			holdsOutcome(t, o)
			if !utf8.ValidString(o.Detail) || o.Detail != again.Checks[i].Detail {
				t.Errorf("%s: %q, then %q", o.ID, o.Detail, again.Checks[i].Detail)
			}
			for j, e := range o.Evidence {
				if !utf8.ValidString(e.Snippet) || e != again.Checks[i].Evidence[j] {
					t.Errorf("%s: evidence %+v", o.ID, e)
				}
			}
		}
	})
}
