package page

import (
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// maxIDs is how many different ids are remembered, to find those that come again.
const maxIDs = 50_000

// collectIDs remembers the ids of a page, the elements whose id another has already, and the older names of places.
func collectIDs(d *Document) collector {
	d.ids, d.names = map[string]*html.Node{}, map[string]bool{}
	return collector{
		enter: func(e Element, _ scope) {
			if e.node.DataAtom == atom.A && len(d.names) < maxIDs {
				if name, _ := e.Attribute("name"); name != "" {
					d.names[name] = true
				}
			}
			switch id, _ := e.Attribute("id"); {
			case isBlank(id):
			case d.ids[id] != nil:
				d.Total.Duplicates++
				d.DuplicateIDs = keep(d.DuplicateIDs, e)
			case len(d.ids) < maxIDs:
				d.ids[id] = e.node
			}
		},
		finish: func() { d.Total.IDs = len(d.ids) },
	}
}

// HasID reports whether an element of the page has this id. Of a page with more than 50,000 different ids it knows the first ones.
func (d *Document) HasID(id string) bool { return d.ids[id] != nil }

// HasTarget reports whether a fragment without its escapes leads to a place of the page: an element with this id, or an a element with
// this name.
func (d *Document) HasTarget(fragment string) bool {
	return d.ids[fragment] != nil || d.names[fragment]
}

// KnowsTargets reports whether HasTarget knows every place of the page, which it does not of one that is too large.
func (d *Document) KnowsTargets() bool {
	return d.parsed == len(d.Source) && len(d.ids) < maxIDs && len(d.names) < maxIDs
}
