package locale

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"golang.org/x/text/feature/plural"
)

// words are a sentence in one language: a template for each form.
type words struct {
	forms  [formCount]*template
	params *params
}

// The forms are those of CLDR, by their numbers there, and one of our own.
const (
	formOther = int(plural.Other)
	formOnly  = 6 // of what is the only one of its kind: the placeholder "total" is 1
	formCount = 7
)

var formNames = map[string]int{
	"other": formOther, "zero": int(plural.Zero), "one": int(plural.One), "two": int(plural.Two), "few": int(plural.Few), "many": int(plural.Many), "only": formOnly,
}

// params are the placeholders of a sentence, in the order in which the English words have them.
type params struct {
	names []string
	kinds []Kind
	count int // the first count; -1 without one
	total int // that named "total"; -1 without one
}

// template is a text with placeholders.
type template struct {
	source string
	parts  []part
}

// part is a literal text and the placeholder behind it, -1 for none.
type part struct {
	literal string
	arg     int
}

// compile makes words of their forms. params are those of the English words, nil where these are the English words.
func compile(forms map[int]string, known *params) (*words, error) {
	if forms[formOther] == "" {
		return nil, fmt.Errorf("the form %q is missing", "other")
	}
	w := &words{params: known}
	if known == nil {
		w.params = &params{}
		for _, form := range []int{formOther, int(plural.One), formOnly} {
			if err := w.params.collect(forms[form]); err != nil {
				return nil, err
			}
		}
		w.params.find()
	}
	for form, text := range forms {
		t, err := w.params.compile(text)
		if err != nil {
			return nil, err
		}
		w.forms[form] = t
	}
	return w, nil
}

// collect notes the placeholders of an English text.
func (p *params) collect(text string) error {
	return eachPlaceholder(text, func(_, name, kind string) error {
		if slices.Contains(p.names, name) {
			return nil
		}
		k, ok := kindNames[kind]
		if !ok && kind != "" {
			return fmt.Errorf("the placeholder {%s:%s} has an unknown kind", name, kind)
		}
		if kind == "" {
			k = kindCount
		}
		p.names, p.kinds = append(p.names, name), append(p.kinds, k)
		return nil
	}, nil)
}

// find finds the placeholders that choose the form.
func (p *params) find() {
	p.count, p.total = slices.Index(p.kinds, kindCount), slices.Index(p.names, "total")
}

func (p *params) compile(text string) (*template, error) {
	t := &template{source: text}
	last := ""
	err := eachPlaceholder(text, func(before, name, kind string) error {
		i := slices.Index(p.names, name)
		switch {
		case i < 0:
			return fmt.Errorf("the English words have no placeholder {%s}", name)
		case kind != "" && kindNames[kind] != p.kinds[i]:
			return fmt.Errorf("the placeholder {%s:%s} has another kind than in the English words", name, kind)
		}
		t.parts = append(t.parts, part{before, i})
		return nil
	}, func(rest string) { last = rest })
	if last != "" {
		t.parts = append(t.parts, part{last, -1})
	}
	return t, err
}

// eachPlaceholder calls visit for each placeholder of a text, with the text before it, and end with the text behind the last one. "{{" stands
// for a brace.
func eachPlaceholder(text string, visit func(before, name, kind string) error, end func(rest string)) error {
	literal := ""
	for {
		before, behind, found := strings.Cut(text, "{")
		literal += before
		if !found {
			break
		}
		if rest, escaped := strings.CutPrefix(behind, "{"); escaped {
			literal, text = literal+"{", rest
			continue
		}
		inside, rest, closed := strings.Cut(behind, "}")
		name, kind, _ := strings.Cut(inside, ":")
		if !closed || name == "" {
			return fmt.Errorf("a placeholder of %q is not closed or has no name", text)
		}
		if err := visit(literal, name, kind); err != nil {
			return err
		}
		literal, text = "", rest
	}
	if end != nil {
		end(literal)
	}
	return nil
}

// choose returns the form for these args.
func (w *words) choose(c *Catalogue, args []Arg) *template {
	p := w.params
	if only := w.forms[formOnly]; only != nil && p.total >= 0 && p.total < len(args) && args[p.total].number == 1 {
		return only
	}
	if p.count >= 0 && p.count < len(args) {
		if t := w.forms[c.pluralOf(args[p.count].number)]; t != nil {
			return t
		}
	}
	return w.forms[formOther]
}

// million is what the plurals of numbers look at that are too large for anything else: whether they are whole millions.
const million = 1_000_000

// pluralOf returns the form of a whole number.
func (c *Catalogue) pluralOf(n float64) plural.Form {
	if n = math.Abs(n); n >= million {
		n = million + math.Mod(n, million)
	}
	return plural.Cardinal.MatchPlural(c.tag, int(n), 0, 0, 0, 0)
}

// append appends the words with their placeholders filled. scope is what the ids begin with among which Worded phrases are looked for.
func (w *words) append(b []byte, c *Catalogue, scope string, args []Arg) []byte {
	for _, p := range w.choose(c, args).parts {
		b = append(b, p.literal...)
		if p.arg >= 0 && p.arg < len(args) {
			b = c.appendArg(b, scope, &args[p.arg])
		}
	}
	return b
}
