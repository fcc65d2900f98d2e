package audit

import "unicode"

// countCharacters counts characters as people see them: a letter with its accents is one, and so is a flag or a joined emoji. It
// follows the main rules of Unicode's grapheme clusters (UAX 29).
func countCharacters(s string) int {
	n, joined, flagOpen := 0, false, false
	for _, r := range s {
		isFlag := r >= 0x1F1E6 && r <= 0x1F1FF
		switch {
		case r == zeroWidthJoiner:
			joined = true
			continue
		case extendsCharacter(r):
			continue
		case joined:
		case isFlag && flagOpen:
			flagOpen = false
			continue
		default:
			n++
		}
		joined, flagOpen = false, isFlag
	}
	return n
}

const zeroWidthJoiner = 0x200D

// extendsCharacter reports whether a rune belongs to the character before it: accents, vowel signs, variation selectors and the
// skin tones of emoji.
func extendsCharacter(r rune) bool {
	return r > 0x2FF && (unicode.Is(unicode.M, r) || r >= 0x1F3FB && r <= 0x1F3FF || r >= 0xE0020 && r <= 0xE007F)
}

// titleSize is the size of the letters of a title in search results, in pixels.
const titleSize = 20

// textWidth estimates how many pixels wide search results show a title: in Arial or a face of the same widths.
func textWidth(s string) int {
	thousandths := 0
	for _, r := range s {
		thousandths += runeWidth(r)
	}
	return (thousandths*titleSize + 500) / 1000
}

// runeWidth returns the width of a character in thousandths of the letter size; an average where it has no entry.
func runeWidth(r rune) int {
	switch {
	case r < 0x80:
		return asciiWidths[r]
	case r == zeroWidthJoiner || extendsCharacter(r):
		return 0
	case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul) || r >= 0x1F000 || r >= 0xFF01 && r <= 0xFF60:
		return 1000
	case unicode.IsUpper(r):
		return 700
	}
	return 540
}

// asciiWidths are the widths of the letters of Arial, in thousandths of the letter size.
var asciiWidths = func() (widths [0x80]int) {
	for _, class := range []struct {
		width      int
		characters string
	}{
		{191, `'`}, {222, "ijl"}, {260, "|"}, {278, ` !,./:;I[\]ft`}, {334, "()-`r{}"}, {355, `"`}, {389, "*"}, {469, "^"},
		{500, "Jckvxyzs"}, {556, "#$0123456789?L_abdeghnopqu"}, {584, "+<=>~"}, {611, "FTZ"}, {667, "&ABEKPSVXY"},
		{722, "CDHNRUw"}, {778, "GOQ"}, {833, "Mm"}, {889, "%"}, {944, "W"}, {1015, "@"},
	} {
		for _, c := range class.characters {
			widths[c] = class.width
		}
	}
	return widths
}()
