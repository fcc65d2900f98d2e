package locale

import (
	"cmp"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Recognise returns the sentence that a text in English is: one of those whose ids are in the scope (what an id has before its last dot; for
// details, the id of the check) or that several scopes share. It reports false where there is none. Reports of earlier versions keep their
// sentences as texts, and this is how they are shown in other languages.
func Recognise(english, scope string) (Sentence, bool) {
	if strings.Contains(english, " %") {
		english = spacedPercent.ReplaceAllString(english, "$1%")
	}
	for _, p := range patternsOf(scope) {
		if s, ok := p.match(english); ok {
			return s, true
		}
	}
	return Sentence{}, false
}

// Translate returns a text in English in the words of the catalogue, or as it is where it is not recognised. scope is that of Recognise.
func (c *Catalogue) Translate(english, scope string) string {
	if c.english == nil {
		return english
	}
	if said, ok := Recognise(english, scope); ok {
		return c.Say(said)
	}
	return english
}

// spacedPercent is how earlier versions wrote percentages.
var spacedPercent = regexp.MustCompile(`(\d) %`)

// commonScope is where the sentences are that several scopes share.
const commonScope = "common"

// pattern is one form of a sentence in English.
type pattern struct {
	id      string
	words   *words
	scope   string
	form    *template
	literal int    // bytes that are not placeholders
	before  string // what stands before the first placeholder
	behind  string // what stands behind the last one
	text    *regexp.Regexp
}

var patterns sync.Map // of a scope's []pattern

// patternsOf returns the patterns of a scope and of those that it shares: first those that begin with words of their own, which are surer than
// such as begin with what may be anything, and among them those with the most words of their own.
func patternsOf(scope string) []pattern {
	if made, ok := patterns.Load(scope); ok {
		return made.([]pattern)
	}
	var made []pattern
	for id, w := range For(English).said {
		if in := scopeOf(id); in != scope && in != commonScope {
			continue
		}
		for _, form := range w.forms {
			if form == nil {
				continue
			}
			if p := newPattern(id, w, form); p.literal > 0 {
				made = append(made, p)
			}
		}
	}
	slices.SortFunc(made, func(a, b pattern) int {
		return cmp.Or(cmp.Compare(min(len(b.before), 1), min(len(a.before), 1)), cmp.Compare(b.literal, a.literal), strings.Compare(a.id, b.id), strings.Compare(a.form.source, b.form.source))
	})
	if len(made) > 0 {
		patterns.Store(scope, made)
	}
	return made
}

func newPattern(id string, w *words, form *template) pattern {
	p := pattern{id: id, words: w, scope: scopeOf(id), form: form}
	var b strings.Builder
	b.WriteString("(?s)^")
	for i, part := range form.parts {
		if i == 0 {
			p.before = part.literal
		}
		if part.arg < 0 {
			p.behind = part.literal
		}
		b.WriteString(regexp.QuoteMeta(part.literal))
		p.literal += len(part.literal)
		if part.arg >= 0 {
			b.WriteString(w.params.kinds[part.arg].pattern())
		}
	}
	b.WriteString("$")
	p.text = regexp.MustCompile(b.String())
	return p
}

// pattern returns a group that an Arg of the kind matches in English.
func (k Kind) pattern() string {
	switch k {
	case kindCount, kindCode:
		return `(-?\d[\d,]*)`
	case kindDecimal:
		return `(-?\d[\d,]*\.\d+)`
	case kindPercent:
		return `(-?\d[\d,]*%)`
	case kindBytes:
		return `(-?\d[\d,.]* (?:bytes?|kB|MB|GB))`
	case kindKiB:
		return `(-?\d[\d,]* KiB)`
	case kindTime:
		return `(-?\d[\d,.]* (?:ms|s))`
	case kindDate:
		return `(\d{1,2} [A-Z][a-z]+ \d{4}|\d{4}-\d{2}-\d{2})`
	case kindQuoted:
		return `("(?:[^"\\]|\\.)*")`
	}
	return `(.+?)`
}

// match returns the sentence that the text is.
func (p *pattern) match(english string) (Sentence, bool) {
	if !strings.HasPrefix(english, p.before) || !strings.HasSuffix(english, p.behind) {
		return Sentence{}, false
	}
	found := p.text.FindStringSubmatch(english)
	if found == nil {
		return Sentence{}, false
	}
	args := p.given()
	for i, part := range p.form.parts {
		if part.arg < 0 {
			continue
		}
		arg, ok := p.words.params.kinds[part.arg].read(found[1+i], p.scope)
		if !ok {
			return Sentence{}, false
		}
		args[part.arg] = arg
	}
	return Sentence{ID: p.id, Args: args}, p.words.choose(For(English), args) == p.form
}

// given returns the args that a form stands for which does not name them.
func (p *pattern) given() []Arg {
	params := p.words.params
	if len(params.kinds) == 0 {
		return nil
	}
	args := make([]Arg, len(params.kinds))
	for i, kind := range params.kinds {
		args[i] = Arg{kind: kind}
	}
	if params.count >= 0 {
		args[params.count].number = 1
	}
	if params.total >= 0 {
		args[params.total].number = 1
	}
	return args
}

// read reads what an Arg of the kind is in English.
func (k Kind) read(text, scope string) (Arg, bool) {
	a := Arg{kind: k}
	var err error
	switch k {
	case kindCount, kindCode, kindDecimal, kindPercent, kindKiB:
		a.number, err = readNumber(strings.TrimSuffix(strings.TrimSuffix(text, "%"), " KiB"))
	case kindBytes, kindTime:
		number, unit, _ := strings.Cut(text, " ")
		a.number, err = readNumber(number)
		a.number = math.Round(a.number*unitValues[unit]*1000) / 1000
	case kindDate:
		day, failed := time.Parse("2 January 2006", text)
		if failed != nil {
			day, err = time.Parse(time.DateOnly, text)
		}
		a.number = float64(day.Unix() / secondsOfDay)
	case kindQuoted:
		a.text, err = strconv.Unquote(text)
	case kindList:
		a.list = readList(text, ", ", scope)
	case kindSeries:
		a.list = readList(text, "; ", scope)
	case kindPhrase:
		if s, ok := Recognise(text, scope); ok {
			return PhraseOf(s), true
		}
		a.text = text
	default:
		a.text = text
	}
	return a, err == nil
}

// unitValues are what the units of sizes and durations stand for, in bytes and milliseconds.
var unitValues = map[string]float64{"byte": 1, "bytes": 1, "kB": 1e3, "MB": 1e6, "GB": 1e9, "ms": 1, "s": 1000}

func readNumber(text string) (float64, error) {
	return strconv.ParseFloat(strings.ReplaceAll(text, ",", ""), 64)
}

// readList reads a list, whose entries are phrases where the scope has them, and texts where not.
func readList(text, separator, scope string) []Arg {
	var list []Arg
	for entry := range strings.SplitSeq(text, separator) {
		if s, ok := Recognise(entry, scope); ok {
			list = append(list, PhraseOf(s))
		} else {
			list = append(list, Text(entry))
		}
	}
	return list
}
