package audit

import "strings"

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
		return notApplicableText("The html element has no lang.")
	}
	claimed := languageOf(lang)
	if claimed == nil {
		return notApplicableText("The language %s is not one of the %d that this check recognises.", quote(lang), len(languages))
	}
	text := listen(f.doc.Passages)
	if text.length() < minSpokenWords {
		return notApplicableText("The page has fewer than %d words in its own language.", minSpokenWords)
	}
	switch found, seen := text.judge(claimed); found {
	case disagrees:
		return failText([]Evidence{evidenceOf(f.doc, f.doc.HTML)}, "The page says that it is in %s (lang=%s), but its text seems to be in %s.",
			claimed.name, quote(lang), seen.name)
	case unsure:
		return notApplicableText("The language of the text is not certain.")
	}
	for _, version := range f.alternates() {
		listed := languageOf(version.hreflang)
		if listed == nil || !f.isItself(version) {
			continue
		}
		if found, seen := text.judge(listed); found == disagrees {
			return failText([]Evidence{version.show(f.doc)}, "The page lists itself as its version in %s (hreflang=%s), but its text seems to be in %s.",
				listed.name, quote(version.hreflang), seen.name)
		}
	}
	return passText("The text is in %s, as the page says.", claimed.name)
}
