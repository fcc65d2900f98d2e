package audit

import "testing"

// canonical returns a page whose head names this canonical address.
func canonical(href string) string { return pageOf(`<link rel="canonical" href="`+href+`">`, "") }

// versions returns a page with alternates: pairs of hreflang and address.
func versions(pairs ...string) string {
	head := ""
	for i := 0; i < len(pairs); i += 2 {
		head += `<link rel="alternate" hreflang="` + pairs[i] + `" href="` + pairs[i+1] + `">`
	}
	return pageOf(head, "")
}

func TestCanonicalChecks(t *testing.T) {
	const self = "https://example.com/shop/page"
	runCheckCases(t, seoCanonical, []checkCase{
		{id: "canonical", name: "self", html: canonical(self), want: Passed},
		{id: "canonical", name: "absent", want: Warning},
		{id: "canonical", name: "empty", html: canonical(""), want: Warning},
		{id: "canonical", name: "in body", html: pageOf("", `<link rel="canonical" href="`+self+`">`), want: Warning},
		{id: "canonical", name: "relative", html: canonical("/shop/page"), want: Failed, detail: "not absolute"},
		{id: "canonical", name: "unparsable", html: canonical("https://exa mple"), want: Failed, detail: "is not valid"},
		{id: "canonical", name: "several", html: canonical(self), change: with("Link", `<https://example.com/b>; rel=canonical`), want: Failed, detail: "several"},
		{id: "canonical", name: "twice the same", html: canonical(self), change: with("Link", `<`+self+`>; rel="canonical"`), want: Passed},
		{id: "canonical", name: "home page", html: canonical("https://example.com/"), want: Failed, detail: "home page"},
		{id: "canonical", name: "start page of itself", html: canonical("https://example.com"), change: at("https://example.com/"), want: Passed},
		{id: "canonical", name: "other language", want: Failed, detail: "another language",
			html: pageOf(`<link rel=canonical href="https://example.com/de"><link rel=alternate hreflang=de href="https://example.com/de"><link rel=alternate hreflang=en href="`+self+`">`, "")},

		{id: "canonical-self", name: "self", html: canonical(self + "#top"), want: Passed},
		{id: "canonical-self", name: "elsewhere", html: canonical("https://example.com/b"), want: Failed},
		{id: "canonical-self", name: "absent", want: NotApplicable},

		{id: "hreflang", name: "good", html: versions("de-AT", "https://example.com/at", "zh-Hant-TW", "https://example.com/tw", "x-default", self), want: Passed},
		{id: "hreflang", name: "no language", html: versions("xx", self), want: Failed},
		{id: "hreflang", name: "three letters", html: versions("deu", self), want: Failed},
		{id: "hreflang", name: "UK", html: versions("en-UK", self), want: Failed},
		{id: "hreflang", name: "relative", html: versions("de", "/de"), want: Failed, detail: "not absolute"},
		{id: "hreflang", name: "header", change: with("Link", `<https://example.com/de>; rel=alternate; hreflang=jp`), want: Failed},
		{id: "hreflang", name: "none", html: pageOf(`<link rel=alternate type="application/rss+xml" href="/feed">`, ""), want: NotApplicable},

		{id: "hreflang-self", name: "there", html: versions("en", self), want: Passed},
		{id: "hreflang-self", name: "missing", html: versions("de", "https://example.com/de"), want: Failed},
		{id: "hreflang-self", name: "none", want: NotApplicable},

		{id: "hreflang-x-default", name: "there", html: versions("X-Default", self), want: Passed},
		{id: "hreflang-x-default", name: "missing", html: versions("de", self), want: Failed},
		{id: "hreflang-x-default", name: "none", want: NotApplicable},

		{id: "html-lang", name: "there", html: inBody(""), want: Passed, detail: "en"},
		{id: "html-lang", name: "absent", html: "<html>", want: Failed},
		{id: "html-lang", name: "blank", html: `<html lang=" ">`, want: Failed},

		{id: "html-lang-valid", name: "valid", html: `<html lang="zh-Hans-CN">`, want: Passed},
		{id: "html-lang-valid", name: "case", html: `<html lang="DE-at">`, want: Passed},
		{id: "html-lang-valid", name: "three letters", html: `<html lang="yue">`, want: Passed},
		{id: "html-lang-valid", name: "region by number", html: `<html lang="es-419">`, want: Passed},
		{id: "html-lang-valid", name: "variant", html: `<html lang="de-1996">`, want: Passed},
		{id: "html-lang-valid", name: "extension", html: `<html lang="en-u-uk-xx">`, want: Passed},
		{id: "html-lang-valid", name: "three letters for two", html: `<html lang="eng">`, want: Failed, detail: "is en"},
		{id: "html-lang-valid", name: "library code", html: `<html lang="ger">`, want: Failed},
		{id: "html-lang-valid", name: "UK", html: `<html lang="en-UK">`, want: Failed, detail: "GB"},
		{id: "html-lang-valid", name: "no region", html: `<html lang="en-EN">`, want: Failed, detail: "region"},
		{id: "html-lang-valid", name: "no script", html: `<html lang="en-Abcd">`, want: Failed, detail: "script"},
		{id: "html-lang-valid", name: "grandfathered", html: `<html lang="i-lux">`, want: Failed},
		{id: "html-lang-valid", name: "underscore", html: `<html lang="en_US">`, want: Failed},
		{id: "html-lang-valid", name: "no language", html: `<html lang="english">`, want: Failed},
		{id: "html-lang-valid", name: "blank", html: `<html lang="  ">`, want: Failed},
		{id: "html-lang-valid", name: "absent", html: `<html>`, want: NotApplicable},
	}, []string{"canonical", "html-lang"}, nil)
}

func TestIsHreflang(t *testing.T) {
	for code, want := range map[string]bool{
		"en": true, "EN": true, "en-GB": true, "zh-Hans": true, "zh-Hans-CN": true, "x-default": true, "de-at": true,
		"": false, " en": false, "eng": false, "en-UK": false, "en_GB": false, "en-EU": false, "es-419": false, "jp": false, "en-GB-x": false,
		"en-": false, "-": false, "@@": false, "x-foo": false, "en-Abcd": false,
	} {
		if got := isHreflang(code); got != want {
			t.Errorf("isHreflang(%q) = %v", code, got)
		}
	}
}
