package header

import (
	"slices"
	"strings"
	"testing"
)

func TestOpenerPolicy(t *testing.T) {
	accepted := []string{
		"same-origin", " same-origin ", `same-origin; report-to="a, b;c"`, "same-origin;a", "same-origin; a=1; b=-2.5; c=?0; d=tok:/en; e=:YQ==:",
		`same-origin; a="\"\\"`, "same-origin;a=@1659578233", `same-origin;a=%"f%c3%bc"`, "same-origin;a=123456789012345", "same-origin;*a_-.*=1",
	}
	for _, value := range accepted {
		if got := OpenerPolicy([]string{value}); got != "same-origin" {
			t.Errorf("%q: %q", value, got)
		}
	}
	refused := []string{
		"", " ", ";", "unsafe-none", "SAME-ORIGIN", "Same-Origin", `"same-origin"`, "(same-origin)", "same-origin,", "same-origin, same-origin",
		"same-origin;", "same-origin; report-to=", "same-origin;;", "same-origin;A=1", "same-origin; report-to='a'", `same-origin;a="b`, `same-origin;a="\b"`,
		"same-origin x", "\tsame-origin", "same-origin;a=1234567890123456", "same-origin;a=1.", "same-origin;a=1.2345", "same-origin;a=?2", "same-origin;a=:a",
		"same-origin;a=@1.5", `same-origin;a=%"%C3"`, `same-origin;a=%"`, "same-origin;a=-", "same-origin;a=ü", "same-origin-plus-coep", "\"",
	}
	for _, value := range refused {
		if got := OpenerPolicy([]string{value}); got != "" {
			t.Errorf("%q: %q", value, got)
		}
	}
	if got := OpenerPolicy([]string{"same-origin", "same-origin"}); got != "" {
		t.Errorf("two headers: %q", got)
	}
	for _, value := range []string{"same-origin-allow-popups", "noopener-allow-popups"} {
		if got := OpenerPolicy([]string{value}); got != value {
			t.Errorf("%q: %q", value, got)
		}
	}
}

func TestPermissionsPolicy(t *testing.T) {
	tests := []struct {
		lines []string
		want  []string
		ok    bool
	}{
		{nil, nil, true},
		{[]string{"camera=()"}, []string{"camera"}, true},
		{[]string{`camera=(), geolocation=(self "https://a.example"),fullscreen=*`, "usb"}, []string{"camera", "geolocation", "fullscreen", "usb"}, true},
		{[]string{"camera=();report-to=a, usb=self"}, []string{"camera", "usb"}, true},
		{[]string{"camera 'none'"}, nil, false},
		{[]string{"camera 'none'; geolocation 'self'"}, nil, false},
		{[]string{"camera=(),"}, nil, false},
		{[]string{"Camera=()"}, nil, false},
		{[]string{"camera=(self"}, nil, false},
		{[]string{"camera=('self')"}, nil, false},
		{[]string{`camera=(self"https://a.example")`}, nil, false},
		{[]string{"camera=() usb=()"}, nil, false},
		{[]string{"camera=none;"}, nil, false},
		{[]string{"camera="}, nil, false},
	}
	for _, test := range tests {
		if got, ok := PermissionsPolicy(test.lines); !slices.Equal(got, test.want) || ok != test.ok {
			t.Errorf("PermissionsPolicy(%q) = %q, %v", test.lines, got, ok)
		}
	}
}

// FuzzStructured holds that a dictionary stays one with another member, and what is none stays none.
func FuzzStructured(f *testing.F) {
	f.Add(`camera=(self "https://a.example";a=1.5), b;c=:YQ==:;d=@1, e=%"%c3%bc"`)
	f.Fuzz(func(t *testing.T, line string) {
		line = strings.TrimLeft(line, " \t") // tabs are allowed after a comma, but not at the start
		before, ok := PermissionsPolicy([]string{line})
		after, still := PermissionsPolicy([]string{"a=()", line})
		if ok != still && !(ok && len(before) == 0) || ok && len(before) > 0 && len(after) != len(before)+1 {
			t.Errorf("%q: %q, %v, after another %q, %v", line, before, ok, after, still)
		}
		OpenerPolicy([]string{line})
	})
}
