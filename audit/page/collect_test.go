package page

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestCollectors holds what a collector is told, and when.
func TestCollectors(t *testing.T) {
	var told []string
	tell := func(format string, args ...any) { told = append(told, fmt.Sprintf(format, args...)) }
	defer func(before []func(*Document) collector) { collectors = before }(collectors)
	collectors = append(slices.Clone(collectors), func(d *Document) collector {
		return collector{
			enter: func(e Element, in scope) {
				role, _ := e.Attribute("role")
				tell("<%s %q lang=%s role=%s hidden=%v>", e.node.Data, role, in.lang, in.role, in.hidden)
			},
			leave:  func(e Element, in scope) { tell("</%s depth=%d>", e.node.Data, in.depth) },
			text:   func(at span, in scope) { tell("%v lang=%s unexposed=%v", at, in.lang, in.unexposed) },
			finish: func() { tell("finish %q", d.Text) },
		}
	})
	read(t, `<body lang=de><p role=Note>a <b>b</b></p><template><i>no</i></template><div hidden>no</div><svg lang=fr aria-hidden=true><g>c</g></svg>`)
	want := []string{
		`<html "" lang= role= hidden=false>`, `<head "" lang= role= hidden=false>`, `</head depth=2>`, `<body "" lang=de role= hidden=false>`,
		`<p "Note" lang=de role=note hidden=false>`, `{0 1} lang=de unexposed=false`, `<b "" lang=de role= hidden=false>`,
		`{1 3} lang=de unexposed=false`, `</b depth=4>`, `</p depth=3>`, `<div "" lang=de role= hidden=true>`, `</div depth=3>`,
		`<svg "" lang=fr role= hidden=false>`, `<g "" lang=fr role= hidden=false>`, `{3 5} lang=fr unexposed=true`, `</g depth=4>`, `</svg depth=3>`,
		`</body depth=2>`, `</html depth=1>`, `finish "a b c"`,
	}
	if !slices.Equal(told, want) {
		t.Errorf("told\n%s\nwant\n%s", strings.Join(told, "\n"), strings.Join(want, "\n"))
	}
}

func TestFactsOfAttributes(t *testing.T) {
	d := read(t, `<main></main><main role=note></main><div role=Main></div><div hidden><main></main></div>
		<p tabindex=3><p tabindex=0><p tabindex=-1><p tabindex="2x" hidden><p id=a><p id=a><p id=""><p id=b>
		<p itemscope><p typeof=x vocab=y><p vocab=z><svg><a id=c></a><main/></svg>`)
	if d.Mains != 2 || len(d.Tabindexes) != 1 || d.Itemscopes != 1 || d.RDFaElements != 2 {
		t.Errorf("%d mains, %d tabindexes, %d items, %d of RDFa", d.Mains, len(d.Tabindexes), d.Itemscopes, d.RDFaElements)
	}
	if !d.HasID("a") || !d.HasID("b") || !d.HasID("c") || d.HasID("") || d.HasID("d") || d.Total.IDs != 3 || d.Total.Duplicates != 1 || len(d.DuplicateIDs) != 1 {
		t.Errorf("ids %v, total %+v", d.ids, d.Total)
	}
}
