package audit

import (
	"slices"
	"strings"

	"sitegrade/audit/page"
)

// performanceChecks are the checks of the section performance that need only the page.
var performanceChecks = []check{
	{
		id: "ttfb", severity: High,
		source: "SEOnaut; Lighthouse server-response-time",
		run:    checkTTFB,
	},
	{
		id: "load-time", severity: Medium,
		source: "common SEO checkers",
		run:    checkLoadTime,
	},
	{
		id: "document-size", severity: Medium,
		source: "Google Search Central",
		run:    checkDocumentSize,
	},
	{
		id: "dom-nodes", severity: Low,
		source: "SEOnaut; Lighthouse dom-size",
		run:    checkDOMNodes,
	},
	{
		id: "dom-depth", severity: Low,
		source: "Yellow Lab Tools",
		run:    checkDOMDepth,
	},
	{
		id: "compression", severity: High,
		source: "Lighthouse uses-text-compression",
		run:    checkCompression,
	},
	{
		id: "http-version", severity: Low,
		source: "Lighthouse modern-http",
		run:    checkHTTPVersion,
	},
	{
		id: "request-count", severity: Medium,
		source: "Yellow Lab Tools",
		run:    checkRequestCount,
	},
	{
		id: "render-blocking", severity: Medium,
		source: "Lighthouse render-blocking-resources",
		run:    checkRenderBlocking,
	},
	{
		id: "image-dimensions", severity: Low,
		source: "Lighthouse unsized-images",
		needs:  needsImageRules,
		run:    checkImageDimensions,
	},
	{
		id: "image-lazy", severity: Info,
		source: "web.dev",
		run:    checkImageLazy,
	},
	{
		id: "inline-css", severity: Low,
		source: "common SEO checkers",
		run:    checkInlineCSS,
	},
	{
		id: "iframes", severity: Low,
		source: "Yellow Lab Tools",
		run:    checkIframes,
	},
	{
		id: "third-party-hosts", severity: Low,
		source: "Yellow Lab Tools",
		run:    checkThirdPartyHosts,
	},
	{
		id: "duplicate-resource", severity: Low,
		source: "Yellow Lab Tools",
		run:    checkDuplicateResource,
	},
	{
		id: "empty-src", severity: Low,
		source: "WHATWG HTML",
		run:    checkEmptySrc,
	},
}

// The thresholds, in the units that their names or comments say.
const (
	ttfbWarnMS          = 600
	ttfbFailMS          = 800
	loadFailMS          = 2000
	documentFailBytes   = 330_000
	documentHighBytes   = 2_000_000 // Googlebot reads no further
	maxElements         = 1500
	maxDepth            = 32
	maxLinked           = 50
	maxFrames           = 4
	maxThirdPartyHosts  = 12
	maxStyleAttributes  = 10
	maxInlineStyleBytes = 50_000
	eagerImages         = 5
	// minCompressible is the size from which compression pays; a smaller response fits in one packet anyway (Lighthouse).
	minCompressible = 1400
)

func checkTTFB(f *facts) finding {
	ms := f.timings.TTFB
	switch {
	case ms > ttfbFailMS:
		return failText(nil, "The first byte came after %.0f ms; up to %d ms is good.", ms, ttfbWarnMS)
	case ms >= ttfbWarnMS:
		return warnText(nil, "The first byte came after %.0f ms; up to %d ms is good.", ms, ttfbWarnMS)
	}
	return passText("The first byte came after %.0f ms.", ms)
}

func checkLoadTime(f *facts) finding {
	ms := f.timings.Document
	if ms > loadFailMS {
		return failText(nil, "The document took %.0f ms to load, redirects included; up to %d ms is good.", ms, loadFailMS)
	}
	return passText("The document took %.0f ms to load, redirects included.", ms)
}

func checkDocumentSize(f *facts) finding {
	size := f.response.Size
	if size <= documentFailBytes {
		return passText("The document is %s uncompressed.", FormatBytes(size))
	}
	found := failText(nil, "The document is %s uncompressed; up to %s is good.", FormatBytes(size), FormatBytes(documentFailBytes))
	if size > documentHighBytes {
		found.severity = High
		found.detail += " Googlebot reads only the first 2 MB."
	}
	return found
}

