// Package page reads a page into what is known of it. Parse returns a Document, whose fields are the facts that checks look at and
// which tells where in the source each element is. The package knows nothing of checks.
//
// A page is walked over once. To add a kind of fact:
//
//   - give Document a field for it, with a comment that says what it holds and when it is empty;
//   - write a file with a function that returns its collector, and add the function to the list in collect.go;
//   - write a test that parses a few lines and looks at the field.
//
// A collector sees each element with its attributes and its scope (what its ancestors say: the language, whether it is rendered,
// whether assistive technology can reach it), and each text that is rendered. ids.go and landmarks.go are small examples. A page may
// have a million of anything, so lists are appended to with keep, and have an exact total where a check tells one.
package page

import (
	"golang.org/x/net/html"

	"sitegrade/weburl"
)

// MaxStored is how many facts of one kind a document keeps: enough for every page that people read, and a bound for the page
// with a million links. Totals go on counting.
const MaxStored = 5000

// Document is what is known of a page. It is read as a browser with scripts turned on reads it: nobody sees what is inside noscript.
// What is inside a template is inert, and appears nowhere in a document.
//
// Lists are in the order of the page and hold at most MaxStored entries. URLs are resolved against Base; a nil one could not be
// resolved, or the attribute is missing. Text is folded as by Fold. A Document is not safe for concurrent use.
type Document struct {
	Source []byte      // the page in UTF-8, without a byte order mark
	Base   *weburl.URL // what relative URLs start from: the URL of the page, or what a base element says

	Doctype Doctype
	HTML    Element // the html element; the parser adds one where the page has none
	Lang    string  // the lang attribute of the html element, as written; "" when it is missing
	Titles  []Title // title elements in head and body, without those inside SVG
	Metas   []Meta
	Links   []Link

	Headings []Heading
	Anchors  []Anchor
	Areas    []Area
	Images   []Image
	Forms    []Form
	Videos   []Video

	ExposedLinks  []Exposed
	Buttons       []Exposed // but for those whose text is the browser's own
	Fields        []Exposed // what people fill in, tick or choose from
	ExposedImages []Exposed // img elements, objects that show media, and what has the role of an image

	Scripts     []Script // all but JSON-LD
	Stylesheets []Stylesheet
	Frames      []Frame
	Embeds      []Embed
	JSONLD      []JSONLD
	Items       []*Item  // of all structured data: those of JSON-LD, of microdata, and of RDFa
	Styles      []string // the content of style elements
	InlineStyle InlineStyle

	EmptyRoots    []Element // elements that scripts usually build a page in, without content
	AsksForScript Element   // the first noscript whose text speaks of JavaScript

	Misplaced    []Element // titles, metas and links for search engines that are in the body
	Deprecated   []Element // elements that are obsolete in HTML
	DuplicateIDs []Element // elements with an id that an earlier element has
	Tabindexes   []Element // elements with a tabindex above 0
	OutsideLists []Element // li, dt and dd elements outside a list
	MixedLists   []Element // ul, ol and dl elements with something between their items, or dl elements without pairs
	Itemscopes   int       // elements with itemscope (microdata)
	RDFaElements int       // elements with typeof or vocab (RDFa)
	Mains        int       // main landmarks
	Total        Totals

	Elements int    // number of elements
	Depth    int    // the deepest nesting of elements; the html element has depth 1
	Text     string // the visible text of the page
	Passages []Passage
	Words    int // words of Text

	root    *html.Node
	parsed  int         // how many bytes of Source the tree is made of
	address *weburl.URL // of the page

	ids    map[string]*html.Node // the first maxIDs different ones
	names  map[string]bool       // likewise, the names of a elements
	starts map[string]*startTags // start tags of the source by name, once a place was asked for
	lower  string                // Text in lower case, once it was asked for
}

// Totals count what the lists of a document may hold only the beginning of.
type Totals struct {
	Links      int // a elements with an href
	Frames     int
	IDs        int // different ids; at most 50,000 are told apart
	Duplicates int // elements with an id that an earlier element has
	ListItems  int // li, dt and dd elements that assistive technology can reach
	Lists      int // ul, ol and dl elements that assistive technology can reach as lists
	Tabindexes int // elements with a tabindex that assistive technology can reach
	Deprecated int
	Graphics   int // svg and canvas elements
}

// Element is an element of a page. Each fact that has a place in the page embeds one. The zero Element is no element.
type Element struct {
	node *html.Node
	nth  int // how many elements of the same name come before it, which is how its place in the source is found
}

// Exists reports whether this is an element of a page. The zero Element is not.
func (e Element) Exists() bool { return e.node != nil }

