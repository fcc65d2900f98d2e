package page

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// roles are the roles that an element may be given (WAI-ARIA 1.2, Graphics-ARIA, DPub-ARIA). Browsers pass over any other word.
var roles = setOf(`alert alertdialog application article banner blockquote button caption cell checkbox code columnheader combobox
	complementary contentinfo definition deletion dialog directory document emphasis feed figure form generic grid gridcell group heading
	img image insertion link list listbox listitem log main mark marquee math menu menubar menuitem menuitemcheckbox menuitemradio meter
	navigation none note option paragraph presentation progressbar radio radiogroup region row rowgroup rowheader scrollbar search
	searchbox separator slider spinbutton status strong subscript suggestion superscript switch tab table tablist tabpanel term textbox
	time timer toolbar tooltip tree treegrid treeitem
	graphics-document graphics-object graphics-symbol
	doc-abstract doc-acknowledgments doc-afterword doc-appendix doc-backlink doc-biblioentry doc-bibliography doc-biblioref doc-chapter
	doc-colophon doc-conclusion doc-cover doc-credit doc-credits doc-dedication doc-endnote doc-endnotes doc-epigraph doc-epilogue
	doc-errata doc-example doc-footnote doc-foreword doc-glossary doc-glossref doc-index doc-introduction doc-noteref doc-notice
	doc-pagebreak doc-pagefooter doc-pageheader doc-pagelist doc-part doc-preface doc-prologue doc-pullquote doc-qna doc-subtitle
	doc-tip doc-toc`)

// globalARIA are the attributes that make browsers overlook role="none": who describes an element wants it met (WAI-ARIA 1.2, 5.4
// and 7.4, "Presentational Roles Conflict Resolution"). aria-hidden is not among them, since it says the same as the role.
var globalARIA = setOf(`aria-atomic aria-braillelabel aria-brailleroledescription aria-busy aria-controls aria-current aria-describedby
	aria-description aria-details aria-dropeffect aria-flowto aria-grabbed aria-keyshortcuts aria-label aria-labelledby aria-live
	aria-owns aria-relevant aria-roledescription`)

func setOf(words string) map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(words) {
		set[word] = true
	}
	return set
}

// explicitRole returns the role that a role attribute gives an element: the first word that is a role, in lower case. It is "" when
// there is not one, and when browsers overlook "none" or "presentation" because people can focus the element or it is described.
func explicitRole(n *html.Node, attribute string) string {
	for word := range strings.FieldsSeq(attribute) {
		role := strings.ToLower(word)
		switch {
		case !roles[role]:
			continue
		case role != "none" && role != "presentation":
			return role
		case isFocusable(n) || isDescribed(n):
			return ""
		}
		return "none"
	}
	return ""
}

func isDescribed(n *html.Node) bool {
	for _, a := range n.Attr {
		if globalARIA[a.Key] && !isBlank(a.Val) {
			return true
		}
	}
	return false
}

// isFocusable reports whether people can bring the focus to an element, by the keyboard or by a script.
func isFocusable(n *html.Node) bool {
	_, disabled := attribute(n, "disabled")
	switch n.DataAtom {
	case atom.Button, atom.Select, atom.Textarea:
		return !disabled
	case atom.Input:
		kind, _ := attribute(n, "type")
		return !disabled && !strings.EqualFold(kind, "hidden")
	case atom.A, atom.Area:
		if _, ok := attribute(n, "href"); ok {
			return true
		}
	case atom.Iframe:
		return false // what is in it takes the focus
	case atom.Summary:
		return n.Parent != nil && n.Parent.DataAtom == atom.Details
	}
	tabindex, _ := attribute(n, "tabindex")
	_, ok := leadingInteger(tabindex)
	return ok
}

// isNamedByContent reports whether the content of an element with this role is its name where nothing else names it (WAI-ARIA 1.2,
// 5.2.8.6).
func isNamedByContent(role string) bool {
	switch role {
	case "button", "cell", "checkbox", "columnheader", "gridcell", "heading", "link", "menuitem", "menuitemcheckbox", "menuitemradio",
		"option", "radio", "row", "rowheader", "switch", "tab", "tooltip", "treeitem", "doc-backlink", "doc-biblioref", "doc-glossref",
		"doc-noteref":
		return true
	}
	return false
}