func checkDOMNodes(f *facts) finding {
	if n := f.doc.Elements; n > maxElements {
		return failText(nil, "The page has %d elements; up to %d is good.", n, maxElements)
	}
	return passText("The page has %s.", plural(f.doc.Elements, "element", "elements"))
}

func checkDOMDepth(f *facts) finding {
	if f.doc.Depth > maxDepth {
		return failText(nil, "Elements are nested %d deep; up to %d is good.", f.doc.Depth, maxDepth)
	}
	return passText("Elements are nested %d deep.", f.doc.Depth)
}

func checkCompression(f *facts) finding {
	r := &f.response
	switch coding := compressionOf(r.Encoding); {
	case coding == "deflate":
		return warnText(nil, "The document came compressed with deflate, which not all browsers read in the same way.")
	case coding != "":
		return passText("The document came compressed with %s: %s instead of %s.", coding, FormatBytes(r.Wire), FormatBytes(r.Size))
	case r.Size < minCompressible:
		return passText("The document is only %s, too small to be worth compressing.", FormatBytes(r.Size))
	}
	return failText(nil, "The document came uncompressed: %s.", FormatBytes(r.Size))
}

// compressionOf returns the coding of a Content-Encoding that compresses, or "".
func compressionOf(encoding string) string {
	for coding := range strings.SplitSeq(strings.ToLower(encoding), ",") {
		switch coding = strings.TrimSpace(coding); coding {
		case "gzip", "x-gzip", "br", "zstd", "deflate":
			return coding
		}
	}
	return ""
}

func checkHTTPVersion(f *facts) finding {
	proto := f.response.Proto
	switch {
	case f.response.TLS == nil:
		return notApplicableText("Browsers use HTTP/2 only over TLS, and the page came without it.")
	case strings.HasPrefix(proto, "HTTP/1"):
		return failText(nil, "The page came over %s.", proto)
	}
	return passText("The page came over %s.", proto)
}

func checkRequestCount(f *facts) finding {
	distinct := map[string]bool{}
	for _, l := range f.linked() {
		if l.url != nil {
			distinct[l.url.WithoutFragment().String()] = true
		}
	}
	switch {
	case len(distinct) == 0:
		return notApplicableText("The page loads nothing.")
	case len(distinct) > maxLinked:
		return failText(nil, "The page loads %d resources; up to %d is good.", len(distinct), maxLinked)
	}
	return passText("The page loads %s.", plural(len(distinct), "resource", "resources"))
}

func checkRenderBlocking(f *facts) finding {
	var blocking tally
	external := 0
	for _, s := range f.doc.Scripts {
		if !s.HasSrc || !isJavaScript(s.MIME) {
			continue
		}
		external++
		if s.InHead && !s.Async && !s.Deferred && !s.Module {
			blocking.addElement(f.doc, s.Element, s.URL)
		}
	}
	switch {
	case external == 0:
		return notApplicableText("The page loads no external scripts.")
	case blocking.count > 0:
		return failText(blocking.evidence, "%s.", counted(blocking.count, "script", "scripts", "is in the head without async, defer or module"))
	}
	return passText("No script in the head blocks rendering.")
}

func checkImageDimensions(f *facts) finding {
	var unsized tally
	images, uncertain := 0, 0
	var rules []sizeRule
	all := true
	if slices.ContainsFunc(f.doc.Images, func(i page.Image) bool { return !i.IsSized() }) {
		rules, all = f.imageRules()
	}
	for _, i := range f.doc.Images {
		if i.Unplaced || i.Src == "" || i.URL != nil && i.URL.Scheme() == "data" {
			continue
		}
		certain, possible := roomBy(rules, i)
		switch {
		case certain.IsSized():
			images++
		case certain.Unplaced:
		case possible.IsSized() || possible.Unplaced || !all:
			uncertain++
		default:
			images++
			unsized.addElement(f.doc, i.Element, i.URL)
		}
	}
	switch {
	case unsized.count > 0:
		return failText(unsized.evidence, "%s.", share(unsized.count, images, "image", "images", "has no width and height"))
	case uncertain > 0:
		return notApplicableText("%s.", counted(uncertain, "image", "images", "has no width and height in the page, and may have them by its stylesheets"))
	case images == 0:
		return notApplicableText("The page has no images.")
	}
	return passText("%s.", every(images, "image", "images", "has a width and a height"))
}

