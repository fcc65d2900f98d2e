package audit

import (
	"strings"
	"testing"
)

const asset = "https://example.com/asset"

func TestAssetChecks(t *testing.T) {
	runCheckCases(t, assetChecks, append(weightCases(), contentCases()...), nil, nil)
}

func weightCases() []checkCase {
	css := func(lines, body string) func(*facts) {
		return fetchedResource(stylesheetResource, answer(asset, 200, "Content-Type: text/css\n"+lines, body))
	}
	js := func(lines, body string) func(*facts) {
		return fetchedResource(scriptResource, answer(asset, 200, "Content-Type: text/javascript; charset=utf-8\n"+lines, body))
	}
	image := func(kind string, bytes int) func(*facts) {
		return fetchedResource(imageResource, answer(asset, 200, "Content-Type: image/"+kind, strings.Repeat("x", bytes)))
	}
	return []checkCase{
		{id: "asset-compression", name: "brotli", change: css("Content-Encoding: br", strings.Repeat("a", 5000)), want: Passed},
		{id: "asset-compression", name: "small", change: css("", strings.Repeat("a", 1399)), want: Passed},
		{id: "asset-compression", name: "plain script", change: js("", strings.Repeat("a", 1400)), want: Failed},
		{id: "asset-compression", name: "plain SVG", change: image("svg+xml", 5000), want: Failed},
		{id: "asset-compression", name: "a photograph", change: image("jpeg", 5000), want: NotApplicable},
		{id: "cache-static", name: "a year", change: css("Cache-Control: public, max-age=31536000, immutable", "a"), want: Passed},
		{id: "cache-static", name: "Expires", change: css("Date: Fri, 20 Nov 2026 12:00:00 GMT\nExpires: Sat, 20 Nov 2027 12:00:00 GMT", "a"), want: Passed},
		{id: "cache-static", name: "quoted", change: css(`Cache-Control: max-age="2592000"`, "a"), want: Passed},
		{id: "cache-static", name: "under 30 days", change: css("Cache-Control: max-age=2591999", "a"), want: Failed},
		{id: "cache-static", name: "shared caches only", change: css("Cache-Control: s-maxage=31536000", "a"), want: Failed},
		{id: "cache-static", name: "no-cache", change: css("Cache-Control: max-age=31536000\nCache-Control: no-cache", "a"), want: Failed},
		{id: "cache-static", name: "Expires in no form", change: css("Expires: -1", "a"), want: Failed},
		{id: "cache-static", name: "silent", change: css("", "a"), want: Failed},
		{id: "cache-static", name: "nothing fetched", want: NotApplicable},
		{id: "page-weight", name: "light", change: image("png", 1000), want: Passed},
		{id: "page-weight", name: "nothing linked", html: "<p>", want: Passed},
		{id: "page-weight", name: "heavy", change: image("png", 2668<<10), want: Failed, severity: Medium, detail: "2,668 KiB"},
		{id: "page-weight", name: "very heavy", change: all(image("png", 2001<<10), image("png", 2000<<10)), want: Failed, severity: High},
		{id: "page-weight", name: "nothing fetched", html: "<img src=a.png>", want: NotApplicable},
		{id: "css-weight", name: "light", change: css("", strings.Repeat("a", 120_000)), want: Passed},
		{id: "css-weight", name: "together", change: all(css("", strings.Repeat("a", 60_000)), css("", strings.Repeat("a", 60_001))), want: Failed},
		{id: "css-weight", name: "a script", change: js("", "a"), want: NotApplicable},
		{id: "js-weight", name: "light", change: js("", "a"), want: Passed},
		{id: "js-weight", name: "announced by HEAD", change: announced(scriptResource, "120001"), want: Failed, detail: "120.0 kB"},
		{id: "js-weight", name: "nothing fetched", want: NotApplicable},
		{id: "image-weight", name: "light", change: image("png", 200_000), want: Passed},
		{id: "image-weight", name: "heavy", change: all(image("png", 1), image("png", 200_001)), want: Failed, detail: "1 of 2"},
		{id: "image-weight", name: "announced by HEAD", change: announced(imageResource, "900000"), want: Failed},
		{id: "image-weight", name: "nothing fetched", want: NotApplicable},
		{id: "image-format", name: "small", change: image("jpeg", 50_000), want: Passed},
		{id: "image-format", name: "WebP", change: image("webp", 90_000), want: Passed},
		{id: "image-format", name: "offered in a picture", html: `<picture><source type="image/avif" srcset="a.avif"><img src="/asset"></picture>`,
			change: image("jpeg", 90_000), want: Passed},
		{id: "image-format", name: "old", html: `<img src="/asset">`, change: image("jpeg", 50_001), want: Failed},
		{id: "image-format", name: "nothing fetched", want: NotApplicable},
	}
}

