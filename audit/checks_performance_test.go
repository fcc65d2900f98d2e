package audit

import (
	"strings"
	"testing"
)

func TestPerformanceChecks(t *testing.T) {
	runCheckCases(t, performanceChecks, performanceCases(), []string{
		"ttfb", "load-time", "document-size", "dom-nodes", "dom-depth", "compression", "request-count", "inline-css", "third-party-hosts",
	}, nil)
}

func performanceCases() []checkCase {
	size := func(n int64) func(*facts) { return func(f *facts) { f.response.Size, f.response.Wire = n, n } }
	coded := func(encoding string) func(*facts) {
		return func(f *facts) { f.response.Encoding, f.response.Size, f.response.Wire = encoding, 9000, 3000 }
	}
	ttfb := func(ms float64) func(*facts) { return func(f *facts) { f.timings.TTFB = ms } }
	document := func(ms float64) func(*facts) { return func(f *facts) { f.timings.Document = ms } }
	images := func(n int, attributes string) string { return strings.Repeat("<img src=a.png "+attributes+">", n) }
	return []checkCase{
		{id: "ttfb", name: "fast", change: ttfb(599), want: Passed, detail: "599 ms"},
		{id: "ttfb", name: "600", change: ttfb(600), want: Warning},
		{id: "ttfb", name: "800", change: ttfb(800), want: Warning},
		{id: "ttfb", name: "slow", change: ttfb(801), want: Failed},
		{id: "load-time", name: "two seconds", change: document(2000), want: Passed},
		{id: "load-time", name: "slow", change: document(2001), want: Failed},
		{id: "document-size", name: "at the limit", change: size(330_000), want: Passed},
		{id: "document-size", name: "over", change: size(330_001), want: Failed, severity: Medium},
		{id: "document-size", name: "where Googlebot stops", change: size(2_000_001), want: Failed, severity: High, detail: "2.0 MB"},
		{id: "dom-nodes", name: "few", html: "<p>a", want: Passed},
		{id: "dom-nodes", name: "many", html: strings.Repeat("<p>a</p>", 1500), want: Failed},
		{id: "dom-depth", name: "flat", html: "<p>a", want: Passed},
		{id: "dom-depth", name: "deep", html: strings.Repeat("<div>", 40), want: Failed},
		{id: "compression", name: "brotli", change: coded("br"), want: Passed, detail: "br: 3.0 kB instead of 9.0 kB"},
		{id: "compression", name: "zstd after another", change: coded("identity, zstd"), want: Passed},
		{id: "compression", name: "small", change: size(1399), want: Passed},
		{id: "compression", name: "none", change: size(1400), want: Failed},
		{id: "compression", name: "identity", change: coded("identity"), want: Failed},
		{id: "compression", name: "deflate", change: coded("deflate"), want: Warning},
		{id: "http-version", name: "2", want: Passed},
		{id: "http-version", name: "1.1", change: func(f *facts) { f.response.Proto = "HTTP/1.1" }, want: Failed},
		{id: "http-version", name: "no TLS", change: at("http://example.com/"), want: NotApplicable},
		{id: "request-count", name: "one image many times", html: images(60, ""), want: Passed, detail: "1 resource"},
		{id: "request-count", name: "51", html: manyScripts("https://example.com/", 51), want: Failed, detail: "51 resources"},
		{id: "request-count", name: "data addresses", html: strings.Repeat(`<img src="data:image/gif;base64,AA">`, 60), want: NotApplicable},
		{id: "render-blocking", name: "blocking", html: "<head><script src=a.js></script>", want: Failed},
		{id: "render-blocking", name: "async, defer, module, body",
			html: `<head><script async src=a.js></script><script defer src=b.js></script><script type=module src=c.js></script>
				<script type=text/template src=d></script></head><body><script src=e.js></script>`, want: Passed},
		{id: "render-blocking", name: "inline only", html: "<head><script>x()</script>", want: NotApplicable},
		{id: "image-dimensions", name: "attributes", html: images(2, "width=1 height=1"), want: Passed},
		{id: "image-dimensions", name: "aspect-ratio", html: images(1, `style="aspect-ratio: 1" height=1`), want: Passed},
		{id: "image-dimensions", name: "aspect-ratio alone", html: images(1, `style="aspect-ratio: 1"`), want: Failed},
		{id: "image-dimensions", name: "no numbers", html: images(1, "width=auto height=+9"), want: Failed},
		{id: "image-dimensions", name: "by style", html: images(1, `height=9 style="WIDTH: 50%!important"`), want: Passed},
		{id: "image-dimensions", name: "style of nothing", html: images(1, `style="width:auto;height:inherit"`), want: Failed},
		{id: "image-dimensions", name: "takes no room", html: images(1, "hidden") + images(1, `style="position:absolute"`), want: NotApplicable},
		{id: "image-dimensions", name: "width alone", html: images(2, "width=1"), want: Failed, detail: "2 of 2 images"},
		{id: "image-dimensions", name: "by a style element", html: "<style>img{width:9px;height:9px}</style>" + images(2, ""), want: Passed},
		{id: "image-dimensions", name: "by a stylesheet", html: "<link rel=stylesheet href=/a.css>" + images(2, "class=hero"), want: Passed,
			change: fetchedSheet(".hero{width:100%;aspect-ratio:2}")},
		{id: "image-dimensions", name: "not by the stylesheet", html: "<link rel=stylesheet href=/a.css>" + images(2, ""), want: Failed,
			change: fetchedSheet(".hero{width:100%;aspect-ratio:2}")},
		{id: "image-dimensions", name: "perhaps by a stylesheet", html: "<link rel=stylesheet href=/a.css>" + images(2, ""), want: NotApplicable,
			change: fetchedSheet(".hero img{width:100%;aspect-ratio:2}"), detail: "2 images have no width and height in the page"},
		{id: "image-dimensions", name: "by a stylesheet that was not fetched", html: "<link rel=stylesheet href=/a.css>" + images(1, ""), want: NotApplicable},
		{id: "image-dimensions", name: "without src", html: "<img><img srcset=a.png>", want: NotApplicable},
		{id: "image-dimensions", name: "none", html: "<p>", want: NotApplicable},
		{id: "image-lazy", name: "lazy", html: images(6, "loading=lazy"), want: Passed},
		{id: "image-lazy", name: "eager", html: images(6, ""), want: Failed},
		{id: "image-lazy", name: "without src", html: strings.Repeat("<img>", 6), want: NotApplicable},
		{id: "image-lazy", name: "few", html: images(5, ""), want: NotApplicable},
		{id: "inline-css", name: "none", html: "<p>", want: NotApplicable},
		{id: "inline-css", name: "some", html: strings.Repeat("<p style='color:red'>", 10), want: Passed},
		{id: "inline-css", name: "many attributes", html: strings.Repeat("<p style='color:red'>", 11), want: Failed},
		{id: "inline-css", name: "much", html: "<style>" + strings.Repeat("a{} ", 13_000) + "</style>", want: Failed},
		{id: "iframes", name: "four", html: strings.Repeat("<iframe src=a></iframe>", 4), want: Passed},
		{id: "iframes", name: "five", html: strings.Repeat("<iframe src=a></iframe>", 5), want: Failed},
		{id: "iframes", name: "none", want: NotApplicable},
		{id: "third-party-hosts", name: "own subdomains", html: manyHosts(".example.com", 20), want: NotApplicable},
		{id: "third-party-hosts", name: "twelve", html: manyHosts(".example.net", 12), want: Passed},
		{id: "third-party-hosts", name: "thirteen", html: manyHosts(".example.net", 13), want: Failed},
		{id: "duplicate-resource", name: "once", html: "<script src=a.js></script><link rel=stylesheet href=a.css>", want: Passed},
		{id: "duplicate-resource", name: "twice", html: "<script src=a.js></script><script src=./a.js#x></script>", want: Failed},
		{id: "duplicate-resource", name: "an image twice", html: images(2, ""), want: NotApplicable},
		{id: "empty-src", name: "given", html: "<img src=a.png><script>x()</script>", want: Passed},
		{id: "empty-src", name: "empty script", html: `<script src=""></script>`, want: Failed},
		{id: "empty-src", name: "blank image", html: `<img src=" ">`, want: Failed},
		{id: "empty-src", name: "empty stylesheet", html: `<link rel=stylesheet href="">`, want: Failed},
		{id: "empty-src", name: "nothing linked", html: "<p>", want: NotApplicable},
	}
}

// manyScripts returns scripts at different addresses.
func manyScripts(prefix string, n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString("<script defer src=" + prefix + strings.Repeat("a", i+1) + ".js></script>")
	}
	return b.String()
}

// manyHosts returns images at different hosts.
func manyHosts(suffix string, n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString("<img src=https://" + strings.Repeat("a", i+1) + suffix + "/a.png>")
	}
	return b.String()
}

// fetchedSheet returns a change that fetches the stylesheet /a.css.
func fetchedSheet(source string) func(*facts) {
	return fetchedResource(stylesheetResource, answer("https://example.com/a.css", 200, "Content-Type: text/css", source))
}
