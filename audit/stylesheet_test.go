package audit

import "testing"

func TestReadStylesheet(t *testing.T) {
	tests := []struct {
		name, source string
		want         cssFacts
	}{
		{"empty", "", cssFacts{}},
		{"imports", "@import 'a.css'; @IMPORT url(b.css) screen;", cssFacts{imports: 2}},
		{"in strings and comments", `/* @import 'a.css'; */ a::before{content:"@font-face{"}`, cssFacts{}},
		{"fonts", "@font-face{font-display:swap;src:url(a)} @font-face{src:url(b)}", cssFacts{fonts: 2, fontsHidden: 1}},
		{"a font within a media query", "@media print{@font-face{src:url(a)}} a{font-display:swap}", cssFacts{fonts: 1, fontsHidden: 1}},
		{"cut in a font", "@font-face{font-family:a", cssFacts{fonts: 1, fontsHidden: 1}},
		{"no block", "@font-face", cssFacts{fonts: 1, fontsHidden: 1}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := readStylesheet([]byte(test.source)); got != test.want {
				t.Errorf("got %+v, want %+v", got, test.want)
			}
		})
	}
}

func TestMinifiedSize(t *testing.T) {
	tests := []struct {
		name, mime, source string
		want               string // what a minifier leaves; "" where the source cannot be read
	}{
		{"css", "text/css", "a {\n  color : red;\n}\n/* x */", "a{color:red}"},
		{"css with mistakes", "text/css", "a { color red } b{c:d}", "a{color red}b{c:d}"},
		{"js keeps names", "text/javascript", "function add ( first, second ) {\n  return first + second // sum\n}", "function add(first,second){return first+second}"},
		{"js with mistakes", "text/javascript", "function {", ""},
		{"HTML as js", "text/javascript", "<!doctype html>", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			size, ok := minifiedSize(test.mime, []byte(test.source))
			if ok != (test.want != "") || ok && size != len(test.want) {
				t.Errorf("got %d, %v, want %d", size, ok, len(test.want))
			}
		})
	}
}

// FuzzStylesheet holds that no stylesheet breaks the reader and that it counts no font twice.
func FuzzStylesheet(f *testing.F) {
	f.Add([]byte("@font-face{font-display:swap}@import 'a.css';"))
	f.Add([]byte("@media{@font-face{{{"))
	f.Add([]byte("}img, .a >b:is(c,#{width:1px}}"))
	f.Fuzz(func(t *testing.T, source []byte) {
		if got := readStylesheet(source); got.fontsHidden > got.fonts || (got.fonts+got.imports)*len("@import") > len(source) {
			t.Errorf("%q: %+v", source, got)
		}
		for _, rule := range sizeRules(source) {
			rule.fits("", nil)
		}
	})
}

// FuzzMinifiedSize holds that neither minifier brings the program down, which a stack that overflows would.
func FuzzMinifiedSize(f *testing.F) {
	f.Add("a { color : red }")
	f.Add("function add(a, b) { return `${a+b}` }")
	f.Fuzz(func(t *testing.T, source string) {
		minifiedSize("text/css", []byte(source))
		minifiedSize("text/javascript", []byte(source))
	})
}
