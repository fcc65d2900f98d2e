package audit

import (
	"slices"
	"strings"

	"golang.org/x/net/publicsuffix"

	"sitegrade/audit/header"
	"sitegrade/audit/page"
	"sitegrade/locale"
	"sitegrade/weburl"
)

// securityPageChecks are the checks of the section security that look into the page.
var securityPageChecks = []check{
	{
		id: "mixed-content", severity: High,
		source: "Lighthouse is-on-https",
		run:    checkMixedContent,
	},
	{
		id: "form-action", severity: High,
		source: "SEOnaut; Screaming Frog",
		run:    checkFormAction,
	},
	{
		id: "sri", severity: Low,
		source: "MDN HTTP Observatory; webhint",
		run:    checkSubresourceIntegrity,
	},
	{
		id: "plaintext-email", severity: Low,
		source: "common SEO checkers",
		run:    checkPlaintextEmail,
	},
}

// checkMixedContent accepts what browsers trust (loopback), and pages whose policy makes browsers load everything over https.
func checkMixedContent(f *facts) finding {
	if f.final.Scheme() != "https" {
		return notApplicable("mixed-content.plain-page")
	}
	var insecure tally
	resources := f.linked()
	for _, l := range resources {
		if l.url != nil && l.url.IsInsecure() {
			insecure.addElement(f.doc, l.Element, l.url)
		}
	}
	for _, i := range f.doc.Images {
		if u := firstInsecure(f.doc.Base, append([]string{i.Srcset}, i.Sources...)); u != nil {
			insecure.addElement(f.doc, i.Element, u)
		}
	}
	switch {
	case len(resources) == 0:
		return notApplicable("common.loads-nothing")
	case insecure.count == 0:
		return pass("mixed-content.all", locale.Count(len(resources)))
	case slices.ContainsFunc(f.policies(), header.Policy.Upgrades):
		return pass("mixed-content.upgraded", locale.Count(insecure.count))
	}
	return fail(insecure.evidence, "mixed-content.mixed", locale.Count(insecure.count))
}

// maxCandidates is how many http: URLs of one image are looked at.
const maxCandidates = 20

// firstInsecure returns the first insecure URL in lists of image candidates ("a.png 1x, b.png 2x"), nil when there is none.
func firstInsecure(base *weburl.URL, candidates []string) *weburl.URL {
	looked := 0
	for _, list := range candidates {
		for word := range strings.FieldsSeq(list) {
			if len(word) < 5 || !strings.EqualFold(word[:5], "http:") {
				continue
			}
			if looked++; looked > maxCandidates {
				return nil
			}
			if u := weburl.Resolve(base, strings.TrimRight(word, ",")); u != nil && u.IsInsecure() {
				return u
			}
		}
	}
	return nil
}

func checkFormAction(f *facts) finding {
	var insecure tally
	plainPage := f.final.IsInsecure()
	for _, form := range f.doc.Forms {
		switch {
		case form.Detour != nil:
			insecure.addElement(f.doc, form.Element, form.Detour)
		case form.Method == "dialog":
		case form.URL != nil && form.URL.IsInsecure(), form.Password && plainPage:
			insecure.addElement(f.doc, form.Element, form.URL)
		}
	}
	switch {
	case len(f.doc.Forms) == 0:
		return notApplicable("common.no-forms")
	case insecure.count > 0:
		return fail(insecure.evidence, "form-action.insecure", locale.Count(insecure.count))
	}
	return pass("form-action.all", locale.Count(len(f.doc.Forms)))
}

// checkSubresourceIntegrity trusts other hosts of the same site, which belong to the same people.
func checkSubresourceIntegrity(f *facts) finding {
	var open tally
	foreign := 0
	for _, s := range f.doc.Scripts {
		if !s.URL.IsWeb() || !isJavaScript(s.MIME) || s.URL.Domain() == f.final.Domain() {
			continue
		}
		foreign++
		if !s.Integrity || s.URL.IsInsecure() {
			open.addElement(f.doc, s.Element, s.URL)
		}
	}
	switch {
	case foreign == 0:
		return notApplicable("sri.no-scripts")
	case open.count > 0:
		return fail(open.evidence, "sri.open", locale.Count(open.count), locale.Count(foreign))
	}
	return pass("sri.all", locale.Count(foreign))
}

// checkPlaintextEmail shortens the email addresses in its evidence, since a report may be public.
func checkPlaintextEmail(f *facts) finding {
	var found tally
	seen := map[string]bool{}
	add := func(address string, e *page.Element) {
		if seen[strings.ToLower(address)] {
			return
		}
		seen[strings.ToLower(address)] = true
		shown := Evidence{Snippet: shortenEmail(address)}
		if e != nil && len(found.evidence) < MaxEvidence {
			shown.Line = evidenceOf(f.doc, *e).Line
		}
		found.add(shown)
	}
	for _, a := range f.doc.Anchors {
		if a.URL != nil && a.URL.Scheme() == "mailto" {
			if list := findEmails(a.URL.Opaque()); len(list) > 0 {
				add(list[0], &a.Element)
			}
		}
	}
	for _, address := range findEmails(f.doc.Text) {
		add(address, nil)
	}
	if found.count > 0 {
		return fail(found.evidence, "plaintext-email.found", locale.Count(found.count))
	}
	return pass("plaintext-email.none")
}

// shortenEmail leaves the first letter of the local part.
func shortenEmail(address string) string {
	local, host, _ := strings.Cut(address, "@")
	return page.CutSnippet(local[:1] + "…@" + host)
}

// maxEmails is how many email addresses of a page are counted.
const maxEmails = 1000

// findEmails returns the first maxEmails email addresses in a text: an ASCII local part, "@" and a host under a public suffix, so that
// logo@2x.png does not count.
func findEmails(text string) []string {
	var found []string
	for offset := 0; ; {
		at := strings.IndexByte(text[offset:], '@')
		if at < 0 || len(found) == maxEmails {
			return found
		}
		at += offset
		start := at
		for start > offset && isLocalPart(text[start-1]) {
			start--
		}
		end := at + 1
		for end < len(text) && isHostPart(text[end]) {
			end++
		}
		local := strings.TrimLeft(text[start:at], ".")
		host := strings.TrimRight(text[at+1:end], ".-")
		if local != "" && len(local) <= 64 && isMailHost(host) {
			found = append(found, local+"@"+host)
		}
		offset = end
	}
}

func isLocalPart(c byte) bool { return isHostPart(c) || c == '_' || c == '+' || c == '%' }

func isHostPart(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '.'
}

func isMailHost(host string) bool {
	if len(host) > 253 || strings.HasPrefix(host, "-") || strings.HasPrefix(host, ".") || strings.Contains(host, "..") {
		return false
	}
	suffix, registered := publicsuffix.PublicSuffix(host)
	return registered && suffix != host
}
