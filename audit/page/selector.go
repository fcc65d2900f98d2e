package page

import (
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"
)

const (
	// maxSelector is how long a selector may be, in bytes. A longer one helps nobody; there are the snippet and the line.
	maxSelector = 300
	// maxSiblings is how many elements are looked at for one selector.
	maxSiblings = 5000
)

// selector returns a CSS selector that matches this element alone: the path to it from the nearest ancestor with a unique id, or
// from head or body. It is "" if it would be over maxSelector, or if a name in it would have to be escaped.
func (d *Document) selector(n *html.Node) string {
	var parts []string // from the element upwards
	length, looked := 0, 0
	for ; n != nil && n.Type == html.ElementNode; n = n.Parent {
		part, last := d.selectorPart(n, &looked)
		length += len(part) + len(" > ")
		if part == "" || length > maxSelector || looked > maxSiblings {
			return ""
		}
		parts = append(parts, part)
		if last {
			break
		}
	}
	slices.Reverse(parts)
	return strings.Join(parts, " > ")
}

// selectorPart returns what tells an element from its siblings, and whether it tells it from all other elements of the page. It adds
// the number of siblings that it has looked at to looked.
func (d *Document) selectorPart(n *html.Node, looked *int) (part string, last bool) {
	if id, _ := attribute(n, "id"); isPlainName(id) && d.isUniqueID(id) {
		return "#" + id, true
	}
	if !isPlainName(n.Data) {
		return "", true
	}
	if isRoot(n) || n.Parent != nil && isRoot(n.Parent) && (n.Data == "head" || n.Data == "body") {
		return n.Data, true
	}
	before, after := siblingsOfType(n, looked)
	if before == 0 && !after {
		return n.Data, false
	}
	return n.Data + ":nth-of-type(" + strconv.Itoa(before+1) + ")", false
}

func isRoot(n *html.Node) bool { return n.Parent != nil && n.Parent.Type == html.DocumentNode }

// siblingsOfType returns how many elements of the same type come before an element, and whether there is one after it.
func siblingsOfType(n *html.Node, looked *int) (before int, after bool) {
	isSame := func(other *html.Node) bool {
		*looked++
		return other.Type == html.ElementNode && other.Data == n.Data && other.Namespace == n.Namespace
	}
	for s := n.PrevSibling; s != nil && *looked <= maxSiblings; s = s.PrevSibling {
		if isSame(s) {
			before++
		}
	}
	for s := n.NextSibling; s != nil && !after && *looked <= maxSiblings; s = s.NextSibling {
		after = isSame(s)
	}
	return before, after
}

// isUniqueID reports whether only one element has an id. In a page with too many ids to remember, no id counts as unique.
func (d *Document) isUniqueID(id string) bool {
	if d.Total.IDs >= maxIDs || d.Total.Duplicates > len(d.DuplicateIDs) {
		return false
	}
	return !slices.ContainsFunc(d.DuplicateIDs, func(e Element) bool {
		repeated, _ := attribute(e.node, "id")
		return repeated == id
	})
}

// isPlainName reports whether a name needs no escaping in a selector: ASCII letters, digits, - and _, with a letter first.
func isPlainName(name string) bool {
	for i := 0; i < len(name); i++ {
		if c := name[i]; !isAlphanumeric(c) && c != '-' && c != '_' {
			return false
		}
	}
	return name != "" && isLetter(name[0])
}
