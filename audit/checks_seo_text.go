package audit

import (
	"strings"

	"sitegrade/audit/page"
)

// seoText are the checks of the headings and the text.
var seoText = []check{
	{
		id: "h1", severity: High,
		source: "SEOnaut; Screaming Frog",
		ofText: true,
		run:    checkH1,
	},
	{
		id: "h1-single", severity: Low,
		source: "Screaming Frog",
		ofText: true,
		run:    checkH1Single,
	},
	{
		id: "h1-length", severity: Low,
		source: "Screaming Frog",
		ofText: true,
		run:    checkH1Length,
	},
	{
		id: "heading-order", severity: Low,
		source: "Lighthouse heading-order",
		ofText: true,
		run:    checkHeadingOrder,
	},
	{
		id: "heading-empty", severity: Low,
		source: "Lighthouse empty-heading",
		ofText: true,
		run:    checkHeadingEmpty,
	},
	{
		id: "word-count", severity: Medium,
		source: "SEOnaut: 200 words; 500 for a full page",
		ofText: true,
		run:    checkWordCount,
	},
	{
		id: "text-ratio", severity: Low,
		source: "common practice: at least 10 %",
		ofText: true,
		run:    checkTextRatio,
	},
	{
		id: "readability", severity: Info,
		source: "Flesch reading ease; Screaming Frog",
		ofText: true,
		run:    checkReadability,
	},
}

const (
	maxH1                    = 70 // characters
	fewWords, enoughWords    = 200, 500
	hardlyText               = 50 // words; a page with fewer, and without a form, says hardly anything
	minTextShare             = 10 // percent
	minReadableWords         = 100
	veryDifficult, difficult = 30, 50 // of Flesch reading ease
)

func checkH1(f *facts) finding {
	if len(f.doc.MainHeadings()) > 0 {
		return passText("The main heading is %s.", quote(f.doc.FirstH1()))
	}
	var empty tally
	for _, h := range f.doc.Headings {
		if h.Level == 1 {
			empty.addElement(f.doc, h.Element, nil)
		}
	}
	if empty.count > 0 {
		return failText(empty.evidence, "%s.", share(empty.count, empty.count, "h1 element", "h1 elements", "has no text"))
	}
	return failText(nil, "The page has no h1.")
}

func checkH1Single(f *facts) finding {
	var found []page.Element
	for _, h := range f.doc.MainHeadings() {
		found = append(found, h.Element)
	}
	switch len(found) {
	case 0:
		return notApplicableText("The page has no h1.")
	case 1:
		return passText("The page has one h1.")
	}
	return failText(evidenceOfAll(f.doc, found), "The page has %d h1 elements with text.", len(found))
}

func checkH1Length(f *facts) finding {
	headings := f.doc.MainHeadings()
	if len(headings) == 0 {
		return notApplicableText("The page has no h1.")
	}
	longest := 0
	var long tally
	for _, h := range headings {
		n := countCharacters(h.Text)
		longest = max(longest, n)
		if n > maxH1 {
			long.addElement(f.doc, h.Element, nil)
		}
	}
	if long.count > 0 {
		return failText(long.evidence, "The h1 has %d characters; at most %d are recommended.", longest, maxH1)
	}
	return passText("The h1 has %s.", plural(longest, "character", "characters"))
}

func checkHeadingOrder(f *facts) finding {
	var skipped tally
	last := 0
	for _, h := range f.doc.Headings {
		if h.Hidden {
			continue
		}
		if last > 0 && h.Rank > last+1 {
			skipped.addElement(f.doc, h.Element, nil)
		}
		last = h.Rank
	}
	switch {
	case last == 0:
		return notApplicableText("The page has no headings.")
	case skipped.count > 0:
		return failText(skipped.evidence, "%s.", counted(skipped.count, "heading", "headings", "skips a level"))
	}
	return passText("No heading skips a level.")
}

func checkHeadingEmpty(f *facts) finding {
	var empty tally
	visible := 0
	for _, h := range f.doc.Headings {
		if h.Hidden {
			continue
		}
		visible++
		if !h.Named {
			empty.addElement(f.doc, h.Element, nil)
		}
	}
	switch {
	case visible == 0:
		return notApplicableText("The page has no headings.")
	case empty.count > 0:
		return failText(empty.evidence, "%s.", share(empty.count, visible, "heading", "headings", "has no text"))
	}
	return passText("%s.", every(visible, "heading", "headings", "has text"))
}

