package page

import (
	"strings"
	"testing"
)

func TestCountWords(t *testing.T) {
	for text, want := range map[string]int{
		"":                   0,
		"one two-three it's": 3,
		"— · … !":            0,
		"élan über 42 3.5":   4,
		"日本語の文章":             3,
		"日本語":                2,
		"東京 Tower":           2,
		"Привет, мир":        2,
	} {
		if got := countWords(text); got != want {
			t.Errorf("countWords(%q) = %d, want %d", text, got, want)
		}
	}
}

func TestLowerText(t *testing.T) {
	for _, text := range []string{"", "Plain [TEXT] @Z`z", "Ärger für 12 €, ÎLE İ Ω Привет ẞ", "cut \xC3 off \xFF"} {
		if got, want := lowerText(text), strings.ToLower(text); got != want {
			t.Errorf("lowerText(%q) = %q, want %q", text, got, want)
		}
	}
}
