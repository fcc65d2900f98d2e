package audit

import (
	"strings"

	"sitegrade/audit/page"
	"sitegrade/locale"
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
		source: "common practice: at least 10%",
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
		return pass("h1.found", locale.Quoted(f.doc.FirstH1()))
	}
	var empty tally
	for _, h := range f.doc.Headings {
		if h.Level == 1 {
			empty.addElement(f.doc, h.Element, nil)
		}
	}
	if empty.count > 0 {
		return fail(empty.evidence, "h1.empty", locale.Count(empty.count), locale.Count(empty.count))
	}
	return fail(nil, "common.no-h1")
}

func checkH1Single(f *facts) finding {
	var found []page.Element
	for _, h := range f.doc.MainHeadings() {
		found = append(found, h.Element)
	}
	switch len(found) {
	case 0:
		return notApplicable("common.no-h1")
	case 1:
		return pass("h1-single.one")
	}
	return fail(evidenceOfAll(f.doc, found), "h1-single.several", locale.Count(len(found)))
}

func checkH1Length(f *facts) finding {
	headings := f.doc.MainHeadings()
	if len(headings) == 0 {
		return notApplicable("common.no-h1")
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
		return fail(long.evidence, "h1-length.long", locale.Count(longest), locale.Count(maxH1))
	}
	return pass("h1-length.good", locale.Count(longest))
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
		return notApplicable("common.no-headings")
	case skipped.count > 0:
		return fail(skipped.evidence, "heading-order.skipped", locale.Count(skipped.count))
	}
	return pass("heading-order.all")
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
		return notApplicable("common.no-headings")
	case empty.count > 0:
		return fail(empty.evidence, "heading-empty.empty", locale.Count(empty.count), locale.Count(visible))
	}
	return pass("heading-empty.all", locale.Count(visible))
}

func checkWordCount(f *facts) finding {
	switch n := f.doc.Words; {
	case f.isContentless():
		return fail(nil, "word-count.contentless", locale.Count(n)).cap(contentlessLimit, "why.no-content")
	case n < fewWords:
		found := fail(nil, "word-count.few", locale.Count(n), locale.Count(fewWords))
		if n < hardlyText && len(f.doc.Fields) == 0 {
			found.severity = High
		}
		return found
	case n < enoughWords:
		return warn(nil, "word-count.some", locale.Count(n), locale.Count(enoughWords))
	default:
		return pass("word-count.many", locale.Count(n))
	}
}

func checkTextRatio(f *facts) finding {
	if len(f.doc.Source) == 0 {
		return notApplicable("common.page-empty")
	}
	share := 100 * len(f.doc.Text) / len(f.doc.Source)
	if share < minTextShare {
		return fail(nil, "text-ratio.little", locale.Percent(share), locale.Count(len(f.doc.Text)), locale.Count(len(f.doc.Source)))
	}
	return pass("text-ratio.good", locale.Percent(share), locale.Count(len(f.doc.Text)), locale.Count(len(f.doc.Source)))
}

func checkReadability(f *facts) finding {
	if !isEnglish(f.doc.Lang) {
		return notApplicable("readability.not-english")
	}
	ease, words := readingEase(f.doc.Passages)
	switch {
	case words < minReadableWords:
		return notApplicable("readability.few", locale.Count(minReadableWords))
	case ease < veryDifficult:
		return fail(nil, "readability.very-difficult", locale.Rounded(ease))
	case ease < difficult:
		return warn(nil, "readability.difficult", locale.Rounded(ease))
	default:
		return pass("readability.good", locale.Rounded(ease))
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
