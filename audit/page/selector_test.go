package page

import (
	"strings"
	"testing"

	"golang.org/x/net/html"
)

func TestSelectors(t *testing.T) {
	for _, c := range []struct{ name, html, want string }{
		{"from the body", `<main><ul><li><a>x</a><li><a href=/x id="">y</a></ul></main>`, "body > main > ul > li:nth-of-type(2) > a"},
		{"first of several", `<p><a href=/x>x</a><i></i><a>y</a></p>`, "body > p > a:nth-of-type(1)"},
		{"others between", `<div></div><p></p>text<p><a href=/x>x</a></p>`, "body > p:nth-of-type(2) > a"},
		{"own id", `<a href=/x id=top>x</a>`, "#top"},
		{"id on the way", `<div id=menu-2><b><a href=/x>x</a></b></div>`, "#menu-2 > b > a"},
		{"id used twice", `<div id=menu></div><div id=menu><a href=/x>x</a></div>`, "body > div:nth-of-type(2) > a"},
		{"id used twice among too many to remember", "<div>" + strings.Repeat("<i id=many></i>", MaxStored+2) + "</div><p id=x></p><p id=x><a href=/x>x</a></p>",
			"body > p:nth-of-type(2) > a"},
		{"id that would be escaped", `<div id="a b"><p id=1><a href=/x>x</a></p></div>`, "body > div > p > a"},
		{"name that would be escaped", `<fb:like><a href=/x>x</a></fb:like>`, ""},
		{"in svg", `<svg></svg><svg><a href=/x>x</a></svg>`, "body > svg:nth-of-type(2) > a"},
		{"far down", strings.Repeat("<div>", 60) + `<a href=/x>x</a>`, ""},
		{"among many", strings.Repeat("<a>x</a>", maxSiblings+1) + `<a href=/x>x</a>`, ""},
		{"left out tags", `<table><tr><td><a href=/x>x</a></table>`, "body > table > tbody > tr > td > a"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := read(t, "<!DOCTYPE html><body>"+c.html)
			target := nodeWith(d.root, "href", "/x")
			if got := d.selector(target); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

func TestSelectorOfHead(t *testing.T) {
	d := read(t, "<html><head><meta name=a><meta name=b></head>")
	if got := d.selector(d.Metas[1].node); got != "head > meta:nth-of-type(2)" {
		t.Errorf("%q", got)
	}
	if got := d.selector(d.HTML.node); got != "html" {
		t.Errorf("%q", got)
	}
}

// nodeWith returns the first element below n with this attribute.
func nodeWith(n *html.Node, key, value string) *html.Node {
	for c := range n.Descendants() {
		if got, ok := attribute(c, key); ok && got == value {
			return c
		}
	}
	return nil
}

// TestSelectorsFindOneElement holds that no two elements of a page have the same selector.
func TestSelectorsFindOneElement(t *testing.T) {
	d := read(t, shop(t)+`<p id=twice><b></b><p id=twice><b></b><svg><a/><a/></svg>`)
	matched := map[string][]*html.Node{}
	for n := range d.root.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		selector := d.selector(n)
		matched[selector] = append(matched[selector], n)
		if last := selector[strings.LastIndex(selector, " ")+1:]; !strings.HasPrefix(last, "#") && !strings.HasPrefix(last, n.Data) {
			t.Errorf("%s is the selector of a %s", selector, n.Data)
		}
	}
	for selector, nodes := range matched {
		if len(nodes) > 1 || selector == "" {
			t.Errorf("%q is the selector of %d elements", selector, len(nodes))
		}
	}
}
