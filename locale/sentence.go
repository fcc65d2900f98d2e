package locale

import (
	"math"
	"time"
)

// Sentence is something that is said in words: the id of the words in a catalogue, and what fills their placeholders, in the order in which the
// English words have them. A text, a phrase within a sentence and a label are Sentences, too. The zero Sentence says nothing.
type Sentence struct {
	ID   string // "title-length.wrong", "failures.timeout"; "" for nothing
	Args []Arg
}

// Say returns a sentence.
func Say(id string, args ...Arg) Sentence { return Sentence{id, args} }

// IsZero reports whether the sentence says nothing.
func (s Sentence) IsZero() bool { return s.ID == "" }

// Arg is what fills a placeholder. It is written as people write its kind in a language.
type Arg struct {
	kind   Kind
	number float64
	text   string
	list   []Arg
	said   *Sentence // of a Phrase, nil where only its English text is known
}

// Kind says what an Arg is. Behind a placeholder's name in a catalogue stands the name of its kind, and none stands for a count.
type Kind byte

// The kinds. A kind is stored as its letter, which is never changed or used for another.
const (
	kindCount   Kind = 'c' // "5,004"
	kindDecimal Kind = 'd' // "1.5"
	kindCode    Kind = 'k' // a number that is a name: a status, a line, a port
	kindBytes   Kind = 'b' // "120.5 kB"
	kindKiB     Kind = 'i' // "500 KiB"
	kindTime    Kind = 'm' // "240 ms", "2.40 s"
	kindPercent Kind = 'p' // "12 %"
	kindDate    Kind = 'y' // a day
	kindText    Kind = 't' // verbatim: code, a URL, a name
	kindQuoted  Kind = 'q' // a text of the page, between quotation marks
	kindList    Kind = 'l' // "a, b, c"
	kindSeries  Kind = 's' // "a; b; c"
	kindPhrase  Kind = 'f' // a Sentence within the sentence
)

// kindNames are the kinds by what they are called in a catalogue.
var kindNames = map[string]Kind{
	"count": kindCount, "decimal": kindDecimal, "code": kindCode, "bytes": kindBytes, "kib": kindKiB, "ms": kindTime, "percent": kindPercent,
	"date": kindDate, "text": kindText, "quoted": kindQuoted, "list": kindList, "series": kindSeries, "phrase": kindPhrase,
}

// Number is what a number of things comes as.
type Number interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint8 | ~uint16 | ~uint32
}

// Count returns a number of things. The first count of a sentence chooses its plural form.
func Count[N Number](n N) Arg { return Arg{kind: kindCount, number: float64(n)} }

// Rounded returns a Count of a number that is rounded to a whole one, halves to the even one.
func Rounded(x float64) Arg { return Arg{kind: kindCount, number: math.RoundToEven(x)} }

// Decimal returns a number that is shown with one digit behind the point.
func Decimal(x float64) Arg { return Arg{kind: kindDecimal, number: x} }

// Code returns a number that is a name and never grouped, such as a status of HTTP or a line.
func Code[N Number](n N) Arg { return Arg{kind: kindCode, number: float64(n)} }

// Bytes returns a size, shown in bytes, kB, MB or GB.
func Bytes[N Number](n N) Arg { return Arg{kind: kindBytes, number: float64(n)} }

// KiB returns a size in units of 1,024 bytes.
func KiB[N Number](n N) Arg { return Arg{kind: kindKiB, number: float64(n)} }

// Milliseconds returns a duration, shown in ms or seconds.
func Milliseconds(ms float64) Arg { return Arg{kind: kindTime, number: ms} }

// Percent returns a percentage of 0 to 100, shown without digits behind the point.
func Percent[N Number](n N) Arg { return Arg{kind: kindPercent, number: float64(n)} }

// Date returns the day of a moment in UTC.
func Date(t time.Time) Arg {
	return Arg{kind: kindDate, number: math.Floor(float64(t.Unix()) / secondsOfDay)}
}

const secondsOfDay = 24 * 60 * 60

// Text returns a text that is the same in all languages: code, a URL, a name.
func Text(s string) Arg { return Arg{kind: kindText, text: s} }

// maxQuoted is how many characters of a quoted text are shown.
const maxQuoted = 80

// Quoted returns a text of a page that is shown between quotation marks, cut to 80 characters.
func Quoted(s string) Arg {
	if len(s) > maxQuoted {
		if runes := []rune(s); len(runes) > maxQuoted {
			s = string(runes[:maxQuoted]) + "…"
		}
	}
	return Arg{kind: kindQuoted, text: s}
}

// List returns texts that are shown with commas between them.
func List(texts []string) Arg {
	list := make([]Arg, len(texts))
	for i, t := range texts {
		list[i] = Text(t)
	}
	return Arg{kind: kindList, list: list}
}

// ListOf returns a List of anything.
func ListOf(args []Arg) Arg { return Arg{kind: kindList, list: args} }

// SeriesOf returns a list with semicolons, for parts that have commas of their own.
func SeriesOf(args []Arg) Arg { return Arg{kind: kindSeries, list: args} }

// Phrase returns a sentence within a sentence.
func Phrase(id string, args ...Arg) Arg { return PhraseOf(Say(id, args...)) }

// PhraseOf is Phrase for a Sentence.
func PhraseOf(s Sentence) Arg { return Arg{kind: kindPhrase, said: &s} }

// Worded returns a phrase of which only the English words are known. Other languages have it where the catalogue has these words under one of
// the ids that begin like that of the sentence, and show it in English where it does not.
func Worded(english string) Arg { return Arg{kind: kindPhrase, text: english} }
