// Package page reads a page into what is known of it. Parse returns a Document, whose fields are the facts that checks look at, and
// which tells where in the source each element stands. The package knows no checks.
//
// A page is walked over once. To add a kind of fact: give Document a field for it, with a comment that says what it holds and when it
// is empty; write a file with a function that returns its collector; add that function to collectors; and hold it with a test that
// parses a few lines. A collector sees every element with its attributes and its scope (what the ancestors say: language, role, whether
// it is rendered and whether assistive technology meets it), and every text that is rendered. ids.go and landmarks.go are small
// examples. Lists are bounded with keep, since a page may have a million of anything, and have an exact total where one is told.
package page

import (
	"golang.org/x/net/html"

	"sitegrade/weburl"
)

// MaxStored is how many facts of one kind a document keeps: enough for every page that people read, and a bound for the page
// with a million links. The totals go on counting.
const MaxStored = 5000

// Document is what one walk over the parsed page gathered. Addresses are resolved against the base; a nil one could not be.
//
// The page is read as a browser with scripts switched on reads it: what stands in noscript is text that nobody sees. What
// stands in a template is inert and no fact either.
type Document struct {
	root    *html.Node
	Source  []byte      // decoded to UTF-8
	parsed  int         // how many bytes of source the tree is from
	address *weburl.URL // of the page
	Base    *weburl.URL // address, or what base href says

	Doctype   Doctype
	HTML      Element // the html element
	Lang      string  // of the html element, as written
	Titles    []Title
	Headings  []Heading
	Controls  []Control
	Videos    []Video
	Misplaced []Element // metas, titles and links for search engines that landed in body

	Metas       []Meta // of the head, in order; those that landed in body too
	Links       []Link
	Anchors     []Anchor
	Images      []Image
	Scripts     []Script
	Stylesheets []Stylesheet
	Frames      []Frame
	Forms       []Form
	Others      []Embed // video, audio, source, object, embed, track: anything else that is loaded
	JSONLD      []JSONLD
	InlineStyle InlineStyle

	Deprecated   []Element // elements that HTML no longer has
	DuplicateIDs []Element // the second and later elements with an id
	Tabindexes   []Element // with a tabindex above 0
	OutsideLists []Element // li, dt, dd outside their lists
	Itemscopes   int       // elements with itemscope (microdata)
	RDFaElements int       // elements with typeof or vocab (RDFa)
	Mains        int       // main landmarks
	Total        Totals

	Elements int    // number of elements
	Depth    int    // deepest nesting of elements
	Text     string // visible text, white space folded
	Words    int

	ids    map[string]bool       // the first maxIDs that are different
	starts map[string][]startTag // of the source, by name, once evidence was asked for; see document_lines.go
	lower  string                // text in lower case, once it was asked for
}

// Totals are exact, also where only maxStored facts are kept.
type Totals struct {
	Links      int // a elements with an href
	Frames     int
	IDs        int // different ones; up to maxIDs
	Duplicates int // ids used again
	ListItems  int // li, dt, dd that assistive technology meets
	Deprecated int
}

// Element names a node of the page; every fact that can become evidence has one. nth counts the elements of that name before
// it, which is how its place in the source is found.
type Element struct {
	node *html.Node
	nth  int
}

// Exists reports whether this is an element of a page; the zero element is not.
func (e Element) Exists() bool { return e.node != nil }

// Attribute returns the value of an attribute, whose name is given in lower case, and whether the element has it.
func (e Element) Attribute(name string) (string, bool) { return attribute(e.node, name) }

// Doctype is the document type declaration as the parser read it.
type Doctype struct {
	Present              bool
	name, public, system string
	hasSystem            bool
}

type Title struct {
	Element
	Text   string // folded
	InHead bool
}

type Heading struct {
	Element
	Level    int    // of h1 to h6; 0 for an element that is a heading by its role only
	Rank     int    // the level that assistive technology says
	Text     string // visible text, folded
	from, to int    // its text in the visible text
	Named    bool   // has text, or an image or label that stands for it
	refs     string // aria-labelledby
	Hidden   bool   // from assistive technology, or no heading to it
}

// Control is what people fill in or press.
type Control struct {
	Element
	Kind    string // "button", "select", "textarea", or the type of an input
	Named   bool   // has an accessible name
	Ignored bool   // hidden, or of a kind that needs no name
	id      string
	refs    string // aria-labelledby
}

type Video struct {
	Element
	Captions bool
	Muted    bool
}

type Meta struct {
	Element
	Name, Property, HTTPEquiv, Content, Charset string // names in lower case
	InBody                                      bool   // landed in body, where it does not count
}

type Link struct {
	Element
	Rel      []string // lower case
	Href     string   // as written
	HasHref  bool
	URL      *weburl.URL
	Hreflang string
	MIME     string
	InBody   bool
}

type Anchor struct {
	Element
	Href      string
	HasHref   bool
	URL       *weburl.URL
	Rel       []string
	Text      string // visible text, folded
	Named     bool   // has an accessible name
	Hidden    bool   // hidden from everybody
	Unexposed bool   // hidden from assistive technology
	Clickable bool   // has a click handler of its own
	Linkish   bool   // has an attribute that only a link may have, whether or not it has an href
	Target    string
	Role      string
	HasID     bool   // so that links can lead to it
	HasName   bool   // the same, as of old
	Lang      string // of the nearest lang attribute
	refs      string // aria-labelledby
	from, to  int    // its text in the visible text
}

type Image struct {
	Element
	Src                 string
	URL                 *weburl.URL
	Sources             []string // MIME types and srcset of a surrounding picture's sources
	Srcset              string
	Alt                 string
	HasAlt              bool
	Named               bool   // by something else than alt
	refs                string // aria-labelledby
	Hidden              bool   // from assistive technology
	Lazy                bool
	HasWidth, HasHeight bool
	HasRatio            bool // by style
	Unplaced            bool // takes no room in the page: not shown, or placed over it
}

type Script struct {
	Element
	HasSrc    bool
	URL       *weburl.URL
	MIME      string
	Async     bool
	Deferred  bool
	Module    bool
	InHead    bool
	Integrity bool
}

type Stylesheet struct {
	Element
	URL      *weburl.URL
	Disabled bool
}

type Frame struct {
	Element
	Src    string
	URL    *weburl.URL
	Hidden bool // from assistive technology, or out of the reach of the keyboard
	Named  bool
	refs   string // aria-labelledby
}

type Form struct {
	Element
	URL      *weburl.URL // where it posts to; the page itself when no action is given
	Method   string      // lower case
	Password bool        // has a password field
	Detour   *weburl.URL // the first insecure address that a button of it sends to in place of url, or nil
}

type Embed struct {
	Element
	Src string
	URL *weburl.URL
}

type JSONLD struct {
	Element
	Text  string
	Value any   // as encoding/json reads it
	Err   error // why it is no JSON
}

type InlineStyle struct {
	Attributes int // style attributes
	Bytes      int // of style elements and attributes
}
