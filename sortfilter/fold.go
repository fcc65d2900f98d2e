package sortfilter

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Fold returns s in the form that names and addresses are compared, sorted and searched in: Unicode simple case folding, rune by
// rune, so that Fold(a+b) is Fold(a)+Fold(b). Two strings that differ only in case have the same form; accents still count. An ASCII
// text that is folded already is given back without allocating. Bytes that are not UTF-8 become U+FFFD where anything changes.
func Fold(s string) string {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return strings.Map(foldRune, s)
		}
	}
	return strings.ToLower(s) // of ASCII: the same thing, and s itself where nothing changes
}

// foldRune returns the one representative of all runes that simple folding takes for the same. Runes that fold to nothing else
// must not go through ToLower: İ has the lower case i, but is not the same letter as I.
func foldRune(r rune) rune {
	if unicode.SimpleFold(r) == r {
		return r
	}
	return unicode.ToLower(unicode.ToUpper(r))
}
