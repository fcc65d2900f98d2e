package terminal

import (
	"strings"
	"testing"
)

func TestCleanLeavesNothingThatATerminalObeys(t *testing.T) {
	tests := []struct{ hostile, want string }{
		{"a title", "a title"},
		{"red \x1b[31mtext\x1b[0m", "red [31mtext [0m"},
		{"\x1b]0;window title\x07rest", "]0;window title rest"},
		{"C1 \u009b31m", "C1 31m"},
		{"over\rwritten\b\b", "over written"},
		{"two\nlines\t tab", "two lines tab"},
		{"turned \u202etxt.exe\u2066x\u2069\u200f", "turned txt.exex"},
		{"line\u2028separator", "line separator"},
		{"zero\u200bwidth\ufeff\u00ad", "zerowidth"},
		{"tag \U000e0041", "tag"},
		{"joined \u200c\u200d stays", "joined \u200c\u200d stays"},
		{"broken \xff\xc3 bytes", "broken \ufffd\ufffd bytes"},
		{"\x00nul\x7fdel", "nul del"},
		{"Ünïcödé 漢字 👍", "Ünïcödé 漢字 👍"},
	}
	for _, test := range tests {
		if got := Clean(test.hostile); got != test.want {
			t.Errorf("%q becomes %q, want %q", test.hostile, got, test.want)
		}
	}
}

func TestWrap(t *testing.T) {
	tests := []struct {
		text string
		wide int
		want string
	}{
		{"", 10, ""},
		{"one two three", 7, "one two|three"},
		{"one two three", 3, "one|two|thr|ee"},
		{"https://example.com/a/long/path end", 10, "https://ex|ample.com/|a/long/pat|h end"},
		{"漢字漢字", 5, "漢字|漢字"},
		{"漢", 1, "漢"},
		{"e\u0301e\u0301 e\u0301", 2, "e\u0301e\u0301|e\u0301"},
	}
	for _, test := range tests {
		if got := strings.Join(Wrap(test.text, test.wide), "|"); got != test.want {
			t.Errorf("%q in %d: %q, want %q", test.text, test.wide, got, test.want)
		}
	}
}

func TestShorten(t *testing.T) {
	for _, test := range []struct {
		text string
		wide int
		want string
	}{
		{"short", 5, "short"}, {"longer", 5, "long…"}, {"漢字漢字", 6, "漢字…"},
	} {
		if got := Shorten(test.text, test.wide); got != test.want {
			t.Errorf("%q in %d: %q, want %q", test.text, test.wide, got, test.want)
		}
	}
}

func TestShortenStart(t *testing.T) {
	for _, test := range []struct {
		text string
		wide int
		want string
	}{
		{"short", 5, "short"}, {"longer", 5, "…nger"}, {"漢字漢字", 6, "…漢字"}, {"漢字", 2, "…"},
	} {
		if got := ShortenStart(test.text, test.wide); got != test.want {
			t.Errorf("%q in %d: %q, want %q", test.text, test.wide, got, test.want)
		}
	}
}

// FuzzWrap holds that wrapping loses nothing but white space and keeps every line in its width.
func FuzzWrap(f *testing.F) {
	f.Add("one two three", 5)
	f.Add("漢字 and e\u0301", 3)
	f.Fuzz(func(t *testing.T, text string, wide int) {
		if wide < 2 || wide > 200 {
			return
		}
		text = Clean(text)
		lines := Wrap(text, wide)
		for _, line := range lines {
			if Width(line) > wide {
				t.Errorf("%q needs more than %d columns", line, wide)
			}
		}
		if got, want := strings.Join(lines, ""), text; strings.ReplaceAll(got, " ", "") != strings.ReplaceAll(want, " ", "") {
			t.Errorf("%q became %q", want, got)
		}
	})
}
