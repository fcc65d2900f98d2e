package audit

import (
	"sitegrade/audit/page"

	"sitegrade/locale"
)

// seoScript is the check of pages that have no text before their scripts ran.
var seoScript = []check{{
	id: "needs-script", severity: High,
	source: "Screaming Frog; Google JavaScript SEO basics",
	run:    checkNeedsScript,
}}

// Fewer words than these are practically no text; a page whose scripts are expected to make it may say that it is loading.
const (
	hardlyAnyWords = 15
	loadingWords   = 30
)

func checkNeedsScript(f *facts) finding {
	scripts := f.ownScripts()
	if len(scripts) == 0 {
		return notApplicable("needs-script.no-scripts")
	}
	switch {
	case f.doc.Words >= fewWords && len(f.doc.EmptyRoots) == 0 && !f.doc.AsksForScript.Exists():
		return notApplicable("needs-script.there")
	case !f.isMadeByScript():
		return pass("needs-script.enough", locale.Count(f.doc.Words))
	}
	sign := scripts[0]
	switch {
	case len(f.doc.EmptyRoots) > 0:
		sign = f.doc.EmptyRoots[0]
	case f.doc.AsksForScript.Exists():
		sign = f.doc.AsksForScript
	}
	found := fail([]Evidence{evidenceOf(f.doc, sign)}, "needs-script.empty", locale.Count(f.doc.Words))
	if f.isContentless() {
		return found.cap(contentlessLimit, "why.no-content-without-scripts")
	}
	return found
}

// ownScripts returns the scripts that browsers run.
func (f *facts) ownScripts() []page.Element {
	var found []page.Element
	for _, s := range f.doc.Scripts {
		if isJavaScript(s.MIME) {
			found = append(found, s.Element)
		}
	}
	return found
}

// isMadeByScript reports whether the page has practically no text, and scripts that would make it: it has an empty element for them or
// says that it needs them, or there is nothing else in it at all.
func (f *facts) isMadeByScript() bool {
	d := f.doc
	if d.Words >= loadingWords || len(d.Fields) > 0 || len(f.ownScripts()) == 0 {
		return false
	}
	return len(d.EmptyRoots) > 0 || d.AsksForScript.Exists() || d.Words == 0 && f.isContentless()
}

// isContentless reports whether the page has practically nothing to read, look at or fill in.
func (f *facts) isContentless() bool {
	d := f.doc
	if d.Words >= hardlyAnyWords || len(d.Videos)+len(d.Embeds)+len(d.Fields)+len(d.Frames)+len(d.Forms)+d.Total.Graphics > 0 {
		return false
	}
	for _, i := range d.Images {
		if i.Src != "" || i.Srcset != "" {
			return false
		}
	}
	return true
}