func checkImageLazy(f *facts) finding {
	images := slices.DeleteFunc(slices.Clone(f.doc.Images), func(i page.Image) bool { return i.Src == "" && i.Srcset == "" })
	if len(images) <= eagerImages {
		return notApplicableText("The page has at most %d images.", eagerImages)
	}
	var eager tally
	for _, i := range images[eagerImages:] {
		if i.Lazy {
			return passText("Images beyond the first %d load lazily.", eagerImages)
		}
		eager.addElement(f.doc, i.Element, i.URL)
	}
	return failText(eager.evidence, "All %d images load at once.", len(images))
}

func checkInlineCSS(f *facts) finding {
	s := f.doc.InlineStyle
	detail := "The page has %s and %s of inline style"
	attributes, size := plural(s.Attributes, "style attribute", "style attributes"), FormatBytes(int64(s.Bytes))
	switch {
	case s.Bytes == 0:
		return notApplicableText("The page has no inline style.")
	case s.Attributes > maxStyleAttributes || s.Bytes > maxInlineStyleBytes:
		return failText(nil, detail+"; up to %d and %s is good.", attributes, size, maxStyleAttributes, FormatBytes(maxInlineStyleBytes))
	}
	return passText(detail+".", attributes, size)
}

func checkIframes(f *facts) finding {
	n := f.doc.Total.Frames
	switch {
	case n == 0:
		return notApplicableText("The page has no frames.")
	case n > maxFrames:
		var frames tally
		for _, i := range f.doc.Frames {
			frames.addElement(f.doc, i.Element, i.URL)
		}
		return failText(frames.evidence, "The page has %d frames; up to %d is good.", n, maxFrames)
	}
	return passText("The page has %s.", plural(n, "frame", "frames"))
}

func checkThirdPartyHosts(f *facts) finding {
	var hosts tally
	seen := map[string]bool{}
	own := f.final.Domain()
	for _, l := range f.linked() {
		if l.url == nil || seen[l.url.Host()] {
			continue
		}
		seen[l.url.Host()] = true
		if l.url.Domain() != own {
			hosts.add(Evidence{URL: shownAddress(l.url)})
		}
	}
	switch {
	case hosts.count == 0:
		return notApplicableText("The page loads nothing from third-party hosts.")
	case hosts.count > maxThirdPartyHosts:
		return failText(hosts.evidence, "The page loads resources from %d third-party hosts; up to %d is good.", hosts.count, maxThirdPartyHosts)
	}
	return passText("The page loads resources from %s.", plural(hosts.count, "third-party host", "third-party hosts"))
}

// checkDuplicateResource looks at scripts and stylesheets only: an image that is used twice is loaded once.
func checkDuplicateResource(f *facts) finding {
	var twice tally
	looked := 0
	seen := map[string]bool{}
	for _, l := range f.linked() {
		if l.url == nil || l.kind != linkedScript && l.kind != linkedStylesheet {
			continue
		}
		looked++
		address := l.url.WithoutFragment().String()
		if seen[address] {
			twice.addElement(f.doc, l.Element, l.url)
		}
		seen[address] = true
	}
	switch {
	case looked == 0:
		return notApplicableText("The page loads no external scripts or stylesheets.")
	case twice.count > 0:
		return failText(twice.evidence, "%s.", counted(twice.count, "script or stylesheet", "scripts and stylesheets", "is linked more than once"))
	}
	return passText("%s.", every(looked, "script or stylesheet", "scripts and stylesheets", "is linked once"))
}

// checkEmptySrc looks for attributes that are there but empty, for which browsers may load the page itself again.
func checkEmptySrc(f *facts) finding {
	var empty tally
	looked := 0
	look := func(e page.Element, attr string) {
		value, ok := e.Attribute(attr)
		if !ok {
			return
		}
		looked++
		if strings.TrimSpace(value) == "" {
			empty.addElement(f.doc, e, nil)
		}
	}
	for _, s := range f.doc.Scripts {
		look(s.Element, "src")
	}
	for _, i := range f.doc.Images {
		look(i.Element, "src")
	}
	for _, i := range f.doc.Frames {
		look(i.Element, "src")
	}
	for _, l := range f.doc.Links {
		look(l.Element, "href")
	}
	switch {
	case looked == 0:
		return notApplicableText("The page loads no resources.")
	case empty.count > 0:
		return failText(empty.evidence, "%s.", counted(empty.count, "resource", "resources", "has an empty URL"))
	}
	return passText("Every resource has a URL.")
}
