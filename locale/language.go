package locale

import (
	"slices"

	"golang.org/x/text/language"
)

// Language is one that reports and pages are shown in, by its code of ISO 639-1. The zero Language is none: who asks for words in it gets
// English.
type Language string

// The languages. English is the source of all others.
const (
	English    Language = "en"
	German     Language = "de"
	French     Language = "fr"
	Spanish    Language = "es"
	Italian    Language = "it"
	Portuguese Language = "pt"
)

// languages are all of them, English first.
var languages = []Language{English, German, French, Spanish, Italian, Portuguese}

// Languages returns all languages, English first.
func Languages() []Language { return slices.Clone(languages) }

// Codes returns the codes of all languages, English first.
func Codes() []string {
	var codes []string
	for _, l := range languages {
		codes = append(codes, string(l))
	}
	return codes
}

// Parse returns the language with a code such as "de", or false for a code that stands for none of them. It knows no other spelling.
func Parse(code string) (Language, bool) {
	l := Language(code)
	return l, slices.Contains(languages, l)
}

// Name returns what the language calls itself, for people who choose it: "Deutsch".
func (l Language) Name() string { return names[l] }

var names = map[Language]string{
	English: "English", German: "Deutsch", French: "Français", Spanish: "Español", Italian: "Italiano", Portuguese: "Português",
}

// plurals returns the language whose plurals the words have. Portuguese has those of Portugal, where zero takes the plural: "0 páginas".
func (l Language) plurals() language.Tag {
	if l == Portuguese {
		return language.EuropeanPortuguese
	}
	return language.Make(string(l))
}

var matcher = language.NewMatcher(tags())

func tags() []language.Tag {
	var all []language.Tag
	for _, l := range languages {
		all = append(all, language.Make(string(l)))
	}
	return all
}

// Match returns the language that fits the header Accept-Language of a request best: English where none fits or the header is not one.
func Match(acceptLanguage string) Language {
	wanted, _, err := language.ParseAcceptLanguage(acceptLanguage)
	if err != nil {
		return English
	}
	_, i, confidence := matcher.Match(wanted...)
	if confidence == language.No {
		return English
	}
	return languages[i]
}
