package locale

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// complete are the languages that must have everything that English has.
var complete = []Language{English, German, French, Spanish, Italian, Portuguese}

// alike are the ids and the words of checks that may be the same as in English although they are long: names of things, mostly.
var alike = map[Language][]string{
	German: {"checks.server-signature.mend"},
}

// given returns args for a sentence: its first count is n, and there are total of what it speaks of.
func (p *params) given(n, total int) []Arg {
	args := make([]Arg, len(p.kinds))
	for i, kind := range p.kinds {
		args[i] = map[Kind]Arg{
			kindCount: Count(5004 + i), kindDecimal: Decimal(1.5), kindCode: Code(404 + i), kindBytes: Bytes(1500), kindKiB: KiB(2667), kindTime: Milliseconds(240),
			kindPercent: Percent(12), kindDate: Date(testDay), kindText: Text(fmt.Sprintf("x%d", i)), kindQuoted: Quoted("Toys & more"),
			kindList: List([]string{"q", "r"}), kindSeries: SeriesOf([]Arg{Text("q"), Text("r")}), kindPhrase: Worded("zz zz"),
		}[kind]
	}
	if p.count >= 0 {
		args[p.count] = Count(n)
	}
	if p.total >= 0 {
		args[p.total] = Count(total)
	}
	return args
}

// amounts are numbers of things, and of how many.
var amounts = [][2]int{{1, 1}, {1, 3}, {2, 3}, {5004, 12_345}}

func TestEnglishWordsTellWhatTheySay(t *testing.T) {
	english := For(English)
	for _, id := range slices.Sorted(maps.Keys(english.said)) {
		w := english.said[id]
		if newPattern(id, w, w.forms[formOther]).literal == 0 || strings.HasPrefix(id, "ui.") && scopeOf(id) != "ui.faults" {
			continue // it is nothing but what it is given, or never looked for
		}
		for _, n := range amounts {
			said := Sentence{id, w.params.given(n[0], n[1])}
			text := english.Say(said)
			got, ok := Recognise(text, scopeOf(id))
			if !ok || got.Compact() != said.Compact() && english.Say(got) != text {
				t.Errorf("%s: %q is taken for %q", said.Compact(), text, got.Compact())
			} else if got.ID != id {
				t.Errorf("%s and %s both say %q", got.ID, id, text)
			}
		}
	}
	if got, ok := Recognise("Nobody ever said this.", "title-length"); ok {
		t.Errorf("what nobody said is taken for %q", got.Compact())
	}
	if got, ok := Recognise("The title has 5004 characters; 20 to 60 are recommended.", "title-length"); !ok || got.Compact() != "title-length.outside|c5004|c20|c60" {
		t.Errorf("a number as earlier versions wrote it is taken for %q", got.Compact())
	}
}

func TestCompleteLanguagesSayAll(t *testing.T) {
	english := For(English)
	for _, l := range complete {
		c := For(l)
		for id, w := range english.said {
			own := c.said[id]
			if own == nil {
				t.Errorf("%s: %s is missing", l, id)
				continue
			}
			holdsForms(t, l, id, w, own)
			if l != English {
				holdsTranslated(t, l, id, w.forms[formOther].source, own.forms[formOther].source)
			}
		}
		for _, id := range english.CheckIDs() {
			source, _ := english.Check(id)
			own, _ := c.Check(id)
			for name, text := range source.fields() {
				translated := *own.fields()[name]
				if (*text == "") != (translated == "") || strings.Count(*text, "`") != strings.Count(translated, "`") {
					t.Errorf("%s: checks.%s: %s is missing, or has other code in it: %q", l, id, name, translated)
				}
				if l != English && *text != "" {
					holdsTranslated(t, l, "checks."+id+"."+name, *text, translated)
				}
			}
		}
	}
}

var placeholder = regexp.MustCompile(`\{(\w+)`)

// holdsForms holds that the forms of a sentence have the placeholders that the English ones have, and say the same numbers.
func holdsForms(t *testing.T, l Language, id string, source, own *words) {
	t.Helper()
	names := func(form *template) string {
		found := map[string]bool{}
		for _, m := range placeholder.FindAllStringSubmatch(form.source, -1) {
			found[m[1]] = true
		}
		return strings.Join(slices.Sorted(maps.Keys(found)), " ")
	}
	if got, want := names(own.forms[formOther]), names(source.forms[formOther]); got != want {
		t.Errorf("%s: %s has the placeholders %s, not %s", l, id, got, want)
	}
	if (own.forms[formOnly] == nil) != (source.forms[formOnly] == nil) {
		t.Errorf("%s: %s has the form \"only\", or the English words have it", l, id)
	}
	for _, n := range amounts[1:] {
		args := source.params.given(n[0], n[1])
		got, want := digits(string(own.append(nil, For(l), scopeOf(id), args))), digits(string(source.append(nil, For(English), scopeOf(id), args)))
		if n[0] > 1 && got != want {
			t.Errorf("%s: %s says the numbers %s, not %s", l, id, got, want)
		}
	}
}

// digits returns the digits of a text, sorted: in another language numbers may stand in another order.
func digits(text string) string {
	var found []byte
	for i := range len(text) {
		if text[i] >= '0' && text[i] <= '9' {
			found = append(found, text[i])
		}
	}
	slices.Sort(found)
	return string(found)
}

// holdsTranslated holds that words of more than three are not the English ones, and have their digits.
func holdsTranslated(t *testing.T, l Language, id, source, own string) {
	t.Helper()
	if own == source && len(strings.Fields(source)) > 3 && !slices.Contains(alike[l], id) {
		t.Errorf("%s: %s is still English: %q", l, id, own)
	}
	if digits(source) != digits(own) {
		t.Errorf("%s: %s has other numbers: %q, %q", l, id, own, source)
	}
}
