package brand

import (
	"math"
	"strings"
	"testing"
)

// TestWhateverTheColour holds that text is readable in every scheme made of every 15th step of red, green and blue.
func TestWhateverTheColour(t *testing.T) {
	const step = 15
	for r := 0; r < 256; r += step {
		for g := 0; g < 256; g += step {
			for b := 0; b < 256; b += step {
				c := Color{uint8(r), uint8(g), uint8(b)}
				if got := Contrast(c, c.Ink()); got < Readable {
					t.Fatalf("ink %s on %s has the contrast %.2f", c.Ink(), c, got)
				}
				holds(t, c, c.Light(), lightGrounds)
				holds(t, c, c.Dark(), darkGrounds)
			}
		}
	}
}

func holds(t *testing.T, c Color, s Scheme, grounds []Color) {
	t.Helper()
	if got := Contrast(s.Accent, s.OnAccent); got < Readable {
		t.Fatalf("of %s: %s on %s has the contrast %.2f", c, s.OnAccent, s.Accent, got)
	}
	for _, ground := range append([]Color{s.Soft}, grounds...) {
		if got := Contrast(s.Accent, ground); got < Readable {
			t.Fatalf("of %s: %s on %s has the contrast %.2f", c, s.Accent, ground, got)
		}
	}
}

func TestReadableColoursStayAsTheyAre(t *testing.T) {
	for _, text := range []string{"#23348f", "#000", "#8b0000"} {
		c, _ := ParseColor(text)
		if c.Light().Accent != c {
			t.Errorf("%s becomes %s", text, c.Light().Accent)
		}
	}
}

func TestParseColor(t *testing.T) {
	for text, want := range map[string]string{"#0a5": "#00aa55", "#00AA55": "#00aa55", "#fff": "#ffffff"} {
		if c, ok := ParseColor(text); !ok || c.String() != want {
			t.Errorf("%s is %s, %t", text, c, ok)
		}
	}
	for _, text := range []string{"", "#", "0a5", "#12", "#12345", "#ggg", "#+12", "#+12345", "red", "#0a5;}", "#1234567"} {
		if c, ok := ParseColor(text); ok {
			t.Errorf("%q is %s", text, c)
		}
	}
}

func TestContrast(t *testing.T) { // WCAG's own examples
	for _, c := range []struct {
		a, b string
		want float64
	}{{"#000", "#fff", 21}, {"#777777", "#fff", 4.48}, {"#ff0000", "#fff", 4.00}} {
		a, _ := ParseColor(c.a)
		b, _ := ParseColor(c.b)
		if got := Contrast(a, b); math.Abs(got-c.want) > 0.005 {
			t.Errorf("%s on %s has %.3f, not %.2f", c.a, c.b, got, c.want)
		}
	}
}

func TestStyleSheet(t *testing.T) {
	sheet := StyleSheet(Color{0xff, 0xee, 0})
	for _, part := range []string{"--brand:#ffee00;", "@media (prefers-color-scheme:dark)", "@media print"} {
		if !strings.Contains(sheet, part) {
			t.Errorf("no %s in %s", part, sheet)
		}
	}
}
