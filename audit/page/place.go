package page

import (
	"bytes"
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// MaxSnippet is how many bytes of the page a place shows.
const MaxSnippet = 200

// maxDrift is how many start tags before and after the expected one are compared with an element.
const maxDrift = 200

// maxCompared is the length in bytes up to which a start tag is compared by its attributes. A longer one is taken as it is.
const maxCompared = 4096

// startTag is where a start tag is in the source.
type startTag struct {
	offset, length int32
	line           int32 // 1-based
}

// startTags are the start tags of one name.
type startTags struct{ inOrder []startTag }

// Place is where something is in a page. Empty fields are unknown.
type Place struct {
	Selector string // a CSS selector that finds this element alone
	Snippet  string // the start tag as written and the text after it; at most maxSnippet bytes
	Line     int    // 1-based line of the decoded page
}

// Place returns where an element is. An element that the parser added, and that has no tag in the source, is shown as the
// parser made it, without a line. The place of the zero element is empty.
func (d *Document) Place(e Element) Place {
	if e.node == nil {
		return Place{}
	}
	if tag, ok := d.startTag(e); ok {
		return Place{Selector: d.selector(e.node), Snippet: d.snippet(tag, e.node), Line: int(tag.line)}
	}
	return Place{Selector: d.selector(e.node), Snippet: CutSnippet(renderTag(e.node))}
}

// startTag returns the start tag of an element, and whether there is one. The parser keeps no positions, so the source is scanned again
// when the first place is asked for: the nth element of a name has the nth start tag of that name. Where the parser has dropped or
// repeated elements the numbers drift apart, and the nearest tag with the same attributes is taken.
func (d *Document) startTag(e Element) (startTag, bool) {
	if d.starts == nil {
		d.starts = findStartTags(d.Source[:d.parsed])
	}
	found := d.starts[strings.ToLower(e.node.Data)]
	if found == nil {
		return startTag{}, false
	}
	tags := found.inOrder
	for drift := range maxDrift {
		for _, i := range [2]int{e.nth - drift, e.nth + drift} {
			if i >= 0 && i < len(tags) && d.isTagOf(tags[i], e.node) {
				return tags[i], true
			}
		}
	}
	return startTag{}, false
}

// isTagOf reports whether a start tag has the attributes of an element, in any order: the parser sorts those of a, b, i and the like.
func (d *Document) isTagOf(tag startTag, n *html.Node) bool {
	if tag.length > maxCompared {
		return true
	}
	z := html.NewTokenizer(bytes.NewReader(d.Source[tag.offset : tag.offset+tag.length]))
	z.Next()
	_, more := z.TagName()
	count := 0
	for ; more; count++ {
		var key, value []byte
		key, value, more = z.TagAttr()
		name := localName(string(key), n)
		i := slices.IndexFunc(n.Attr, func(a html.Attribute) bool { return strings.EqualFold(a.Key, name) })
		if i < 0 || n.Attr[i].Val != string(value) {
			return false
		}
	}
	return count == len(n.Attr)
}

// localName returns the name that the parser keeps for an attribute: in SVG and MathML without a prefix such as xlink.
func localName(key string, n *html.Node) string {
	if n.Namespace == "" {
		return key
	}
	if _, local, ok := strings.Cut(key, ":"); ok {
		return local
	}
	return key
}

// findStartTags returns all start tags of a page by name.
func findStartTags(source []byte) map[string]*startTags {
	tags := map[string]*startTags{}
	line, counted := 1, 0
	s := tagScanner{source: source}
	for {
		tag, ok := s.next()
		if !ok {
			return tags
		}
		if tag.closing {
			continue
		}
		line += bytes.Count(source[counted:tag.start], []byte{'\n'})
		counted = tag.start
		named := tags[string(tag.name)]
		if named == nil {
			named = new(startTags)
			tags[string(tag.name)] = named
		}
		named.inOrder = append(named.inOrder, startTag{int32(tag.start), int32(tag.end - tag.start), int32(line)})
	}
}

// snippet returns a start tag as written, with the text right after it if there is any.
func (d *Document) snippet(tag startTag, n *html.Node) string {
	end := int(tag.offset + tag.length)
	if !holdsNothing(n.DataAtom) || n.Data == "title" {
		if next := bytes.IndexByte(d.Source[end:], '<'); next > 0 && !isBlank(string(d.Source[end:end+min(next, MaxSnippet)])) {
			end += next
		}
	}
	return CutSnippet(strings.TrimSpace(string(d.Source[tag.offset:min(end, int(tag.offset)+2*MaxSnippet)])))
}

// CutSnippet returns as much of a text as a place shows: at most maxSnippet bytes, whole characters alone.
func CutSnippet(text string) string {
	return strings.ToValidUTF8(text[:min(len(text), MaxSnippet)], "")
}

// renderTag returns the start tag of an element that has none in the source.
func renderTag(n *html.Node) string {
	var b strings.Builder
	b.WriteString("<" + n.Data)
	for _, a := range n.Attr {
		if b.Len() > MaxSnippet {
			break
		}
		b.WriteString(" " + a.Key + `="` + html.EscapeString(CutSnippet(a.Val)) + `"`)
	}
	b.WriteString(">")
	return b.String()
}
