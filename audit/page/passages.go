package page

import (
	"strings"

	"golang.org/x/net/html/atom"
)

// Passage is a run of visible text between the edges of two blocks, without what is marked as code.
type Passage struct {
	Text    string
	Linked  bool // all of it is in links
	Foreign bool // it has another language than the html element says

	from, to int // where it is in the text of all passages
}

// collectPassages parts the visible text into passages. A change of language within a block ends a passage, too.
func collectPassages(d *Document) collector {
	p := &passages{d: d, current: Passage{Linked: true}}
	p.text.buf = make([]byte, 0, len(d.Source)/4)
	return collector{
		enter: func(e Element, _ scope) { p.edge(e, 1) },
		leave: func(e Element, _ scope) { p.edge(e, -1) },
		text:  p.add,
		finish: func() {
			p.end()
			all := p.text.String()
			for i := range d.Passages {
				passage := &d.Passages[i]
				passage.Text = strings.TrimSpace(all[passage.from:passage.to])
			}
		},
	}
}

// passages builds the passages of a document.
type passages struct {
	d           *Document
	text        visibleText
	current     Passage
	links, code int // how many links and pieces of code are open
}

// edge notes that an element begins (1) or ends (-1).
func (p *passages) edge(e Element, step int) {
	switch e.node.DataAtom {
	case atom.A:
		p.links += step
	case atom.Code, atom.Samp, atom.Kbd, atom.Var, atom.Tt:
		p.code += step
	case atom.Pre, atom.Textarea, atom.Xmp:
		p.code += step
		p.end()
	default:
		if !isInline(e.node.DataAtom) {
			p.end()
		}
	}
}

// add adds a piece of text to the passage.
func (p *passages) add(text string, in scope) {
	if p.code > 0 {
		p.text.space()
		return
	}
	if foreign := in.lang != p.d.Lang && !sameLanguage(in.lang, p.d.Lang); foreign != p.current.Foreign {
		p.end()
		p.current.Foreign = foreign
	}
	if p.text.write(text) && p.links == 0 {
		p.current.Linked = false
	}
}

// end ends the passage, and keeps it if there is anything in it.
func (p *passages) end() {
	if p.current.to = p.text.len(); p.current.to > p.current.from {
		p.d.Passages = keep(p.d.Passages, p.current)
	}
	p.current = Passage{Linked: true, Foreign: p.current.Foreign, from: p.text.len()}
	p.text.space()
}

// sameLanguage reports whether two tags are of the same language, whatever their regions and scripts.
func sameLanguage(a, b string) bool {
	a, _, _ = strings.Cut(strings.TrimSpace(a), "-")
	b, _, _ = strings.Cut(strings.TrimSpace(b), "-")
	return strings.EqualFold(a, b)
}
