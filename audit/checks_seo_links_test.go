package audit

import (
	"strings"
	"testing"

	"sitegrade/audit/page"
)

// linkTo returns a page with a link to an address.
func linkTo(href string) string { return inBody(`<a href="` + href + `">Wooden toys</a>`) }

func TestLinkChecks(t *testing.T) {
	runCheckCases(t, seoLinks, []checkCase{
		{id: "link-text", name: "own", html: linkTo("/toys"), want: Passed},
		{id: "link-text", name: "generic", html: inBody(`<a href=/a>Read  More</a>`), want: Failed},
		{id: "link-text", name: "other language", html: inBody(`<a href=/a lang=de>Hier klicken</a>`), want: Failed},
		{id: "link-text", name: "of another language", html: inBody(`<a href=/a>hier</a>`), want: Passed},
		{id: "link-text", name: "language unknown", html: `<body><a href=/a>hier</a>`, want: Failed},
		{id: "link-text", name: "an address", html: inBody(`<a href=/a>https://example.com/a</a>`), want: Passed},
		{id: "link-text", name: "hidden part", html: inBody(`<a href=/a>more<span hidden>about toys</span></a>`), want: Failed},
		{id: "link-text", name: "not asked", want: NotApplicable,
			html: inBody(`<a href=/a rel=nofollow>here</a><a href=#a>here</a><a href=mailto:a@b.c>here</a><a hidden href=/b>here</a><a>here</a>`)},

		{id: "link-name", name: "text", html: linkTo("/"), want: Passed},
		{id: "link-name", name: "others", html: inBody(`<a href=/ aria-label=Home></a><a href=/><img alt=Home></a><a href=/ title=Home></a>` +
			`<a href=/><svg><title>Home</title></svg></a><a href=/ aria-labelledby=x></a><b id=x>Home</b>`), want: Passed},
		{id: "link-name", name: "nothing", html: inBody(`<a href=/a><img alt=""></a><a href=/b><i aria-hidden=true>x</i></a><a href=/c>c</a>`), want: Failed, detail: "2 of 3"},
		{id: "link-name", name: "role that cannot be", html: inBody(`<a href=/a role=none></a>`), want: Failed},
		{id: "link-name", name: "image button", html: inBody(`<a href=/a><input type=image alt=Home></a>`), want: Passed},
		{id: "link-name", name: "hidden", html: inBody(`<a href=/a aria-hidden=true></a><a></a>`), want: NotApplicable},

		{id: "crawlable-anchors", name: "address", html: linkTo("/"), want: Passed},
		{id: "crawlable-anchors", name: "script", html: linkTo("javascript:void(0)"), want: Failed},
		{id: "crawlable-anchors", name: "spaced script", html: linkTo("javascript :go()"), want: Failed},
		{id: "crawlable-anchors", name: "script with id", html: inBody(`<a id=x href="javascript:go()">x</a>`), want: Failed},
		{id: "crawlable-anchors", name: "handler without address", html: inBody(`<a onclick="go()">x</a>`), want: Failed},
		{id: "crawlable-anchors", name: "placeholder", html: inBody(`<a>x</a><a id=x></a>`), want: Passed},
		{id: "crawlable-anchors", name: "place with a name", html: inBody(`<a name=x href="javascript:void(0)">x</a>`), want: Passed},
		{id: "crawlable-anchors", name: "button", html: inBody(`<a role=button onclick="go()">x</a>`), want: Passed},
		{id: "crawlable-anchors", name: "none", want: NotApplicable},

		{id: "link-count", name: "150", html: inBody(strings.Repeat("<a href=/a>a</a>", 150)), want: Passed, detail: "150 links"},
		{id: "link-count", name: "151", html: inBody(strings.Repeat("<a href=/a>a</a>", 151)), want: Failed, detail: "151"},
		{id: "link-count", name: "none", html: inBody("<a>x</a>"), want: Failed, detail: "dead end"},
		{id: "link-count", name: "more than are kept", html: inBody(strings.Repeat("<a href=/a>a</a>", page.MaxStored+7)), want: Failed, detail: "5,007"},

		{id: "internal-nofollow", name: "followed", html: linkTo("/"), want: Passed},
		{id: "internal-nofollow", name: "nofollow", html: inBody(`<a href=/a rel="noopener NoFollow">a</a>`), want: Failed},
		{id: "internal-nofollow", name: "external", html: inBody(`<a href=https://other.example/ rel=nofollow>a</a>`), want: NotApplicable},

		{id: "links-to-http", name: "https", html: linkTo("https://other.example/"), want: Passed},
		{id: "links-to-http", name: "http", html: linkTo("http://other.example/"), want: Failed},
		{id: "links-to-http", name: "page on http", html: linkTo("http://other.example/"), change: at("http://example.com/"), want: NotApplicable},

		{id: "links-to-localhost", name: "public", html: linkTo("/"), want: Passed},
		{id: "links-to-localhost", name: "localhost", html: inBody(`<a href="http://localhost:3000/">a</a><a href="//127.0.0.2/">b</a><a href="http://[::1]/">c</a><a href="http://0.0.0.0/">d</a><a href=/>e</a>`), want: Failed, detail: "4 of 5"},
		{id: "links-to-localhost", name: "page itself", html: linkTo("/"), change: at("http://localhost/"), want: NotApplicable},

		{id: "tracking-params", name: "clean", html: linkTo("/a?b=utm_c"), want: Passed},
		{id: "tracking-params", name: "utm", html: linkTo("/a?x=1&UTM_source=home"), want: Failed},
		{id: "tracking-params", name: "no parameters", html: linkTo("/utm_source"), want: NotApplicable},
		{id: "tracking-params", name: "external", html: linkTo("https://other.example/?utm_source=us"), want: NotApplicable},
	}, []string{"link-count"}, nil)
}

