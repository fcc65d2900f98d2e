package audit

import (
	"strconv"
	"strings"

	"sitegrade/audit/header"
	"sitegrade/audit/page"
)

// htmlDocument are the checks of what a document declares and how it is built.
var htmlDocument = []check{
	{
		id: "doctype", severity: Medium,
		source: "Lighthouse doctype; WHATWG HTML, quirks mode",
		run:    checkDoctype,
	},
	{
		id: "charset", severity: Medium,
		source: "Lighthouse charset",
		run:    checkCharset,
	},
	{
		id: "viewport", severity: High,
		source: "Lighthouse viewport",
		run:    checkViewport,
	},
	{
		id: "viewport-zoom", severity: Low,
		source: "Lighthouse meta-viewport",
		run:    checkViewportZoom,
	},
	{
		id: "deprecated-html", severity: Low,
		source: "WHATWG HTML, obsolete features",
		run:    checkDeprecated,
	},
	{
		id: "head-elements", severity: Medium,
		source: "SEOnaut; Screaming Frog",
		run:    checkHeadElements,
	},
	{
		id: "duplicate-id", severity: Low,
		source: "SEOnaut; WHATWG HTML",
		run:    checkDuplicateID,
	},
	{
		id: "mime-type", severity: Medium,
		source: "SEOnaut; webhint",
		run:    checkMIMEType,
	},
}

func checkDoctype(f *facts) finding {
	t := f.doc.Doctype
	switch {
	case !t.Present:
		return failText(nil, "The page has no doctype, so browsers render it in quirks mode.")
	case t.IsQuirks():
		return failText([]Evidence{{Snippet: page.CutSnippet(t.String()), Line: 1}}, "The doctype puts browsers into quirks mode.")
	case t.IsLimitedQuirks():
		return failText([]Evidence{{Snippet: page.CutSnippet(t.String()), Line: 1}}, "The doctype puts browsers into limited quirks mode.")
	}
	return passText("The doctype is %s.", quote(t.String()))
}

func checkCharset(f *facts) finding {
	if name := page.CharsetOfType(f.response.Header.Get("Content-Type")); name != "" {
		return passText("The Content-Type header says %s.", quote(name))
	}
	start := f.response.Body
	if len(start) == 0 {
		start = f.doc.Source
	}
	if name := page.MarkedEncoding(start); name != "" {
		return passText("A byte order mark says %s.", name)
	}
	if name := page.Prescan(start); name != "" {
		return passText("A meta element or XML declaration says %s.", quote(name))
	}
	return failText(nil, "Neither the Content-Type header nor the first %d bytes of the page declare an encoding.", page.PrescanSize)
}

// widestPhone is how wide the screens of phones are at most, in CSS pixels. They shrink a page with a wider viewport.
const widestPhone = 500

func checkViewport(f *facts) finding {
	m, ok := f.doc.Viewport()
	if !ok {
		return failText(nil, "The page sets no viewport, so phones show it as a shrunken desktop page.")
	}
	properties := viewportProperties(m.Content)
	scale, hasScale := properties["initial-scale"]
	if n, err := strconv.ParseFloat(scale, 64); err == nil && n < 1 {
		return failText([]Evidence{evidenceOf(f.doc, m.Element)}, "The viewport shrinks the page to %s of its size.", scale)
	}
	if width := viewportNumber(properties["width"]); width > widestPhone {
		return failText([]Evidence{evidenceOf(f.doc, m.Element)}, "The viewport is %.0f pixels wide on every screen, so phones shrink it.", width)
	}
	if properties["width"] == "" && !hasScale {
		return failText([]Evidence{evidenceOf(f.doc, m.Element)}, "The viewport sets neither width nor initial-scale.")
	}
	return passText("The viewport is %s.", quote(page.Fold(m.Content)))
}

const (
	leastZoom  = 2 // times that people must be able to zoom in (WCAG 1.4.4)
	enoughZoom = 5
)

func checkViewportZoom(f *facts) finding {
	m, ok := f.doc.Viewport()
	if !ok {
		return notApplicableText("The page sets no viewport.")
	}
	properties := viewportProperties(m.Content)
	shown := []Evidence{evidenceOf(f.doc, m.Element)}
	if scalable := properties["user-scalable"]; forbidsZoom(scalable) {
		return failText(shown, "The viewport sets user-scalable=%s.", scalable)
	}
	maximum := properties["maximum-scale"]
	scale := viewportNumber(maximum)
	switch {
	case maximum == "" || scale < 0 || scale >= enoughZoom:
		return passText("People can zoom freely.")
	case scale < leastZoom:
		return failText(shown, "The viewport sets maximum-scale=%s, so that people cannot zoom in to twice the size.", maximum)
	}
	return warnText(shown, "The viewport sets maximum-scale=%s; at least %d lets people zoom in far enough.", maximum, enoughZoom)
}

func checkDeprecated(f *facts) finding {
	if n := f.doc.Total.Deprecated; n > 0 {
		return failText(evidenceOfAll(f.doc, f.doc.Deprecated), "The page has %s.", plural(n, "obsolete element", "obsolete elements"))
	}
	return passText("The page has no obsolete elements.")
}

func checkHeadElements(f *facts) finding {
	if ender, ok := f.doc.HeadEnder(); ok {
		return failText([]Evidence{evidenceAt(ender)}, "An element that does not belong in the head ends it early, so what follows counts as body.")
	}
	if n := len(f.doc.Misplaced); n > 0 {
		return failText(evidenceOfAll(f.doc, f.doc.Misplaced), "%s.",
			counted(n, "head element", "head elements", "is in the body, where search engines ignore metadata"))
	}
	return passText("The head contains only what belongs there.")
}

func checkDuplicateID(f *facts) finding {
	switch n := f.doc.Total.Duplicates; {
	case f.doc.Total.IDs == 0:
		return notApplicableText("The page has no ids.")
	case n > 0:
		return failText(evidenceOfAll(f.doc, f.doc.DuplicateIDs), "%s.", counted(n, "element", "elements", "uses an id that another element has"))
	}
	return passText("%s.", every(f.doc.Total.IDs, "id", "ids", "is unique"))
}

func checkMIMEType(f *facts) finding {
	lines := f.response.Header.Values("Content-Type")
	written := strings.Join(lines, ", ")
	switch kind, _ := header.ContentType(lines); {
	case written == "":
		return failText(nil, "The response has no Content-Type.")
	case kind == "text/html" || kind == "application/xhtml+xml":
		return passText("The Content-Type is %s.", quote(written))
	case kind == "":
		return failText(nil, "Browsers cannot read the Content-Type %s.", quote(written))
	}
	return failText(nil, "The Content-Type is %s, but the content is HTML.", quote(written))
}