// announced returns a change that adds a resource of which only the headers were fetched.
func announced(kind resourceKind, length string) func(*facts) {
	return func(f *facts) {
		fetchedResource(kind, answer(asset, 200, "Content-Length: "+length, ""))(f)
		f.resources[len(f.resources)-1].truncated = true
	}
}

func contentCases() []checkCase {
	css := func(body string) func(*facts) {
		return fetchedResource(stylesheetResource, answer(asset, 200, "", body))
	}
	js := func(body string) func(*facts) { return fetchedResource(scriptResource, answer(asset, 200, "", body)) }
	looseCSS := strings.Repeat("/* a rule */\n.a   {\n    color :  #ff0000 ;\n}\n", 100)
	looseJS := strings.Repeat("// says hello\nfunction hello(name) {\n    console.log( name );\n}\n", 100)
	return []checkCase{
		{id: "unminified", name: "minified css", change: css(strings.Repeat(".a{color:red}", 500)), want: Passed},
		{id: "unminified", name: "loose css", change: css(looseCSS), want: Failed},
		{id: "unminified", name: "loose js", change: js(looseJS), want: Failed},
		{id: "unminified", name: "little to gain", change: css("/* a rule */ a { color : red }"), want: Passed},
		{id: "unminified", name: "no script at all", change: js("<!doctype html><p>Not found"), want: Passed},
		{id: "unminified", name: "nothing fetched", change: announced(scriptResource, "90000"), want: NotApplicable},
		{id: "resource-errors", name: "answered", change: css("a"), want: Passed},
		{id: "resource-errors", name: "404", change: fetchedResource(scriptResource, answer(asset, 404, "", "")), want: Failed},
		{id: "resource-errors", name: "no answer", change: fetchedResource(scriptResource, noAnswer()), want: Failed},
		{id: "resource-errors", name: "own subdomain", change: fetchedResource(scriptResource, noAnswerFrom("https://cdn.example.com/a.js")), want: Failed},
		{id: "resource-errors", name: "out of reach", change: fetchedResource(stylesheetResource, noAnswerFrom("https://fonts.example.org/a.css")), want: NotApplicable, detail: "fonts.example.org did not answer from here"},
		{id: "resource-errors", name: "another site has it no more", change: fetchedResource(stylesheetResource, answer("https://fonts.example.org/a.css", 404, "", "")), want: Failed, severity: Medium},
		{id: "resource-errors", name: "nothing fetched", want: NotApplicable},
		{id: "font-display", name: "declared", change: css("@font-face{font-family:a;src:url(a.woff2);FONT-DISPLAY:swap}"), want: Passed},
		{id: "font-display", name: "one of two", change: css("@font-face{font-display:swap}@font-face{font-family:b}"), want: Failed},
		{id: "font-display", name: "of another rule", change: css("@FONT-FACE{font-family:b} a{font-display:swap}"), want: Failed},
		{id: "font-display", name: "in a comment", change: css("/*@font-face{font-family:b}*/"), want: NotApplicable},
		{id: "css-import", name: "none", change: css(`a{content:"@import"}/*@import url(a.css);*/`), want: Passed},
		{id: "css-import", name: "two", change: css("@import 'a.css';\n@import url(b.css) print;"), want: Failed, detail: "2 imports"},
		{id: "css-import", name: "nothing fetched", want: NotApplicable},
	}
}
