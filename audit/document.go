package audit

import (
	"golang.org/x/net/html"

	"sitegrade/weburl"
)

// maxStored is how many facts of one kind a document keeps: enough for every page that people read, and a bound for the page
// with a million links. The totals go on counting.
const maxStored = 5000

// document is what one walk over the parsed page gathered. Addresses are resolved against the base; a nil one could not be.
//
// The page is read as a browser with scripts switched on reads it: what stands in noscript is text that nobody sees. What
// stands in a template is inert and no fact either.
type document struct {
	root    *html.Node
	source  []byte      // decoded to UTF-8
	parsed  int         // how many bytes of source the tree is from
	address *weburl.URL // of the page
	base    *weburl.URL // address, or what base href says

	doctype   doctype
	html      element // the html element
	lang      string  // of the html element, as written
	hasLang   bool
	titles    []title
	headings  []heading
	controls  []control
	videos    []video
	misplaced []element // metas, titles and links for search engines that landed in body

	metas       []meta // of the head, in order; those that landed in body too
	links       []headLink
	anchors     []anchor
	images      []image
	scripts     []script
	stylesheets []stylesheet
	frames      []frame
	forms       []form
	others      []embed // video, audio, source, object, embed, track: anything else that is loaded
	jsonLD      []jsonLD
	inlineStyle inlineStyle

	deprecated     []element // elements that HTML no longer has
	duplicateIDs   []element // the second and later elements with an id
	tabindexes     []element // with a tabindex above 0
	outsideLists   []element // li, dt, dd outside their lists
	itemscopes     int       // elements with itemscope (microdata)
	rdfaProperties int       // elements with typeof or vocab (RDFa)
	mains          int       // main landmarks
	passwords      int       // password fields
	total          totals

	elements int    // number of elements
	depth    int    // deepest nesting of elements
	cut      bool   // too large or nested too deep to be read whole; the totals and elements count all
	text     string // visible text, white space folded
	words    int

	starts map[string][]startTag // of the source, by name, once evidence was asked for; see document_lines.go
	lower  string                // text in lower case, once it was asked for
}

// totals are exact, also where only maxStored facts are kept.
type totals struct {
	links       int // a elements with an href
	images      int
	scripts     int
	stylesheets int
	frames      int
	headings    int
	ids         int // different ones; up to maxIDs
	duplicates  int // ids used again
	listItems   int // li, dt, dd that assistive technology meets
	deprecated  int
}

// element names a node of the page; every fact that can become evidence has one. nth counts the elements of that name before
// it, which is how its place in the source is found.
type element struct {
	node *html.Node
	nth  int
}

// isThere reports whether this is an element of a page; the zero element is not.
func (e element) isThere() bool { return e.node != nil }

// attribute returns the value of an attribute, whose name is given in lower case, and whether the element has it.
func (e element) attribute(name string) (string, bool) { return attribute(e.node, name) }

// doctype is the document type declaration as the parser read it.
type doctype struct {
	present              bool
	name, public, system string
	hasSystem            bool
}

type title struct {
	element
	text   string // folded
	inHead bool
}

type heading struct {
	element
	level    int    // of h1 to h6; 0 for an element that is a heading by its role only
	rank     int    // the level that assistive technology says
	text     string // visible text, folded
	from, to int    // its text in the visible text
	named    bool   // has text, or an image or label that stands for it
	refs     string // aria-labelledby
	hidden   bool   // from assistive technology, or no heading to it
}

// control is what people fill in or press.
type control struct {
	element
	kind    string // "button", "select", "textarea", or the type of an input
	named   bool   // has an accessible name
	ignored bool   // hidden, or of a kind that needs no name
	id      string
	refs    string // aria-labelledby
}

type video struct {
	element
	captions bool
	muted    bool
}

type meta struct {
	element
	name, property, httpEquiv, content, charset string // names in lower case
	inBody                                      bool   // landed in body, where it does not count
}

type headLink struct {
	element
	rel      []string // lower case
	href     string   // as written
	hasHref  bool
	url      *weburl.URL
	hreflang string
	mime     string
	media    string
	sizes    string
	inBody   bool
}

type anchor struct {
	element
	href      string
	hasHref   bool
	url       *weburl.URL
	rel       []string
	text      string // visible text, folded
	named     bool   // has an accessible name
	hidden    bool   // hidden from everybody
	unexposed bool   // hidden from assistive technology
	clickable bool   // has a click handler of its own
	linkish   bool   // has an attribute that only a link may have, whether or not it has an href
	target    string
	role      string
	hasID     bool   // so that links can lead to it
	hasName   bool   // the same, as of old
	lang      string // of the nearest lang attribute
	refs      string // aria-labelledby
	from, to  int    // its text in the visible text
}

type image struct {
	element
	src                 string
	url                 *weburl.URL
	sources             []string // MIME types and srcset of a surrounding picture's sources
	srcset              string
	alt                 string
	hasAlt              bool
	named               bool   // by something else than alt
	refs                string // aria-labelledby
	hidden              bool   // from assistive technology
	lazy                bool
	hasWidth, hasHeight bool
	hasRatio            bool // by style
	unplaced            bool // takes no room in the page: not shown, or placed over it
}

type script struct {
	element
	src       string
	hasSrc    bool
	url       *weburl.URL
	mime      string
	async     bool
	deferred  bool
	module    bool
	inHead    bool
	integrity bool
	size      int // bytes of an inline one
}

type stylesheet struct {
	element
	href      string
	url       *weburl.URL
	media     string
	disabled  bool
	inHead    bool
	integrity bool
}

type frame struct {
	element
	src      string
	url      *weburl.URL
	title    string
	hasTitle bool
	hidden   bool // from assistive technology, or out of the reach of the keyboard
	named    bool
	refs     string // aria-labelledby
}

type form struct {
	element
	action   string
	url      *weburl.URL // where it posts to; the page itself when no action is given
	method   string      // lower case
	password bool        // has a password field
	detour   *weburl.URL // the first insecure address that a button of it sends to in place of url, or nil
}

type embed struct {
	element
	attr string // the attribute that names it
	src  string
	url  *weburl.URL
}

type jsonLD struct {
	element
	text  string
	value any   // as encoding/json reads it
	err   error // why it is no JSON
}

type inlineStyle struct {
	attributes int // style attributes
	bytes      int // of style elements and attributes
}