func checkWordCount(f *facts) finding {
	switch n := f.doc.Words; {
	case f.isContentless():
		return failText(nil, "The page has practically no content: %s, and no images, media or forms.",
			plural(n, "word", "words")).capText(contentlessLimit, "has practically no content")
	case n < fewWords:
		found := failText(nil, "The page has %s of visible text; at least %d are recommended.", plural(n, "word", "words"), fewWords)
		if n < hardlyText && len(f.doc.Fields) == 0 {
			found.severity = High
		}
		return found
	case n < enoughWords:
		return warnText(nil, "The page has %d words of visible text; %d make a full page.", n, enoughWords)
	default:
		return passText("The page has %d words of visible text.", n)
	}
}

func checkTextRatio(f *facts) finding {
	if len(f.doc.Source) == 0 {
		return notApplicableText("The page is empty.")
	}
	share := 100 * len(f.doc.Text) / len(f.doc.Source)
	if share < minTextShare {
		return failText(nil, "Only %d %% of the HTML is text: %d of %d bytes.", share, len(f.doc.Text), len(f.doc.Source))
	}
	return passText("%d %% of the HTML is text: %d of %d bytes.", share, len(f.doc.Text), len(f.doc.Source))
}

func checkReadability(f *facts) finding {
	if !isEnglish(f.doc.Lang) {
		return notApplicableText("Only English pages are rated.")
	}
	ease, words := readingEase(f.doc.Passages)
	switch {
	case words < minReadableWords:
		return notApplicableText("The page has fewer than %d words of running text in sentences.", minReadableWords)
	case ease < veryDifficult:
		return failText(nil, "The Flesch reading ease is %.0f: very difficult to read.", ease)
	case ease < difficult:
		return warnText(nil, "The Flesch reading ease is %.0f: difficult to read.", ease)
	default:
		return passText("The Flesch reading ease is %.0f.", ease)
	}
}

func isEnglish(lang string) bool {
	primary, _, _ := strings.Cut(strings.TrimSpace(lang), "-")
	return strings.EqualFold(primary, "en")
}

// readingEase returns the Flesch reading ease of the English text that runs in sentences, and how many words that has. The formula is
// 206.835 - 1.015 words a sentence - 84.6 syllables a word.
func readingEase(passages []page.Passage) (ease float64, words int) {
	syllables, sentences := 0, 0
	for _, p := range passages {
		if p.Linked || p.Foreign || !endsSentence(p.Text) {
			continue
		}
		for w := range strings.FieldsSeq(p.Text) {
			if n := countSyllables(w); n > 0 {
				words++
				syllables += n
			}
			if endsSentence(w) {
				sentences++
			}
		}
	}
	if words == 0 {
		return 100, 0
	}
	return 206.835 - 1.015*float64(words)/float64(sentences) - 84.6*float64(syllables)/float64(words), words
}

// endsSentence reports whether a text ends as a sentence, or a part of it that reads like one, does.
func endsSentence(text string) bool {
	text = strings.TrimRight(text, "\"')]”’")
	return text != "" && strings.IndexByte(".!?:;", text[len(text)-1]) >= 0
}

// countSyllables estimates the syllables of an English word: the groups of vowels, without a silent e at the end. A word
// without letters has 0.
func countSyllables(word string) int {
	groups, letters, inVowels := 0, 0, false
	last := byte(0)
	for i := 0; i < len(word); i++ {
		c := word[i] | 0x20
		if c < 'a' || c > 'z' {
			continue
		}
		letters++
		vowel := strings.IndexByte("aeiouy", c) >= 0
		if vowel && !inVowels {
			groups++
		}
		if c == 'e' && groups > 1 && isLastLetter(word[i+1:]) && last != 'l' {
			groups--
		}
		inVowels, last = vowel, c
	}
	if letters > 0 && groups == 0 {
		return 1
	}
	return groups
}

// isLastLetter reports whether no letter follows.
func isLastLetter(rest string) bool {
	for i := 0; i < len(rest); i++ {
		if c := rest[i] | 0x20; 'a' <= c && c <= 'z' {
			return false
		}
	}
	return true
}