func TestURLChecks(t *testing.T) {
	start := "https://example.com/"
	runCheckCases(t, seoURL, []checkCase{
		{id: "url-length", name: "115", change: at(start + strings.Repeat("a", 115-len(start))), want: Passed},
		{id: "url-length", name: "116", change: at(start + strings.Repeat("a", 116-len(start))), want: Failed, detail: "116"},
		{id: "url-readable", name: "words", want: Passed},
		{id: "url-readable", name: "start page", change: at(start), want: NotApplicable},
		{id: "url-readable", name: "underscore", change: at(start + "a_b"), want: Failed, detail: "underscore"},
		{id: "url-readable", name: "upper case", change: at(start + "About"), want: Failed, detail: "upper case"},
		{id: "url-readable", name: "space", change: at(start + "a%20b"), want: Failed, detail: "space"},
		{id: "url-readable", name: "not ASCII", change: at(start + "caf%C3%A9"), want: Failed, detail: "ASCII"},
		{id: "url-readable", name: "double slash", change: at(start + "a//b"), want: Failed, detail: "slash"},
		{id: "url-readable", name: "repeated", change: at(start + "a/b/b/c"), want: Failed, detail: "twice"},
		{id: "url-readable", name: "apart", change: at(start + "a/b/a"), want: Passed},
		{id: "url-readable", name: "3 parameters", change: at(start + "?a=1&b=2&c=3"), want: Passed},
		{id: "url-readable", name: "4 parameters", change: at(start + "?a=1&b=2&c=3&d"), want: Failed, detail: "4 query"},
	}, []string{"url-length"}, nil)
}

func TestImageTextChecks(t *testing.T) {
	runCheckCases(t, seoImages, []checkCase{
		{id: "image-alt", name: "alt", html: inBody(`<img src=a alt="A toy"><img src=b alt=""><img src=c alt><img src=d title="A toy">`), want: Passed, detail: "4 images"},
		{id: "image-alt", name: "none", html: inBody(`<img src=a><img src=b alt="">`), want: Failed, detail: "1 of 2"},
		{id: "image-alt", name: "a slip", html: inBody(`<img src=a>` + strings.Repeat(`<img src=b alt=B>`, 9)), want: Failed, severity: Medium},
		{id: "image-alt", name: "four of four", html: inBody(strings.Repeat(`<img src=a>`, 4)), want: Failed, severity: Medium},
		{id: "image-alt", name: "five of ten", html: inBody(strings.Repeat(`<img src=a><img src=b alt=B>`, 5)), want: Failed, severity: High},
		{id: "image-alt", name: "five of eleven", html: inBody(strings.Repeat(`<img src=a><img src=b alt=B>`, 5) + `<img src=c alt=C>`), want: Failed, severity: Medium},
		{id: "image-alt", name: "blank", html: inBody(`<img src=a alt=" ">`), want: Failed},
		{id: "image-alt", name: "role that cannot be", html: inBody(`<img src=a role=none tabindex=0>`), want: Failed},
		{id: "image-alt", name: "decoration with a role", html: inBody(`<img src=a alt="" role=img>`), want: Failed},
		{id: "image-alt", name: "decoration with a role that nobody knows", html: inBody(`<img src=a alt="" role=picture>`), want: Passed},
		{id: "image-alt", name: "decoration that is described", html: inBody(`<img src=a role=none aria-describedby=b>`), want: Failed},
		{id: "image-alt", name: "drawings", html: inBody(`<svg role=img><title>A</title></svg><svg role=graphics-document aria-label=B></svg><svg></svg>`), want: Passed, detail: "2 images"},
		{id: "image-alt", name: "drawing with an empty title", html: inBody(`<svg role=img><title><b></b></title></svg>`), want: Failed},
		{id: "image-alt", name: "drawing with the title of a part", html: inBody(`<svg role=img><g><title>A</title></g></svg>`), want: Failed},
		{id: "image-alt", name: "object", html: inBody(`<object data=a.png></object>`), want: Failed},
		{id: "image-alt", name: "object with a name", html: inBody(`<object data=a.png title=A></object><object data=b.svg role=none></object>`), want: Passed, detail: "The only image"},
		{id: "image-alt", name: "object with a page", html: inBody(`<object data=a.html></object><object><p>b</object>`), want: NotApplicable},
		{id: "image-alt", name: "hidden", html: inBody(`<img src=a hidden><img src=b role=presentation><p aria-hidden=true><img src=c></p>`), want: NotApplicable},
		{id: "image-alt-length", name: "100", html: inBody(`<img alt="` + strings.Repeat("x", 100) + `">`), want: Passed},
		{id: "image-alt-length", name: "101", html: inBody(`<img alt="` + strings.Repeat("x", 101) + `">`), want: Failed, detail: "101"},
		{id: "image-alt-length", name: "empty", html: inBody(`<img alt="">`), want: NotApplicable},
	}, nil, nil)
}
