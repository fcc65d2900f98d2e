package page

import (
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// collectLists finds list items outside lists, and lists with something between their items, among what assistive technology meets.
func collectLists(d *Document) collector {
	return collector{enter: func(e Element, in scope) {
		if in.unexposed {
			return
		}
		switch e.node.DataAtom {
		case atom.Li, atom.Dt, atom.Dd:
			d.Total.ListItems++
			if !isInList(e.node) {
				d.OutsideLists = keep(d.OutsideLists, e)
			}
		case atom.Ul, atom.Ol:
			if !hasText(e.node, "role") {
				d.Total.Lists++
				if !hasOnlyItems(e.node) {
					d.MixedLists = keep(d.MixedLists, e)
				}
			}
		case atom.Dl:
			if !hasText(e.node, "role") {
				d.Total.Lists++
				if !hasOnlyTerms(e.node) || isOutOfOrder(e.node) {
					d.MixedLists = keep(d.MixedLists, e)
				}
			}
		}
	}}
}

// isInList reports whether an li, dt or dd element is inside the right list. An element can be a list by its role, and a list element
// with another role is not a list. An item with a role of its own is not judged.
func isInList(n *html.Node) bool {
	parent := n.Parent
	if hasText(n, "role") || parent == nil {
		return true
	}
	role := roleOf(parent)
	if n.DataAtom == atom.Li {
		switch role {
		case "list", "none":
			return true
		case "":
			return parent.DataAtom == atom.Ul || parent.DataAtom == atom.Ol || parent.DataAtom == atom.Menu
		}
		return false
	}
	if parent.DataAtom == atom.Div && (role == "" || role == "none") && parent.Parent != nil {
		parent = parent.Parent
		role = roleOf(parent)
	}
	return parent.DataAtom == atom.Dl && (role == "" || role == "none" || role == "list")
}

// roleOf returns the role that an element is given, as explicitRole does.
func roleOf(n *html.Node) string {
	role, given := attribute(n, "role")
	if !given {
		return ""
	}
	return explicitRole(n, role)
}

// hasOnlyItems reports whether a ul or ol contains nothing but items that people meet. An li with a role of its own is not judged.
func hasOnlyItems(list *html.Node) bool {
	for c := list.FirstChild; c != nil; c = c.NextSibling {
		if isMet(c) && c.DataAtom != atom.Li && roleOf(c) != "listitem" {
			return false
		}
	}
	return true
}

// hasOnlyTerms reports whether a dl, or a group of it, contains nothing but terms, what is said of them, and groups of both.
func hasOnlyTerms(list *html.Node) bool {
	for c := list.FirstChild; c != nil; c = c.NextSibling {
		if !isMet(c) || c.DataAtom == atom.Dt || c.DataAtom == atom.Dd {
			continue
		}
		switch role := roleOf(c); {
		case role == "term" || role == "definition" || role == "listitem":
		case c.DataAtom == atom.Div && role == "" && list.DataAtom == atom.Dl && hasOnlyTerms(c):
		default:
			return false
		}
	}
	return true
}

// isOutOfOrder reports whether a dl has terms or descriptions of its own, and nowhere a description after a term.
func isOutOfOrder(list *html.Node) bool {
	termed, described := false, false
	for c := list.FirstChild; c != nil; c = c.NextSibling {
		switch {
		case c.DataAtom == atom.Dt:
			termed = true
		case c.DataAtom == atom.Dd && termed:
			return false
		case c.DataAtom == atom.Dd:
			described = true
		}
	}
	return termed || described
}

// isMet reports whether people meet a node: text, or an element that is neither hidden nor without anything to show.
func isMet(n *html.Node) bool {
	switch n.Type {
	case html.TextNode:
		return !isBlank(n.Data)
	case html.ElementNode:
		return !isHidden(n) && !isUnrendered(n)
	}
	return false
}

// isUnrendered reports whether browsers never show an element (HTML, "hidden elements").
func isUnrendered(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Area, atom.Base, atom.Datalist, atom.Link, atom.Meta, atom.Noembed, atom.Noframes, atom.Noscript, atom.Param, atom.Rp,
		atom.Script, atom.Source, atom.Style, atom.Template, atom.Title, atom.Track:
		return true
	case atom.Input:
		return inputKind(n) == "hidden"
	}
	return false
}
