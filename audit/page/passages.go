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

	at     span   // where it is in the visible text, or what comes after the last code in it
	before []span // what comes before that, between pieces of code
}

// collectPassages parts the visible text into passages. A change of language within a block ends a passage, too.
func collectPassages(d *Document) collector {
	p := &passages{d: d, current: Passage{Linked: true}}
	return collector{
		enter: func(e Element, _ scope) { p.edge(e, 1) },
		leave: func(e Element, _ scope) { p.edge(e, -1) },
		text:  p.add,
		finish: func() {
			p.end()
			for i := range d.Passages {
				d.Passages[i].Text = d.Passages[i].textIn(d.Text)
			}
		},
	}
}

// textIn returns the text of a passage, which is a part of the visible one.
func (p *Passage) textIn(visible string) string {
	last := p.at.in(visible)
	if p.before == nil {
		return last
	}
	var b strings.Builder
	for _, part := range p.before {
		b.WriteString(part.in(visible) + " ")
	}
	return b.String() + last
}

// passages builds the passages of a document.
type passages struct {
	d           *Document
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
func (p *passages) add(at span, in scope) {
	if p.code > 0 {
		return
	}
	if foreign := in.lang != p.d.Lang && !sameLanguage(in.lang, p.d.Lang); foreign != p.current.Foreign {
		p.end()
		p.current.Foreign = foreign
	}
	switch current := &p.current; {
	case current.isEmpty():
		current.at = at
	case current.at.to == at.from:
		current.at.to = at.to
	default: // code is between them
		current.before = append(current.before, current.at)
		current.at = at
	}
	if p.links == 0 {
		p.current.Linked = false
	}
}

func (p *Passage) isEmpty() bool { return p.at.to == 0 }

// end ends the passage, and keeps it if there is anything in it.
func (p *passages) end() {
	if p.current.isEmpty() {
		return
	}
	p.d.Passages = keep(p.d.Passages, p.current)
	p.current = Passage{Linked: true, Foreign: p.current.Foreign}
}

// sameLanguage reports whether two tags are of the same language, whatever their regions and scripts.
func sameLanguage(a, b string) bool {
	a, _, _ = strings.Cut(strings.TrimSpace(a), "-")
	b, _, _ = strings.Cut(strings.TrimSpace(b), "-")
	return strings.EqualFold(a, b)
}
