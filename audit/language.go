package audit

import (
	"math/bits"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"sitegrade/audit/page"
)

const (
	maxDetectedWords = 3000     // how many words of a text are looked at for its language; those of the beginning are enough
	maxDetectedBytes = 48 << 10 // likewise, for scripts without spaces: so many words of others are shorter
	longestFrequent  = 24       // how many bytes a frequent word has at most
	unspacedWeight   = 3        // how many letters of an alphabet say about as much as one character of Han, kana or Hangul
)

// spoken is what the words of a text say about its language.
type spoken struct {
	letters [scripts]int // by script; characters that stand for syllables or words count unspacedWeight
	words   int          // in scripts that have languages to tell apart
	heard   []int        // by index of languages: words that are frequent in it
	scores  []float64    // likewise, each word shared among the languages that have it
}

// script is a way of writing.
type script uint8

const (
	otherScript script = iota
	latin
	cyrillic
	arabic
	greek
	hebrew
	hangul
	kana
	han
	thai
	scripts // how many there are
)

// listen looks at the words of a text that are in the page's own language.
func listen(passages []page.Passage) spoken {
	s := spoken{heard: make([]int, len(languages)), scores: make([]float64, len(languages))}
	left := maxDetectedBytes
	for _, p := range passages {
		if p.Foreign {
			continue
		}
		text := p.Text[:min(left, len(p.Text))]
		if left -= len(text); !s.listenTo(text) || left == 0 {
			break
		}
	}
	return s
}

// listenTo hears the words of a text, and reports whether more of them are wanted.
func (s *spoken) listenTo(text string) (more bool) {
	for text != "" {
		n := 0
		for n < len(text) && lowerASCII[text[n]] != 0 {
			n++
		}
		if n < len(text) && text[n] >= utf8.RuneSelf { // the word may go on
			if rest := strings.IndexFunc(text[n:], isNoWordPart); rest >= 0 {
				n += rest
			} else {
				n = len(text)
			}
		}
		if n == 0 { // between words
			_, size := utf8.DecodeRuneInString(text)
			text = text[size:]
			continue
		}
		if s.words++; s.words > maxDetectedWords {
			return false
		}
		s.hear(text[:n])
		text = text[n:]
	}
	return true
}

// lowerASCII has the letters and digits of ASCII in lower case, and 0 for all other bytes.
var lowerASCII = func() (lower [256]byte) {
	for c := range lower {
		if c < utf8.RuneSelf && !isNoWordPart(rune(c)) {
			lower[c] = byte(unicode.ToLower(rune(c)))
		}
	}
	return lower
}()

// hear counts a word.
func (s *spoken) hear(word string) {
	var lower [longestFrequent]byte
	letters := 0
	for i := range len(word) {
		c := lowerASCII[word[i]]
		if c == 0 {
			s.hearUnicode(word)
			return
		}
		if c >= 'a' {
			letters++
		}
		if i < len(lower) {
			lower[i] = c
		}
	}
	s.letters[latin] += letters
	if len(word) <= len(lower) {
		s.recognise(frequentWords[string(lower[:len(word)])])
	}
}

// hearUnicode counts a word that has more than ASCII.
func (s *spoken) hearUnicode(word string) {
	for _, r := range word {
		switch w := scriptOf(r); w {
		case otherScript:
		case kana, han, hangul:
			s.letters[w] += unspacedWeight
		default:
			s.letters[w]++
		}
	}
	s.recognise(frequentWords[strings.ToLower(word)])
}

// recognise counts a word for the languages in which it is frequent.
func (s *spoken) recognise(in uint64) {
	share := 1 / float64(max(bits.OnesCount64(in), 1))
	for ; in != 0; in &= in - 1 {
		i := bits.TrailingZeros64(in)
		s.heard[i]++
		s.scores[i] += share
	}
}

