package locale

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/text/language"
	"golang.org/x/text/message"
	"golang.org/x/text/number"
)

func TestPlurals(t *testing.T) {
	for args, want := range map[[2]int]string{
		{1, 1}: "The only form field has no label.", {1, 3}: "1 of 3 form fields has no label.", {2, 3}: "2 of 3 form fields have no label.",
		{2000, 3000}: "2,000 of 3,000 form fields have no label.",
	} {
		if got := For(English).Text("form-labels.missing", Count(args[0]), Count(args[1])); got != want {
			t.Errorf("%v: %q, want %q", args, got, want)
		}
	}
	if got := For(Portuguese).Text("crawl.pages", Count(0)); got != "0 páginas" {
		t.Errorf("no pages in Portuguese are %q", got)
	}
}

// oneFile returns the catalogue that a file makes, beside an English one.
func oneFile(t *testing.T, l Language, english, other string) *Catalogue {
	t.Helper()
	source, err := parse(English, []byte(english), nil)
	if err != nil {
		t.Fatal(err)
	}
	c, err := parse(l, []byte(other), source)
	if err != nil {
		t.Fatal(err)
	}
	c.format, source.format = For(l).format, For(English).format
	return c
}

func TestOrderOfPlaceholdersIsFree(t *testing.T) {
	c := oneFile(t, French, `
		[a]
		b = { one = "{n} link of {site:text} is broken.", other = "{n} links of {site:text} are broken." }
		c = "Only here: {n}."`, `
		[a]
		b = { one = "Sur {site}, {n} lien est cassé.", other = "Sur {site}, {n} liens sont cassés." }`)
	for n, want := range map[int]string{3_000_000: "Sur x, 3\u202f000\u202f000 liens sont cassés.", math.MaxInt64: "Sur x, 9\u202f223\u202f372\u202f036\u202f854\u202f775\u202f808 liens sont cassés.", -1: "Sur x, -1 lien est cassé.", 0: "Sur x, 0 lien est cassé.", 2: "Sur x, 2 liens sont cassés.", 5004: "Sur x, 5\u202f004 liens sont cassés."} {
		if got := c.Text("a.b", Count(n), Text("x")); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
	if got := c.Text("a.c", Count(5004)); got != "Only here: 5,004." {
		t.Errorf("what the language lacks: %q", got)
	}
	if got := c.Text("a.d"); got != "a.d" || c.Has("a.d") {
		t.Errorf("what no language has: %q", got)
	}
}

func TestFaultsOfFiles(t *testing.T) {
	english, err := parse(English, []byte("[a]\nb = \"{n} links\"\n[checks.x]\nname = \"X\""), nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, file := range map[string]string{
		"another placeholder": "[a]\nb = \"{m} liens\"", "another kind": "[a]\nb = \"{n:text} liens\"", "an id too many": "[a]\nc = \"liens\"",
		"not closed": "[a]\nb = \"{n liens\"", "no other": "[a]\nb = { one = \"{n} lien\" }", "a word too many": "[checks.x]\ntitle = \"X\"",
		"a check too many": "[checks.y]\nname = \"Y\"", "a number": "[a]\nb = 1",
	} {
		if _, err := parse(French, []byte(file), english); err == nil {
			t.Errorf("%s is no fault", name)
		}
	}
	if _, err := parse(English, []byte("[a]\nb = \"{n:thing}\""), nil); err == nil {
		t.Error("an unknown kind is no fault")
	}
}

var testDay = time.Date(2026, 11, 1, 23, 0, 0, 0, time.UTC)

// samples are one argument of each kind, as people write it in English and in German.
var samples = []struct {
	arg             Arg
	english, german string
}{
	{Count(5004), "5,004", "5.004"},
	{Count(-12), "-12", "-12"},
	{Rounded(62.5), "62", "62"},
	{Decimal(1234.56), "1,234.6", "1.234,6"},
	{Code(5004), "5004", "5004"},
	{Bytes(1), "1 byte", "1 Byte"},
	{Bytes(999), "999 bytes", "999 Byte"},
	{Bytes(1500), "1.5 kB", "1,5 kB"},
	{Bytes(2_340_000), "2.3 MB", "2,3 MB"},
	{Bytes(int64(1_000_000_000)), "1.0 GB", "1,0 GB"},
	{KiB(2667), "2,667 KiB", "2.667 KiB"},
	{Milliseconds(0.24), "0.2 ms", "0,2 ms"},
	{Milliseconds(240.4), "240 ms", "240 ms"},
	{Milliseconds(2400), "2.40 s", "2,40 s"},
	{Percent(12), "12%", "12\u00a0%"},
	{Date(testDay), "1 November 2026", "1. November 2026"},
	{Text(`a|b\`), `a|b\`, `a|b\`},
	{Quoted("say \"hi\"\u200b"), `"say \"hi\"\u200b"`, `„say "hi"\u200b“`},
	{List([]string{"a", "b"}), "a, b", "a, b"},
	{SeriesOf([]Arg{Text("a"), Phrase("why.no-title")}), "a; has no title", "a; has no title"},
	{Worded("is odd"), "is odd", "is odd"},
	{Phrase("why.nothing"), "Nothing that counts is wrong", "Nothing that counts is wrong"},
}

func TestArgs(t *testing.T) {
	for _, s := range samples {
		for l, want := range map[Language]string{English: s.english, German: s.german} {
			if l == German && (s.arg.kind == kindPhrase || s.arg.kind == kindSeries) {
				continue // its words are those of the catalogue
			}
			if got := string(For(l).appendArg(nil, "why", &s.arg)); got != want {
				t.Errorf("%s: %q, want %q", l, got, want)
			}
		}
		said := Say("a.b", s.arg, Count(1))
		read, err := ParseCompact(said.Compact())
		if err != nil || read.Compact() != said.Compact() || len(read.Args) != 2 {
			t.Errorf("%q is read as %q: %v", said.Compact(), read.Compact(), err)
		}
		if got := string(For(English).appendArg(nil, "why", &read.Args[0])); got != s.english {
			t.Errorf("%q is %q, want %q", said.Compact(), got, s.english)
		}
	}
	for _, wrong := range []string{"a.b|", "a.b|c", "a.b|cx", "a.b|z1", "a.b|fx\\|z"} {
		if _, err := ParseCompact(wrong); err == nil {
			t.Errorf("%q is a sentence", wrong)
		}
	}
}

// Unicode's tables say how numbers are grouped and with what.
func TestNumbersAreThoseOfCLDR(t *testing.T) {
	for _, l := range Languages() {
		p := message.NewPrinter(language.Make(string(l)))
		for _, n := range []int64{0, 999, 1000, 5004, 12_345, 1_234_567} {
			want := p.Sprint(number.Decimal(n))
			if l == Spanish && n >= 1000 && n < 10_000 {
				want = For(l).Count(n) // CLDR's minimumGroupingDigits is 2, which x/text does not know
			}
			if got := strings.ReplaceAll(For(l).Count(n), "\u202f", "\u00a0"); got != want { // CLDR has the narrow space since version 34
				t.Errorf("%s: %q, want %q", l, got, want)
			}
		}
		if got, want := string(For(l).appendFixed(nil, 2.5, 1)), p.Sprint(number.Decimal(2.5)); got != want {
			t.Errorf("%s: %q, want %q", l, got, want)
		}
	}
}

func TestMatch(t *testing.T) {
	for header, want := range map[string]Language{
		"": English, "de-AT,en;q=0.5": German, "fr": French, "es-419": Spanish, "pt-BR,pt;q=0.9": Portuguese, "ja": English, "ja,it;q=0.3": Italian,
		"*": English, "\x00;;": English, "en-GB": English,
	} {
		if got := Match(header); got != want {
			t.Errorf("%q: %s, want %s", header, got, want)
		}
	}
	for _, l := range Languages() {
		if got, ok := Parse(string(l)); !ok || got != l || l.Name() == "" {
			t.Errorf("%s is read as %s", l, got)
		}
	}
	if _, ok := Parse("DE"); ok {
		t.Error("DE is a code")
	}
	if For("").Language() != English || !slices.Contains(Languages(), Portuguese) {
		t.Error("no language is not English")
	}
}
