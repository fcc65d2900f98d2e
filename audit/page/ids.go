package page

import "golang.org/x/net/html"

// maxIDs is how many different ids are remembered, to find those that come again.
const maxIDs = 50_000

// collectIDs remembers the ids of a page, and the elements whose id another has already.
func collectIDs(d *Document) collector {
	d.ids = map[string]*html.Node{}
	return collector{
		enter: func(e Element, _ scope) {
			switch id, _ := e.Attribute("id"); {
			case id == "":
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
