// Package brand makes what an account says of itself fit to be shown: its colour readable on every page, its logo a picture and nothing else.
package brand

import (
	"fmt"
	"math"
	"strconv"
)

// Color is a colour of sRGB: red, green and blue, 0 to 255.
type Color [3]uint8

// ParseColor reads #rgb or #rrggbb, and reports whether it is one of them.
func ParseColor(s string) (c Color, ok bool) {
	if len(s) == 4 {
		s = string([]byte{s[0], s[1], s[1], s[2], s[2], s[3], s[3]})
	}
	if len(s) != 7 || s[0] != '#' {
		return c, false
	}
	n, err := strconv.ParseUint(s[1:], 16, 24)
	return Color{uint8(n >> 16), uint8(n >> 8), uint8(n)}, err == nil
}

// String returns the colour as #rrggbb.
func (c Color) String() string { return fmt.Sprintf("#%02x%02x%02x", c[0], c[1], c[2]) }

// luminance is the relative luminance of WCAG 2.2.
func (c Color) luminance() float64 {
	linear := func(channel uint8) float64 {
		v := float64(channel) / 255
		if v <= 0.04045 {
			return v / 12.92
		}
		return math.Pow((v+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(c[0]) + 0.7152*linear(c[1]) + 0.0722*linear(c[2])
}

// Contrast returns the contrast ratio of two colours, 1 to 21 (WCAG 2.2).
func Contrast(a, b Color) float64 {
	x, y := a.luminance(), b.luminance()
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

// mix returns the colour with a share of another, 0 to 1.
func (c Color) mix(other Color, share float64) Color {
	for i := range c {
		c[i] = uint8(math.Round(float64(c[i])*(1-share) + float64(other[i])*share))
	}
	return c
}

// Readable is the contrast that text has at least.
const Readable = 4.5

var black, white = Color{}, Color{255, 255, 255}

// Ink returns the one of black and white that is easier to read on a colour. Its contrast is at least 4.58.
func (c Color) Ink() Color {
	if Contrast(c, white) >= Contrast(c, black) {
		return white
	}
	return black
}

// Scheme are the colours that a page takes from a brand.
type Scheme struct {
	Accent   Color // of links and buttons: readable on every ground of the page
	OnAccent Color // of text on it
	Soft     Color // a ground that is tinted with it
}

// The grounds that pages have, and how much of the accent tints another (style.css).
var (
	lightGrounds = []Color{{255, 255, 255}, {0xf7, 0xf7, 0xf8}, {0xf1, 0xf1, 0xf4}}
	darkGrounds  = []Color{{0x0c, 0x0d, 0x10}, {0x15, 0x16, 0x1b}, {0x1c, 0x1e, 0x24}}
)

// Light returns the scheme of light pages and of paper.
func (c Color) Light() Scheme { return c.scheme(lightGrounds, black, 0.08) }

// Dark returns the scheme of dark pages.
func (c Color) Dark() Scheme { return c.scheme(darkGrounds, white, 0.12) }

// scheme mixes as little of the end, black or white, into a colour as makes it readable on all grounds and on the one that it tints.
func (c Color) scheme(grounds []Color, end Color, tint float64) Scheme {
	for step := 0.0; ; step += 0.01 {
		accent := c.mix(end, min(step, 1))
		s := Scheme{Accent: accent, OnAccent: accent.Ink(), Soft: grounds[len(grounds)-1].mix(accent, tint)}
		if step >= 1 || s.readable(grounds) {
			return s
		}
	}
}

func (s Scheme) readable(grounds []Color) bool {
	for _, g := range append([]Color{s.Soft}, grounds...) {
		if Contrast(s.Accent, g) < Readable {
			return false
		}
	}
	return true
}

// StyleSheet returns CSS that gives a page with our style sheet the colours of a brand. --brand is the colour as it was given, for what
// nobody has to read.
func StyleSheet(c Color) string {
	light, dark := declarations(c.Light()), declarations(c.Dark())
	return fmt.Sprintf(":root{--brand:%s;%s}\n@media (prefers-color-scheme:dark){:root{%s}}\n@media print{:root{%s}}\n", c, light, dark, light)
}

func declarations(s Scheme) string {
	return fmt.Sprintf("--accent:%s;--on-accent:%s;--accent-soft:%s", s.Accent, s.OnAccent, s.Soft)
}
