package audit

import (
	"strings"
	"unicode"

	"golang.org/x/text/language"

	"sitegrade/locale"
)

// bibliographic are the codes of ISO 639-2/B that libraries use. The registry of BCP 47 does not have them.
var bibliographic = map[string]bool{
	"alb": true, "arm": true, "baq": true, "bur": true, "chi": true, "cze": true, "dut": true, "fre": true, "geo": true, "ger": true,
	"gre": true, "ice": true, "mac": true, "mao": true, "may": true, "per": true, "rum": true, "slo": true, "tib": true, "wel": true,
}

// isLanguage reports whether a subtag is a language of the IANA registry of language subtags (BCP 47), in any case. A language with a
// code of two letters has no other, so "eng" is not one.
func isLanguage(subtag string) bool {
	base, err := language.ParseBase(subtag)
	return err == nil && strings.EqualFold(base.String(), subtag) && !bibliographic[strings.ToLower(subtag)]
}

// isRegion reports whether a subtag of two letters is a region of the registry. UK is often used by mistake; the code is GB.
func isRegion(subtag string) bool {
	region, err := language.ParseRegion(subtag)
	return err == nil && strings.EqualFold(region.String(), subtag) && !strings.EqualFold(subtag, "UK")
}

// isCountry reports whether a subtag is a country of ISO 3166-1 alpha 2.
func isCountry(subtag string) bool {
	region, err := language.ParseRegion(subtag)
	return err == nil && len(subtag) == 2 && region.IsCountry() && isRegion(subtag)
}

func isScript(subtag string) bool {
	_, err := language.ParseScript(subtag)
	return err == nil
}

// faultOfTag returns what is wrong with a language tag; nothing when nothing is. The
// language, the script and the regions must be in the registry; what follows them only needs the form of BCP 47.
func faultOfTag(tag string) (none locale.Sentence) {
	shown := locale.Quoted(tag)
	if !isWellFormedTag(tag) {
		return locale.Say("html-lang-valid.malformed", shown)
	}
	subtags := strings.Split(tag, "-")
	if primary := subtags[0]; !isLanguage(primary) {
		if base, err := language.ParseBase(primary); err == nil && !strings.EqualFold(base.String(), primary) {
			return locale.Say("html-lang-valid.other-code", shown, locale.Text(base.String()))
		}
		return locale.Say("html-lang-valid.no-language", shown, locale.Quoted(primary))
	}
	for i, subtag := range subtags[1:] {
		switch {
		case len(subtag) == 1: // an extension
			return none
		case strings.EqualFold(subtag, "UK"):
			return locale.Say("html-lang-valid.uk", shown)
		case len(subtag) == 2 && !isRegion(subtag):
			return locale.Say("html-lang-valid.no-region", shown, locale.Quoted(subtag))
		case i == 0 && len(subtag) == 4 && !isScript(subtag) && subtag[0] > '9':
			return locale.Say("html-lang-valid.no-script", shown, locale.Quoted(subtag))
		}
	}
	return none
}

// isWellFormedTag reports whether a tag has the form of BCP 47: subtags of 1 to 8 letters and digits.
func isWellFormedTag(tag string) bool {
	for subtag := range strings.SplitSeq(tag, "-") {
		if len(subtag) == 0 || len(subtag) > 8 {
			return false
		}
		if strings.ContainsFunc(subtag, isNotInSubtag) {
			return false
		}
	}
	return true
}

func isNotInSubtag(r rune) bool {
	return r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r)
}