// Attribute returns the value of an attribute, whose name is given in lower case, and whether the element has it.
func (e Element) Attribute(name string) (string, bool) { return attribute(e.node, name) }

// Doctype is the document type declaration.
type Doctype struct {
	Present              bool
	name, public, system string
	hasSystem            bool
}

// Title is a title element.
type Title struct {
	Element
	Text   string
	InHead bool
}

// Heading is an element h1 to h6, or one with the role heading.
type Heading struct {
	Element
	Level  int    // 1 to 6 for h1 to h6; 0 for an element that is a heading only by its role
	Rank   int    // the level that assistive technology announces: Level, or aria-level
	Text   string // its visible text
	Named  bool   // has text, or an image or label that stands for it
	Hidden bool   // assistive technology cannot reach it, or it has the role of something else
	at     span   // where its text is in the visible text of the page

	unexposed bool // assistive technology cannot reach it
}

// Video is a video element.
type Video struct {
	Element
	Captions bool // has a track of captions
	Muted    bool // without sound that people can turn on, or assistive technology cannot reach it
}

// Meta is a meta element. Attributes that it does not have are "".
type Meta struct {
	Element
	Name, Property, HTTPEquiv string // in lower case
	Content, Charset          string // as written
	InBody                    bool   // it is in the body, where most metas do not count
}

// Link is a link element. Attributes that it does not have are "".
type Link struct {
	Element
	Rel      []string // the relations, in lower case
	Href     string   // as written
	HasHref  bool
	URL      *weburl.URL
	Hreflang string // as written
	MIME     string // the type, in lower case
	InBody   bool
}

// Anchor is an a element of HTML or SVG. Attributes that it does not have are "".
type Anchor struct {
	Element
	Href      string // as written
	HasHref   bool
	URL       *weburl.URL
	Rel       []string // the relations, in lower case
	Role      string   // as written
	Lang      string   // of the nearest element with a lang attribute, as written
	Text      string   // its visible text
	Hidden    bool     // nobody can see it
	Unexposed bool     // assistive technology cannot reach it
	Clickable bool     // has an onclick
	Linkish   bool     // has an attribute that makes sense on links alone, with or without an href
	HasID     bool     // links can lead to it
	HasName   bool     // the same by the older attribute
	at        span     // where its text is in the visible text of the page
}

// Image is an img element. Attributes that it does not have are "".
type Image struct {
	Element
	Src     string // as written
	URL     *weburl.URL
	Srcset  string   // as written
	Sources []string // type and srcset of each source of the picture around it, in turn
	Alt     string   // as written
	HasAlt  bool
	Lazy    bool // loading=lazy
	Room         // by attribute or style; an image that is not rendered takes none
}

// Room is what is known of the room that an image takes in the page before it is loaded.
type Room struct {
	HasWidth, HasHeight, HasRatio bool
	Unplaced                      bool // it takes none, since it is positioned over the page
}

// Script is a script element that is not JSON-LD.
type Script struct {
	Element
	HasSrc    bool
	URL       *weburl.URL
	MIME      string // the type, in lower case; "" when it is missing
	Async     bool
	Deferred  bool
	Module    bool
	InHead    bool
	Integrity bool // has an integrity attribute with a hash that browsers know
}

// Stylesheet is a link to a stylesheet.
type Stylesheet struct {
	Element
	URL      *weburl.URL
	Disabled bool // disabled, or an alternate that people have to choose
}

// Frame is an iframe or frame element.
type Frame struct {
	Element
	Src    string // as written; "" when it is missing
	URL    *weburl.URL
	Named  bool // has an accessible name
	Hidden bool // assistive technology or the keyboard cannot reach it
}

// Form is a form element.
type Form struct {
	Element
	URL      *weburl.URL // where it sends its data: the page itself without an action
	Method   string      // in lower case; "get" when it is missing
	Password bool        // has a password field
	Detour   *weburl.URL // the first insecure URL that one of its buttons sends the data to instead; nil when there is none
}

// Embed is anything else that is loaded into the page: video, audio, source, track, embed, object.
type Embed struct {
	Element
	Src string // as written
	URL *weburl.URL
}

// JSONLD is a block of JSON-LD.
type JSONLD struct {
	Element
	Err error // why it could not be decoded

	value any // what it says, as of decodeJSON
}

// IsEmpty reports whether a block has no object, so that it describes nothing.
func (b JSONLD) IsEmpty() bool { return len(objectsOf(b.value)) == 0 }

// InlineStyle is the style in the page itself.
type InlineStyle struct {
	Attributes int // style attributes
	Bytes      int // of style elements and style attributes
}