// scriptOf returns the script of a letter.
func scriptOf(r rune) script {
	switch {
	case r < 0x80:
		if 'a' <= r|0x20 && r|0x20 <= 'z' {
			return latin
		}
		return otherScript
	case r < 0x250 || 0x1E00 <= r && r < 0x1F00:
		if unicode.IsLetter(r) {
			return latin
		}
		return otherScript
	case 0x370 <= r && r < 0x400 || 0x1F00 <= r && r < 0x2000:
		return greek
	case 0x400 <= r && r < 0x530:
		return cyrillic
	case 0x590 <= r && r < 0x600:
		return hebrew
	case 0x600 <= r && r < 0x780 || 0xFB50 <= r && r < 0xFE00 || 0xFE70 <= r && r < 0xFEFF:
		return arabic
	case 0xE00 <= r && r < 0xE80:
		return thai
	case 0x3040 <= r && r < 0x3100:
		return kana
	case 0x4E00 <= r && r < 0xA000: // most of Han
		return han
	case unicode.Is(unicode.Hangul, r):
		return hangul
	case unicode.Is(unicode.Han, r):
		return han
	}
	return otherScript
}

const (
	dominance     = 0.3  // share of letters from which a script other than Latin is that of the text
	purelyLatin   = 0.9  // share of Latin letters from which a text has no other script
	leastFrequent = 0.10 // share of frequent words from which a language is recognised
	fewestHeard   = 8    // how many of them that takes at least
	clearLead     = 2.0  // how many times as many of them another language must have than the claimed one
	nearlyBest    = 0.8  // with this share of the best language's words, the claimed one is as likely
)

// length returns how many words the text has. In scripts that are written without spaces, two characters count as a word.
func (s spoken) length() int {
	return s.words + (s.letters[kana]+s.letters[han])/(2*unspacedWeight) + s.letters[thai]/8
}

// script returns the script of the text, and false when it is mixed or unknown.
func (s spoken) script() (script, bool) {
	total := 0
	for _, n := range s.letters {
		total += n
	}
	share := func(of ...script) float64 {
		sum := 0
		for _, w := range of {
			sum += s.letters[w]
		}
		return float64(sum) / float64(max(total, 1))
	}
	if share(latin) >= purelyLatin {
		return latin, true
	}
	for _, w := range []script{cyrillic, arabic, greek, hebrew, hangul, thai} {
		if share(w) >= dominance && share(w)+share(latin) >= purelyLatin {
			return w, true
		}
	}
	if share(kana, han) < dominance || share(kana, han, latin) < purelyLatin {
		return otherScript, false
	}
	switch kanas := float64(s.letters[kana]) / float64(s.letters[kana]+s.letters[han]); {
	case kanas >= 0.15:
		return kana, true
	case kanas <= 0.03:
		return han, true
	}
	return otherScript, false
}

// verdict says how a text and the language that is claimed for it go together.
type verdict uint8

const (
	unsure verdict = iota
	agrees
	disagrees
)

// judge compares the text with the language that is claimed for it, and returns the one that it seems to have.
func (s spoken) judge(claimed *knownLanguage) (verdict, *knownLanguage) {
	written, ok := s.script()
	if !ok {
		return unsure, nil
	}
	best, alone := s.best(written)
	claim := slices.IndexFunc(languages, func(l knownLanguage) bool { return l.code == claimed.code })
	switch heard, score := s.heard[best], s.scores[best]; {
	case alone && best == claim:
		return agrees, claimed
	case alone:
		return disagrees, &languages[best]
	case heard < fewestHeard || float64(heard) < leastFrequent*float64(s.words):
	case claimed.script == written && s.scores[claim] >= nearlyBest*score:
		return agrees, claimed
	case claimed.script != written || s.scores[claim]*clearLead <= score:
		return disagrees, &languages[best]
	}
	return unsure, nil
}

// best returns the index of the language of a script that the words speak for most, and reports whether it is the only one of the
// script.
func (s spoken) best(written script) (best int, alone bool) {
	found := 0
	for i := range languages {
		if languages[i].script != written {
			continue
		}
		if found++; found == 1 || s.scores[i] > s.scores[best] {
			best = i
		}
	}
	return best, found == 1
}

// languageOf returns the language that a tag such as "de-AT" names, or nil when it is not one of those that are recognised.
func languageOf(tag string) *knownLanguage {
	primary, _, _ := strings.Cut(strings.ToLower(strings.TrimSpace(tag)), "-")
	if other, ok := languageAliases[primary]; ok {
		primary = other
	}
	for i := range languages {
		if languages[i].code == primary {
			return &languages[i]
		}
	}
	return nil
}
