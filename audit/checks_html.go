package audit

import (
	"strconv"
	"strings"

	"sitegrade/audit/header"
	"sitegrade/audit/page"
	"sitegrade/locale"
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
		return fail(nil, "doctype.missing")
	case t.IsQuirks():
		return fail([]Evidence{{Snippet: page.CutSnippet(t.String()), Line: 1}}, "doctype.quirks")
	case t.IsLimitedQuirks():
		return fail([]Evidence{{Snippet: page.CutSnippet(t.String()), Line: 1}}, "doctype.limited-quirks")
	}
	return pass("doctype.found", locale.Quoted(t.String()))
}

func checkCharset(f *facts) finding {
	if name := page.CharsetOfType(f.response.Header.Get("Content-Type")); name != "" {
		return pass("charset.header", locale.Quoted(name))
	}
	start := f.response.Body
	if len(start) == 0 {
		start = f.doc.Source
	}
	if name := page.MarkedEncoding(start); name != "" {
		return pass("charset.mark", locale.Text(name))
	}
	if name := page.Prescan(start); name != "" {
		return pass("charset.meta", locale.Quoted(name))
	}
	return fail(nil, "charset.missing", locale.Count(page.PrescanSize))
}

// widestPhone is how wide the screens of phones are at most, in CSS pixels. They shrink a page with a wider viewport.
const widestPhone = 500

func checkViewport(f *facts) finding {
	m, ok := f.doc.Viewport()
	if !ok {
		return fail(nil, "viewport.missing")
	}
	properties := viewportProperties(m.Content)
	scale, hasScale := properties["initial-scale"]
	if n, err := strconv.ParseFloat(scale, 64); err == nil && n < 1 {
		return fail([]Evidence{evidenceOf(f.doc, m.Element)}, "viewport.shrinks", locale.Text(scale))
	}
	if width := viewportNumber(properties["width"]); width > widestPhone {
		return fail([]Evidence{evidenceOf(f.doc, m.Element)}, "viewport.wide", locale.Rounded(width))
	}
	if properties["width"] == "" && !hasScale {
		return fail([]Evidence{evidenceOf(f.doc, m.Element)}, "viewport.unset")
	}
	return pass("viewport.found", locale.Quoted(page.Fold(m.Content)))
}

const (
	leastZoom  = 2 // times that people must be able to zoom in (WCAG 1.4.4)
	enoughZoom = 5
)

func checkViewportZoom(f *facts) finding {
	m, ok := f.doc.Viewport()
	if !ok {
		return notApplicable("common.no-viewport")
	}
	properties := viewportProperties(m.Content)
	shown := []Evidence{evidenceOf(f.doc, m.Element)}
	if scalable := properties["user-scalable"]; forbidsZoom(scalable) {
		return fail(shown, "viewport-zoom.forbidden", locale.Text(scalable))
	}
	maximum := properties["maximum-scale"]
	scale := viewportNumber(maximum)
	switch {
	case maximum == "" || scale < 0 || scale >= enoughZoom:
		return pass("viewport-zoom.free")
	case scale < leastZoom:
		return fail(shown, "viewport-zoom.least", locale.Text(maximum))
	}
	return warn(shown, "viewport-zoom.more", locale.Text(maximum), locale.Count(enoughZoom))
}

func checkDeprecated(f *facts) finding {
	if n := f.doc.Total.Deprecated; n > 0 {
		return fail(evidenceOfAll(f.doc, f.doc.Deprecated), "deprecated-html.found", locale.Count(n))
	}
	return pass("deprecated-html.none")
}

func checkHeadElements(f *facts) finding {
	if ender, ok := f.doc.HeadEnder(); ok {
		return fail([]Evidence{evidenceAt(ender)}, "head-elements.early")
	}
	if n := len(f.doc.Misplaced); n > 0 {
		return fail(evidenceOfAll(f.doc, f.doc.Misplaced), "head-elements.misplaced", locale.Count(n))
	}
	return pass("head-elements.clean")
}

func checkDuplicateID(f *facts) finding {
	switch n := f.doc.Total.Duplicates; {
	case f.doc.Total.IDs == 0:
		return notApplicable("duplicate-id.no-ids")
	case n > 0:
		return fail(evidenceOfAll(f.doc, f.doc.DuplicateIDs), "duplicate-id.duplicate", locale.Count(n))
	}
	return pass("duplicate-id.unique", locale.Count(f.doc.Total.IDs))
}

func checkMIMEType(f *facts) finding {
	lines := f.response.Header.Values("Content-Type")
	written := strings.Join(lines, ", ")
	switch kind, _ := header.ContentType(lines); {
	case written == "":
		return fail(nil, "mime-type.missing")
	case kind == "text/html" || kind == "application/xhtml+xml":
		return pass("mime-type.found", locale.Quoted(written))
	case kind == "":
		return fail(nil, "mime-type.unreadable", locale.Quoted(written))
	}
	return fail(nil, "mime-type.other", locale.Quoted(written))
}
