package audit

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"sitegrade/audit/page"
)

// seoTitle are the checks of the title and the meta description.
var seoTitle = []check{
	{
		id: "document-title", severity: High,
		advice: "Give the page a title element that names what it is about.",
		source: "Lighthouse document-title",
		run:    checkDocumentTitle,
	},
	{
		id: "title-length", severity: Low,
		advice: "Write a title of 20 to 60 characters.",
		source: "SEOnaut; Screaming Frog",
		run:    checkTitleLength,
	},
	{
		id: "title-width", severity: Low,
		advice: "Shorten the title so that search results show it whole.",
		source: "Screaming Frog: 561 pixels",
		run:    checkTitleWidth,
	},
	{
		id: "title-unique", severity: Medium,
		advice: "Keep one title element in the head.",
		source: "SEOnaut; Screaming Frog",
		run:    checkTitleUnique,
	},
	{
		id: "title-differs-from-h1", severity: Info,
		advice: "Use the title to say more than the heading does: people see it among other search results.",
		source: "Screaming Frog",
		ofText: true,
		run:    checkTitleDiffers,
	},
	{
		id: "title-words-in-text", severity: Low,
		advice: "Use the words of the title in the text, or choose a title that fits the text.",
		source: "derived from common content-keyword checks",
		ofText: true,
		run:    checkTitleWords,
	},
	{
		id: "meta-description", severity: Medium,
		advice: "Describe the page in one or two sentences in a meta description.",
		source: "Lighthouse meta-description",
		run:    checkMetaDescription,
	},
	{
		id: "description-length", severity: Low,
		advice: "Write a description of 70 to 160 characters.",
		source: "SEOnaut; Screaming Frog",
		run:    checkDescriptionLength,
	},
	{
		id: "description-unique", severity: Low,
		advice: "Keep one meta description.",
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
		return pass("The title is %s.", quote(title))
	case len(f.doc.Titles) > 0:
		return fail([]Evidence{evidenceOf(f.doc, f.doc.Titles[0].Element)}, "The title is empty.").cap(untitledLimit, "has an empty title")
	}
	return fail(nil, "The page has no title.").cap(untitledLimit, "has no title")
}

func checkTitleLength(f *facts) finding {
	title := f.doc.Title()
	if title == "" {
		return notApplicable("The page has no title.")
	}
	n := countCharacters(title)
	if n < minTitle || n > maxTitle {
		return fail([]Evidence{evidenceOf(f.doc, f.doc.Titles[0].Element)},
			"The title has %s; %d to %d are recommended.", plural(n, "character", "characters"), minTitle, maxTitle)
	}
	return pass("The title has %s.", plural(n, "character", "characters"))
}

func checkTitleWidth(f *facts) finding {
	title := f.doc.Title()
	if title == "" {
		return notApplicable("The page has no title.")
	}
	width := textWidth(title)
	if width > maxTitleWidth {
		return fail([]Evidence{evidenceOf(f.doc, f.doc.Titles[0].Element)},
			"The title is about %d pixels wide; search results cut it at %d.", width, maxTitleWidth)
	}
	return pass("The title is about %d pixels wide.", width)
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
		return notApplicable("The head has no title.")
	case 1:
		return pass("The head has one title.")
	}
	return fail(evidenceOfAll(f.doc, found), "The head has %d titles.", len(found))
}

func checkTitleDiffers(f *facts) finding {
	title, h1 := f.doc.Title(), f.doc.FirstH1()
	switch {
	case title == "" || h1 == "":
		return notApplicable("The page has no title or no h1.")
	case strings.EqualFold(title, h1):
		return fail(nil, "The title and the first heading are both %s.", quote(title))
	}
	return pass("The title and the first heading differ.")
}

func checkTitleWords(f *facts) finding {
	words := contentWords(f.doc.Title())
	if len(words) == 0 || f.doc.Words == 0 {
		return notApplicable("The page has no title with words, or no text.")
	}
	text := f.doc.LowerText()
	present := 0
	for _, w := range words {
		if strings.Contains(text, w) {
			present++
		}
	}
	if present == 0 {
		return fail([]Evidence{evidenceOf(f.doc, f.doc.Titles[0].Element)}, "The text contains not one word of the title.")
	}
	return pass("%s.", share(present, len(words), "word of the title", "words of the title", "is in the text"))
}

func checkMetaDescription(f *facts) finding {
	m, ok := f.doc.FirstMeta("description")
	switch {
	case !ok:
		return fail(nil, "The page has no meta description.")
	case strings.TrimSpace(m.Content) == "":
		return fail([]Evidence{evidenceOf(f.doc, m.Element)}, "The meta description is empty.")
	}
	return pass("The description is %s.", quote(page.Fold(m.Content)))
}

func checkDescriptionLength(f *facts) finding {
	m, _ := f.doc.FirstMeta("description")
	n := countCharacters(page.Fold(m.Content))
	switch {
	case n == 0:
		return notApplicable("The page has no meta description.")
	case n < minDescription || n > maxDescription:
		return fail([]Evidence{evidenceOf(f.doc, m.Element)},
			"The description has %s; %d to %d are recommended.", plural(n, "character", "characters"), minDescription, maxDescription)
	}
	return pass("The description has %s.", plural(n, "character", "characters"))
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
		return notApplicable("The page has no meta description.")
	case 1:
		return pass("The page has one meta description.")
	}
	return fail(evidenceOfAll(f.doc, found), "The page has %d meta descriptions.", len(found))
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
