package sortfilter

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestFold(t *testing.T) {
	tests := []struct{ in, want string }{
		{"", ""},
		{"example.com/a-z", "example.com/a-z"},
		{"Example.COM", "example.com"},
		{"Straße", "straße"},
		{"BÜCHER", "bücher"},
		{"ΣΊΣΥΦΟΣ σίσυφος", "σίσυφοσ σίσυφοσ"},
		{"\u212Aelvin", "kelvin"},
		{"ſ", "s"},
		{"İstanbul", "İstanbul"},
		{"ISPARTA", "isparta"},
		{"Ꭰꭰ", "ꭰꭰ"},
	}
	for _, test := range tests {
		if got := Fold(test.in); got != test.want {
			t.Errorf("Fold(%q) = %q, want %q", test.in, got, test.want)
		}
	}
}

// Every rune folds as all that simple folding takes for the same, to one of them, and to nothing else afterwards.
func TestFoldOfEveryRune(t *testing.T) {
	for r := rune(0); r <= utf8.MaxRune; r++ {
		if !utf8.ValidRune(r) {
			continue
		}
		folded := Fold(string(r))
		if Fold(folded) != folded {
			t.Fatalf("%U folds to %q and then to %q", r, folded, Fold(folded))
		}
		isMate := folded == string(r)
		for mate := unicode.SimpleFold(r); mate != r; mate = unicode.SimpleFold(mate) {
			if Fold(string(mate)) != folded {
				t.Fatalf("%U folds to %q and %U to %q", r, folded, mate, Fold(string(mate)))
			}
			isMate = isMate || folded == string(mate)
		}
		if !isMate {
			t.Fatalf("%U folds to %q, which is another letter", r, folded)
		}
	}
}

func TestFoldAgreesWithEqualFold(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		alphabet := rapid.SampledFrom([]rune("aAkKsSſKßẞσςΣiIıİéÉ0"))
		a, b := rapid.StringOfN(alphabet, 0, 3, -1).Draw(t, "a"), rapid.StringOfN(alphabet, 0, 3, -1).Draw(t, "b")
		if (Fold(a) == Fold(b)) != strings.EqualFold(a, b) {
			t.Fatalf("Fold(%q) = %q, Fold(%q) = %q, EqualFold says %v", a, Fold(a), b, Fold(b), strings.EqualFold(a, b))
		}
		if Fold(a+b) != Fold(a)+Fold(b) {
			t.Fatalf("Fold(%q) is not its parts'", a+b)
		}
	})
}

func TestFoldOfFoldedASCIIAllocatesNothing(t *testing.T) {
	const folded = "https://example.com/some/page?with=query"
	same := true
	if n := testing.AllocsPerRun(100, func() { same = same && Fold(folded) == folded }); n != 0 || !same {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkFold(b *testing.B) {
	for _, text := range []string{"https://example.com/some/page", "https://Example.com/Some/Page", "Bücher und Straßen"} {
		b.Run(text, func(b *testing.B) {
			for b.Loop() {
				Fold(text)
			}
		})
	}
}
