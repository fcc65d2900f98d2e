package audit

import (
	"slices"
	"strings"

	"sitegrade/audit/header"
	"sitegrade/audit/page"
	"sitegrade/locale"
	"sitegrade/weburl"
)

// seoCanonical are the checks of canonical URLs, language versions and the language of the page.
var seoCanonical = []check{
	{
		id: "canonical", severity: Medium,
		source: "Lighthouse canonical; Screaming Frog",
		run:    checkCanonical,
	},
	{
		id: "canonical-self", severity: Info,
		source: "Screaming Frog",
		run:    checkCanonicalSelf,
	},
	{
		id: "hreflang", severity: Medium,
		source: "Lighthouse hreflang; Google localized versions",
		run:    checkHreflang,
	},
	{
		id: "hreflang-self", severity: Low,
		source: "SEOnaut; Google localized versions",
		run:    checkHreflangSelf,
	},
	{
		id: "hreflang-x-default", severity: Info,
		source: "SEOnaut; Google localized versions",
		run:    checkHreflangDefault,
	},
	{
		id: "html-lang", severity: Medium,
		source: "Lighthouse html-has-lang",
		run:    checkHTMLLang,
	},
	{
		id: "html-lang-valid", severity: Medium,
		source: "Lighthouse html-lang-valid; BCP 47",
		run:    checkHTMLLangValid,
	},
}

// declared is a canonical or an alternate of the page, from its head or from a Link header.
type declared struct {
	element  page.Element // without a node when it comes from a header
	href     string       // as written
	url      *weburl.URL
	hreflang string // as written
}

// show points at the declaration.
func (l declared) show(d *page.Document) Evidence {
	shown := Evidence{Snippet: page.CutSnippet("Link: <" + l.href + ">")}
	if l.element.Exists() {
		shown = evidenceOf(d, l.element)
	}
	if l.url != nil {
		shown.URL = shownAddress(l.url)
	}
	return shown
}

// isAbsolute reports whether the URL is written with its scheme and host.
func (l declared) isAbsolute() bool {
	href := strings.ToLower(strings.TrimSpace(l.href))
	return strings.HasPrefix(href, "https://") || strings.HasPrefix(href, "http://")
}

// canonicals returns the canonical URLs that the page declares: those in its head, then those in Link headers. As for Google,
// canonical has to be the only relation of a link in the head, and a link without an href does not count.
func (f *facts) canonicals() []declared {
	var found []declared
	for _, l := range f.doc.Links {
		if !l.InBody && len(l.Rel) == 1 && l.Rel[0] == "canonical" && l.Href != "" {
			found = append(found, declared{element: l.Element, href: l.Href, url: l.URL})
		}
	}
	for _, l := range f.linkHeaders("canonical") {
		found = append(found, declared{href: l.Target, url: weburl.Resolve(f.final, l.Target)})
	}
	return found
}

// alternates returns the language versions that the page names, in its head and in Link headers.
func (f *facts) alternates() []declared {
	var found []declared
	for _, l := range f.doc.Links {
		if !l.InBody && l.Hreflang != "" && slices.Contains(l.Rel, "alternate") {
			found = append(found, declared{element: l.Element, href: l.Href, url: l.URL, hreflang: l.Hreflang})
		}
	}
	for _, l := range f.linkHeaders("alternate") {
		for _, code := range l.Hreflang {
			found = append(found, declared{href: l.Target, url: weburl.Resolve(f.final, l.Target), hreflang: code})
		}
	}
	return found
}

// linkHeaders returns the links of the page's Link headers that have this relation.
func (f *facts) linkHeaders(rel string) []header.Link {
	var found []header.Link
	for _, l := range header.ParseLinks(f.response.Header.Values("Link")) {
		if l.Anchor == "" && l.Target != "" && slices.Contains(l.Rel, rel) {
			found = append(found, l)
		}
	}
	return found
}

// canonicalElsewhere returns the one valid canonical URL if it is another page's, else nil.
func (f *facts) canonicalElsewhere() *weburl.URL {
	target := f.canonicalAddress()
	if target == nil || target.SamePage(f.final) {
		return nil
	}
	return target
}

// canonicalAddress returns the canonical URL if the page declares exactly one and it is valid, else nil.
func (f *facts) canonicalAddress() *weburl.URL {
	var one *weburl.URL
	for _, c := range f.canonicals() {
		if !c.url.IsWeb() || !c.isAbsolute() || one != nil && c.url.String() != one.String() {
			return nil
		}
		one = c.url
	}
	return one
}

