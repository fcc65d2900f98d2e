package page

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// rootIDs are the ids that frameworks give the element in which their scripts build the page.
var rootIDs = setOf(`root app __next __nuxt ___gatsby svelte react-root app-root main-app q-app vue-app app-container application mount
	react-app single-spa-application`)

// collectScripted finds what tells that scripts make the content of the page, and counts graphics that are drawn in it.
func collectScripted(d *Document) collector {
	var open []scriptRoot
	content := 0 // elements so far that people read, see or use
	return collector{
		enter: func(e Element, in scope) {
			switch {
			case e.node.DataAtom == atom.Noscript:
				if !d.AsksForScript.Exists() && mentionsScript(textOf(e.node)) {
					d.AsksForScript = e
				}
			case isScriptRoot(e):
				open = append(open, scriptRoot{e.node, content})
			case e.node.DataAtom == atom.Canvas || e.node.DataAtom == atom.Svg:
				d.Total.Graphics++
			case isContent(e.node.DataAtom):
				content++
			}
		},
		leave: func(e Element, in scope) {
			last := len(open) - 1
			if last < 0 || open[last].node != e.node {
				return
			}
			if open[last].content == content {
				d.EmptyRoots = keep(d.EmptyRoots, e)
			}
			open = open[:last]
		},
	}
}

// scriptRoot is an element that scripts may build the page in, and how much content came before it.
type scriptRoot struct {
	node    *html.Node
	content int
}

// isScriptRoot reports whether scripts are likely to build the page in an element: one with such an id, or an element of the site's
// own invention right in the body.
func isScriptRoot(e Element) bool {
	if e.node.DataAtom == 0 && e.node.Namespace == "" && strings.Contains(e.node.Data, "-") {
		return e.node.Parent != nil && e.node.Parent.DataAtom == atom.Body
	}
	id, ok := e.Attribute("id")
	return ok && rootIDs[strings.ToLower(id)] && e.node.DataAtom != atom.Body
}

// isContent reports whether elements of this name are there to be read, seen or used. Plain text is not among them: a root may say
// that the page is loading.
func isContent(a atom.Atom) bool {
	switch a {
	case atom.A, atom.Img, atom.Input, atom.Select, atom.Textarea, atom.Button, atom.Video, atom.Audio, atom.Iframe, atom.Object,
		atom.Embed, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.P, atom.Ul, atom.Ol,
		atom.Table:
		return true
	}
	return false
}

// mentionsScript reports whether the text of a noscript element, without its tags, speaks of JavaScript.
func mentionsScript(source string) bool {
	if !containsFold(source, "javascript") {
		return false
	}
	z := html.NewTokenizer(strings.NewReader(source))
	for {
		switch z.Next() {
		case html.ErrorToken:
			return false
		case html.TextToken:
			if containsFold(string(z.Text()), "javascript") {
				return true
			}
		}
	}
}

func containsFold(s, lower string) bool { return strings.Contains(strings.ToLower(s), lower) }
