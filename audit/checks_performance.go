package audit

import (
	"slices"
	"strings"

	"sitegrade/audit/page"
	"sitegrade/locale"
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
		return fail(nil, "ttfb.slow", locale.Rounded(ms), locale.Count(ttfbWarnMS))
	case ms >= ttfbWarnMS:
		return warn(nil, "ttfb.slow", locale.Rounded(ms), locale.Count(ttfbWarnMS))
	}
	return pass("ttfb.fast", locale.Rounded(ms))
}

func checkLoadTime(f *facts) finding {
	ms := f.timings.Document
	if ms > loadFailMS {
		return fail(nil, "load-time.slow", locale.Rounded(ms), locale.Count(loadFailMS))
	}
	return pass("load-time.fast", locale.Rounded(ms))
}

func checkDocumentSize(f *facts) finding {
	size := f.response.Size
	if size <= documentFailBytes {
		return pass("document-size.small", locale.Bytes(size))
	}
	if size <= documentHighBytes {
		return fail(nil, "document-size.large", locale.Bytes(size), locale.Bytes(documentFailBytes))
	}
	found := fail(nil, "document-size.cut", locale.Bytes(size), locale.Bytes(documentFailBytes))
	found.severity = High
	return found
}

func checkDOMNodes(f *facts) finding {
	if n := f.doc.Elements; n > maxElements {
		return fail(nil, "dom-nodes.many", locale.Count(n), locale.Count(maxElements))
	}
	return pass("dom-nodes.few", locale.Count(f.doc.Elements))
}

func checkDOMDepth(f *facts) finding {
	if f.doc.Depth > maxDepth {
		return fail(nil, "dom-depth.deep", locale.Count(f.doc.Depth), locale.Count(maxDepth))
	}
	return pass("dom-depth.fine", locale.Count(f.doc.Depth))
}

func checkCompression(f *facts) finding {
	r := &f.response
	switch coding := compressionOf(r.Encoding); {
	case coding == "deflate":
		return warn(nil, "compression.deflate")
	case coding != "":
		return pass("compression.found", locale.Text(coding), locale.Bytes(r.Wire), locale.Bytes(r.Size))
	case r.Size < minCompressible:
		return pass("compression.small", locale.Bytes(r.Size))
	}
	return fail(nil, "compression.missing", locale.Bytes(r.Size))
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
		return notApplicable("http-version.no-tls")
	case strings.HasPrefix(proto, "HTTP/1"):
		return fail(nil, "http-version.found", locale.Text(proto))
	}
	return pass("http-version.found", locale.Text(proto))
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
		return notApplicable("common.loads-nothing")
	case len(distinct) > maxLinked:
		return fail(nil, "request-count.many", locale.Count(len(distinct)), locale.Count(maxLinked))
	}
	return pass("request-count.few", locale.Count(len(distinct)))
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
		return notApplicable("render-blocking.no-scripts")
	case blocking.count > 0:
		return fail(blocking.evidence, "render-blocking.blocking", locale.Count(blocking.count))
	}
	return pass("render-blocking.none")
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
		return fail(unsized.evidence, "image-dimensions.missing", locale.Count(unsized.count), locale.Count(images))
	case uncertain > 0:
		return notApplicable("image-dimensions.unknown", locale.Count(uncertain))
	case images == 0:
		return notApplicable("common.no-images")
	}
	return pass("image-dimensions.all", locale.Count(images))
}

func checkImageLazy(f *facts) finding {
	images := slices.DeleteFunc(slices.Clone(f.doc.Images), func(i page.Image) bool { return i.Src == "" && i.Srcset == "" })
	if len(images) <= eagerImages {
		return notApplicable("image-lazy.few", locale.Count(eagerImages))
	}
	var eager tally
	for _, i := range images[eagerImages:] {
		if i.Lazy {
			return pass("image-lazy.lazy", locale.Count(eagerImages))
		}
		eager.addElement(f.doc, i.Element, i.URL)
	}
	return fail(eager.evidence, "image-lazy.eager", locale.Count(len(images)))
}

func checkInlineCSS(f *facts) finding {
	s := f.doc.InlineStyle
	attributes, size := locale.Count(s.Attributes), locale.Bytes(int64(s.Bytes))
	switch {
	case s.Bytes == 0:
		return notApplicable("common.no-inline")
	case s.Attributes > maxStyleAttributes || s.Bytes > maxInlineStyleBytes:
		return fail(nil, "inline-css.much", attributes, size, locale.Count(maxStyleAttributes), locale.Bytes(maxInlineStyleBytes))
	}
	return pass("inline-css.little", attributes, size)
}

func checkIframes(f *facts) finding {
	n := f.doc.Total.Frames
	switch {
	case n == 0:
		return notApplicable("common.no-frames")
	case n > maxFrames:
		var frames tally
		for _, i := range f.doc.Frames {
			frames.addElement(f.doc, i.Element, i.URL)
		}
		return fail(frames.evidence, "iframes.many", locale.Count(n), locale.Count(maxFrames))
	}
	return pass("iframes.few", locale.Count(n))
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
		return notApplicable("third-party-hosts.none")
	case hosts.count > maxThirdPartyHosts:
		return fail(hosts.evidence, "third-party-hosts.many", locale.Count(hosts.count), locale.Count(maxThirdPartyHosts))
	}
	return pass("third-party-hosts.few", locale.Count(hosts.count))
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
		return notApplicable("duplicate-resource.nothing")
	case twice.count > 0:
		return fail(twice.evidence, "duplicate-resource.twice", locale.Count(twice.count))
	}
	return pass("duplicate-resource.once", locale.Count(looked))
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
		return notApplicable("empty-src.nothing")
	case empty.count > 0:
		return fail(empty.evidence, "empty-src.empty", locale.Count(empty.count))
	}
	return pass("empty-src.all")
}
