package audit

import (
	"net/url"
	"strings"

	"sitegrade/audit/page"
	"sitegrade/locale"
)

// seoFragments is the check of links to places on the page itself.
var seoFragments = []check{{
	id: "fragment-targets", severity: Low,
	source: "Screaming Frog",
	ofText: true,
	needs:  needsTargets,
	run:    checkFragmentTargets,
}}

func checkFragmentTargets(f *facts) finding {
	if !f.doc.KnowsTargets() {
		return notApplicable("fragment-targets.too-large")
	}
	var dead tally
	asked := 0
	for _, a := range f.doc.Anchors {
		if !leadsWithinPage(a, f) {
			continue
		}
		asked++
		if fragment := a.URL.Fragment(); !f.hasTarget(fragment) {
			dead.addElement(f.doc, a.Element, a.URL)
		}
	}
	switch {
	case asked == 0:
		return notApplicable("fragment-targets.none")
	case dead.count > 0:
		return fail(dead.evidence, "fragment-targets.dead", locale.Count(dead.count), locale.Count(asked))
	}
	return pass("fragment-targets.all", locale.Count(asked))
}

// leadsWithinPage reports whether a link is there to jump to a place on the page. Links that a script takes over are not, nor are the
// routes of an application that follow the hash.
func leadsWithinPage(a page.Anchor, f *facts) bool {
	if a.URL == nil || a.Role != "" || a.Clickable || !a.URL.IsWeb() || !a.URL.SamePage(f.final) {
		return false
	}
	for _, taken := range []string{"data-toggle", "data-bs-toggle", "data-target", "data-bs-target", "aria-controls", "aria-haspopup", "data-slide", "data-bs-slide"} {
		if _, ok := a.Attribute(taken); ok {
			return false
		}
	}
	fragment := a.URL.Fragment()
	return fragment != "" && fragment[0] != '/' && fragment[0] != '!' && !strings.HasPrefix(fragment, ":~:")
}

// hasTarget reports whether browsers find a place on the page for a fragment. #top is the beginning of every page.
func (f *facts) hasTarget(fragment string) bool {
	fragment, _, _ = strings.Cut(fragment, ":~:")
	if f.doc.HasTarget(fragment) {
		return true
	}
	decoded, err := url.PathUnescape(fragment)
	return err == nil && f.doc.HasTarget(decoded) || strings.EqualFold(decoded, "top")
}
