package audit

import (
	"strings"

	"sitegrade/locale"
)

// seoLanguage is the check of what the page says of its language against its text.
var seoLanguage = []check{{
	id: "lang-matches-text", severity: Medium,
	source: "ACT rule ucwvc8; WCAG 3.1.1",
	ofText: true,
	run:    checkLangMatchesText,
}}

// minSpokenWords is how many words a text needs for its language to be recognised.
const minSpokenWords = 50

func checkLangMatchesText(f *facts) finding {
	lang := strings.TrimSpace(f.doc.Lang)
	if lang == "" {
		return notApplicable("lang-matches-text.no-lang")
	}
	claimed := languageOf(lang)
	if claimed == nil {
		return notApplicable("lang-matches-text.unknown", locale.Quoted(lang), locale.Count(len(languages)))
	}
	text := listen(f.doc.Passages)
	if text.length() < minSpokenWords {
		return notApplicable("lang-matches-text.few", locale.Count(minSpokenWords))
	}
	switch found, seen := text.judge(claimed); found {
	case disagrees:
		return fail([]Evidence{evidenceOf(f.doc, f.doc.HTML)}, "lang-matches-text.other", claimed.said(), locale.Quoted(lang), seen.said())
	case unsure:
		return notApplicable("lang-matches-text.unsure")
	}
	for _, version := range f.alternates() {
		listed := languageOf(version.hreflang)
		if listed == nil || !f.isItself(version) {
			continue
		}
		if found, seen := text.judge(listed); found == disagrees {
			return fail([]Evidence{version.show(f.doc)}, "lang-matches-text.listed-as-other",
				listed.said(), locale.Quoted(version.hreflang), seen.said())
		}
	}
	return pass("lang-matches-text.same", claimed.said())
}