func checkCanonical(f *facts) finding {
	all := f.canonicals()
	if len(all) == 0 {
		return warn(nil, "canonical.missing")
	}
	for _, c := range all {
		switch {
		case !c.url.IsWeb():
			return fail([]Evidence{c.show(f.doc)}, "canonical.invalid", locale.Quoted(c.href))
		case !c.isAbsolute():
			return fail([]Evidence{c.show(f.doc)}, "canonical.relative", locale.Quoted(c.href))
		}
	}
	target := f.canonicalAddress()
	if target == nil {
		var shown tally
		for _, c := range all {
			shown.add(c.show(f.doc))
		}
		return fail(shown.evidence, "canonical.several")
	}
	switch {
	case target.SameOrigin(f.final) && target.Path() == "/" && f.final.Path() != "/":
		return fail([]Evidence{all[0].show(f.doc)}, "canonical.home")
	case f.isOtherLanguage(target):
		return fail([]Evidence{all[0].show(f.doc)}, "canonical.other-language")
	}
	return pass("canonical.found", locale.Quoted(shownAddress(target)))
}

// isOtherLanguage reports whether a URL is another of the page's own language versions.
func (f *facts) isOtherLanguage(target *weburl.URL) bool {
	own, other := false, false
	for _, l := range f.alternates() {
		if l.url != nil {
			own = own || l.url.String() == f.final.String()
			other = other || l.url.String() == target.String()
		}
	}
	return own && other && target.String() != f.final.String()
}

func checkCanonicalSelf(f *facts) finding {
	if f.canonicalAddress() == nil {
		return notApplicable("canonical-self.none")
	}
	if target := f.canonicalElsewhere(); target != nil {
		return fail([]Evidence{f.canonicals()[0].show(f.doc)}, "canonical-self.other")
	}
	return pass("canonical-self.self")
}

func checkHreflang(f *facts) finding {
	all := f.alternates()
	var badCodes, badAddresses tally
	for _, l := range all {
		switch {
		case !isHreflang(l.hreflang):
			badCodes.add(l.show(f.doc))
		case !l.isAbsolute() || l.url == nil:
			badAddresses.add(l.show(f.doc))
		}
	}
	if len(all) == 0 {
		return notApplicable("common.no-versions")
	}
	if n := badCodes.count + badAddresses.count; n > 0 {
		shown := append(badCodes.evidence, badAddresses.evidence...)
		return fail(shown, "hreflang.wrong",
			locale.Count(n), locale.Count(len(all)), locale.Count(badCodes.count), locale.Count(badAddresses.count))
	}
	return pass("hreflang.all", locale.Count(len(all)))
}

// isHreflang reports whether a code is x-default or a language of ISO 639-1 with an optional script (ISO 15924) and country
// (ISO 3166-1 alpha 2), in any case.
func isHreflang(code string) bool {
	if strings.EqualFold(code, "x-default") {
		return true
	}
	parts := strings.Split(code, "-")
	if len(parts[0]) != 2 || !isLanguage(parts[0]) {
		return false
	}
	rest := parts[1:]
	if len(rest) > 0 && len(rest[0]) == 4 {
		if !isScript(rest[0]) {
			return false
		}
		rest = rest[1:]
	}
	return len(rest) == 0 || len(rest) == 1 && isCountry(rest[0])
}

func checkHreflangSelf(f *facts) finding {
	all := f.alternates()
	if len(all) == 0 {
		return notApplicable("common.no-versions")
	}
	if slices.ContainsFunc(all, f.isItself) {
		return pass("hreflang-self.listed")
	}
	return fail([]Evidence{all[0].show(f.doc)}, "hreflang-self.unlisted")
}

// isItself reports whether a language version is the page that was fetched, or its canonical.
func (f *facts) isItself(version declared) bool {
	canonical := f.canonicalAddress()
	return version.url != nil && (version.url.SamePage(f.final) || canonical != nil && version.url.SamePage(canonical))
}

func checkHreflangDefault(f *facts) finding {
	all := f.alternates()
	if len(all) == 0 {
		return notApplicable("common.no-versions")
	}
	for _, l := range all {
		if strings.EqualFold(l.hreflang, "x-default") {
			return pass("hreflang-x-default.found")
		}
	}
	return fail(nil, "hreflang-x-default.missing")
}

func checkHTMLLang(f *facts) finding {
	if strings.TrimSpace(f.doc.Lang) == "" {
		return fail([]Evidence{evidenceOf(f.doc, f.doc.HTML)}, "common.no-lang")
	}
	return pass("html-lang.found", locale.Quoted(f.doc.Lang))
}

// checkHTMLLangValid holds the language of the page to the registry of BCP 47.
func checkHTMLLangValid(f *facts) finding {
	if f.doc.Lang == "" {
		return notApplicable("common.no-lang")
	}
	tag := strings.TrimSpace(f.doc.Lang)
	if fault := faultOfTag(tag); !fault.IsZero() {
		return finding{status: Failed, evidence: []Evidence{evidenceOf(f.doc, f.doc.HTML)}, said: fault}
	}
	return pass("html-lang-valid.valid", locale.Quoted(tag))
}
