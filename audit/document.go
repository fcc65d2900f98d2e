package audit

import (
	"net/url"

	"golang.org/x/net/html"
)

// document is what one walk over the parsed page gathered. Addresses are resolved against the base; a nil one could not be.
type document struct {
	root   *html.Node
	source []byte // decoded to UTF-8
	base   *url.URL

	metas       []meta // of the head, in order
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

	elements int    // number of elements
	depth    int    // deepest nesting of elements
	text     string // visible text, white space folded
	words    int
}

// element names a node of the page; every fact that can become evidence has one.
type element struct{ node *html.Node }

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
	url      *url.URL
	hreflang string
	mime     string
	media    string
	inBody   bool
}

type anchor struct {
	element
	href      string
	hasHref   bool
	url       *url.URL
	rel       []string
	target    string
	text      string // visible text, folded
	name      string // accessible name
	hidden    bool   // hidden from everybody
	clickable bool   // has a click handler of its own
	lang      string // of the nearest lang attribute
}

type image struct {
	element
	src                 string
	url                 *url.URL
	sources             []string // MIME types and srcset of a surrounding picture's sources
	alt                 string
	hasAlt              bool
	hidden              bool // from assistive technology
	lazy                bool
	hasWidth, hasHeight bool
}

type script struct {
	element
	src       string
	hasSrc    bool
	url       *url.URL
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
	url       *url.URL
	media     string
	disabled  bool
	inHead    bool
	integrity bool
}

type frame struct {
	element
	src      string
	url      *url.URL
	title    string
	hasTitle bool
}

type form struct {
	element
	action   string
	url      *url.URL // where it posts to; the page itself when no action is given
	method   string   // lower case
	password bool     // has a password field
}

type embed struct {
	element
	attr string // the attribute that names it
	src  string
	url  *url.URL
}

type jsonLD struct {
	element
	text string
}

type inlineStyle struct {
	attributes int // style attributes
	bytes      int // of style elements and attributes
}
