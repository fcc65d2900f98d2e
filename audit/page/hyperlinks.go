package page

import (
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"sitegrade/weburl"
)

// Area is an area element with an href: a link in a part of an image.
type Area struct {
	Element
	URL *weburl.URL
	Alt string // folded
}

// collectAreas gathers the links of image maps.
func collectAreas(d *Document) collector {
	return collector{enter: func(e Element, _ scope) {
		if e.node.DataAtom != atom.Area || e.node.Namespace != "" {
			return
		}
		if href, ok := e.Attribute("href"); ok {
			alt, _ := e.Attribute("alt")
			d.Areas = keep(d.Areas, Area{Element: e, URL: weburl.Resolve(d.Base, href), Alt: Fold(alt)})
		}
	}}
}

// Hyperlink is an a or area element that leads to a URL of the web.
type Hyperlink struct {
	Element
	URL     *weburl.URL
	Text    string // its visible text, else the alt of its first image; "" where it has neither
	Unnamed bool   // assistive technology meets it, and it has no accessible name
}

// Hyperlinks returns what leads to http and https URLs: the a elements in the order of the page, then the areas. The hidden ones are
// among them, since crawlers follow those too.
func (d *Document) Hyperlinks() []Hyperlink {
	unnamed := map[*html.Node]bool{}
	for _, e := range d.ExposedLinks {
		if !e.Named {
			unnamed[e.node] = true
		}
	}
	links := make([]Hyperlink, 0, len(d.Anchors)+len(d.Areas))
	for _, a := range d.Anchors {
		if !a.URL.IsWeb() {
			continue
		}
		text := a.Text
		if text == "" {
			text = altInside(a.node)
		}
		links = append(links, Hyperlink{a.Element, a.URL, text, unnamed[a.node]})
	}
	for _, a := range d.Areas {
		if a.URL.IsWeb() {
			links = append(links, Hyperlink{a.Element, a.URL, a.Alt, unnamed[a.node]})
		}
	}
	return links
}

// altInside returns the folded alt of the first image within an element, "" where it has none.
func altInside(n *html.Node) string {
	for inside := range n.Descendants() {
		if inside.DataAtom == atom.Img {
			alt, _ := attribute(inside, "alt")
			return Fold(alt)
		}
	}
	return ""
}

// Line returns the line of the decoded page in which an element begins, from 1; 0 for one that the parser added.
func (d *Document) Line(e Element) int {
	if e.node == nil {
		return 0
	}
	tag, _ := d.startTag(e)
	return int(tag.line)
}
