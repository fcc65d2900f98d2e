package audit

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"sitegrade/audit/page"
	"sitegrade/locale"
)

// seoTitle are the checks of the title and the meta description.
var seoTitle = []check{
	{
		id: "document-title", severity: High,
		source: "Lighthouse document-title",
		run:    checkDocumentTitle,
	},
	{
		id: "title-length", severity: Low,
		source: "SEOnaut; Screaming Frog",
		run:    checkTitleLength,
	},
	{
		id: "title-width", severity: Low,
		source: "Screaming Frog: 561 pixels",
		run:    checkTitleWidth,
	},
	{
		id: "title-unique", severity: Medium,
		source: "SEOnaut; Screaming Frog",
		run:    checkTitleUnique,
	},
	{
		id: "title-differs-from-h1", severity: Info,
		source: "Screaming Frog",
		ofText: true,
		run:    checkTitleDiffers,
	},
	{
		id: "title-words-in-text", severity: Low,
		source: "derived from common content-keyword checks",
		ofText: true,
		run:    checkTitleWords,
	},
	{
		id: "meta-description", severity: Medium,
		source: "Lighthouse meta-description",
		run:    checkMetaDescription,
	},
	{
		id: "description-length", severity: Low,
		source: "SEOnaut; Screaming Frog",
		run:    checkDescriptionLength,
	},
	{
		id: "description-unique", severity: Low,
		source: "SEOnaut; Screaming Frog",
		run:    checkDescriptionUnique,
	},
}

const (
	minTitle, maxTitle             = 20, 60  // characters
	maxTitleWidth                  = 561     // pixels
	minDescription, maxDescription = 70, 160 // characters
)

func checkDocumentTitle(f *facts) finding {
	switch title := f.doc.Title(); {
	case title != "":
		return pass("document-title.found", locale.Quoted(title))
	case len(f.doc.Titles) > 0:
		return fail([]Evidence{evidenceOf(f.doc, f.doc.Titles[0].Element)}, "document-title.empty").cap(untitledLimit, "why.title-empty")
	}
	return fail(nil, "common.no-title").cap(untitledLimit, "why.no-title")
}

func checkTitleLength(f *facts) finding {
	title := f.doc.Title()
	if title == "" {
		return notApplicable("common.no-title")
	}
	n := countCharacters(title)
	if n < minTitle || n > maxTitle {
		return fail([]Evidence{evidenceOf(f.doc, f.doc.Titles[0].Element)},
			"title-length.outside", locale.Count(n), locale.Count(minTitle), locale.Count(maxTitle))
	}
	return pass("title-length.within", locale.Count(n))
}

func checkTitleWidth(f *facts) finding {
	title := f.doc.Title()
	if title == "" {
		return notApplicable("common.no-title")
	}
	width := textWidth(title)
	if width > maxTitleWidth {
		return fail([]Evidence{evidenceOf(f.doc, f.doc.Titles[0].Element)}, "title-width.cut", locale.Count(width), locale.Count(maxTitleWidth))
	}
	return pass("title-width.whole", locale.Count(width))
}

func checkTitleUnique(f *facts) finding {
	var found []page.Element
	for _, t := range f.doc.Titles {
		if t.InHead {
			found = append(found, t.Element)
		}
	}
	switch len(found) {
	case 0:
		return notApplicable("title-unique.none")
	case 1:
		return pass("title-unique.one")
	}
	return fail(evidenceOfAll(f.doc, found), "title-unique.several", locale.Count(len(found)))
}

func checkTitleDiffers(f *facts) finding {
	title, h1 := f.doc.Title(), f.doc.FirstH1()
	switch {
	case title == "" || h1 == "":
		return notApplicable("title-differs-from-h1.missing")
	case strings.EqualFold(title, h1):
		return fail(nil, "title-differs-from-h1.same", locale.Quoted(title))
	}
	return pass("title-differs-from-h1.different")
}

func checkTitleWords(f *facts) finding {
	words := contentWords(f.doc.Title())
	if len(words) == 0 || f.doc.Words == 0 {
		return notApplicable("title-words-in-text.missing")
	}
	text := f.doc.LowerText()
	present := 0
	for _, w := range words {
		if strings.Contains(text, w) {
			present++
		}
	}
	if present == 0 {
		return fail([]Evidence{evidenceOf(f.doc, f.doc.Titles[0].Element)}, "title-words-in-text.none")
	}
	return pass("title-words-in-text.some", locale.Count(present), locale.Count(len(words)))
}

func checkMetaDescription(f *facts) finding {
	m, ok := f.doc.FirstMeta("description")
	switch {
	case !ok:
		return fail(nil, "common.no-description")
	case strings.TrimSpace(m.Content) == "":
		return fail([]Evidence{evidenceOf(f.doc, m.Element)}, "meta-description.empty")
	}
	return pass("meta-description.found", locale.Quoted(page.Fold(m.Content)))
}

func checkDescriptionLength(f *facts) finding {
	m, _ := f.doc.FirstMeta("description")
	n := countCharacters(page.Fold(m.Content))
	switch {
	case n == 0:
		return notApplicable("common.no-description")
	case n < minDescription || n > maxDescription:
		return fail([]Evidence{evidenceOf(f.doc, m.Element)},
			"description-length.outside", locale.Count(n), locale.Count(minDescription), locale.Count(maxDescription))
	}
	return pass("description-length.within", locale.Count(n))
}

func checkDescriptionUnique(f *facts) finding {
	var found []page.Element
	for _, m := range f.doc.Metas {
		if m.Name == "description" && !m.InBody {
			found = append(found, m.Element)
		}
	}
	switch len(found) {
	case 0:
		return notApplicable("common.no-description")
	case 1:
		return pass("description-unique.one")
	}
	return fail(evidenceOfAll(f.doc, found), "description-unique.several", locale.Count(len(found)))
}

// stopWords are frequent words that say nothing about a page, in the languages that most pages are written in.
var stopWords = wordSet(`a an and are as at be by for from how in is it of on or our that the this to what with you your
	der die das den dem ein eine und oder für von mit zu zum zur im ist auf
	el la los las un una y o de del en con para por que es
	le les une et ou des du au aux dans pour sur avec est
	il lo gli e di da per che com os um uma em no na`)

func wordSet(words string) map[string]bool {
	set := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		set[w] = true
	}
	return set
}

// contentWords returns the words of a text in lower case, without stop words.
func contentWords(text string) []string {
	var words []string
	for _, w := range strings.FieldsFunc(strings.ToLower(text), isNoWordPart) {
		if !stopWords[w] {
			words = append(words, w)
		}
	}
	return words
}

func isNoWordPart(r rune) bool {
	if r < utf8.RuneSelf {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9')
	}
	return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.Is(unicode.M, r)
}
