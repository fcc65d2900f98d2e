package cli

import (
	"strings"
	"testing"
)

// TestEveryFlagIsInTheManual holds that each command tells its flags and that man page and completions have all of them.
func TestEveryFlagIsInTheManual(t *testing.T) {
	all, err := describeAll()
	if err != nil {
		t.Fatal(err)
	}
	var manual, options strings.Builder
	writeManualCommands(&manual, all)
	writeManualOptions(&options, all)
	for _, d := range all {
		if !strings.Contains(manual.String(), "sitegrade "+roff(d.name)) {
			t.Errorf("the manual lacks the command %q", d.name)
		}
		for _, f := range d.flags {
			place := manual.String()
			if f.isOption && f.name != "config" { // which the text before the options explains
				place = options.String()
			}
			if f.name != "config" && !strings.Contains(place, ".B \\-"+roff(f.name)+" \\fI") && !strings.Contains(place, ".B \\-"+roff(f.name)+"\n") {
				t.Errorf("the manual lacks -%s of %q", f.name, d.name)
			}
			for _, s := range shells() {
				var script strings.Builder
				s.write(&script, []described{d})
				if !strings.Contains(script.String(), f.name) {
					t.Errorf("the completion of %s lacks -%s of %q", s.name, f.name, d.name)
				}
			}
		}
	}
}

func TestRoffHasNothingToObey(t *testing.T) {
	for text, want := range map[string]string{
		".so /etc/passwd": `\&.so /etc/passwd`,
		"'br":             `\(aqbr`,
		`a\fBb -c`:        `a\efBb \-c`,
	} {
		if got := roff(text); got != want {
			t.Errorf("roff(%q) = %q, want %q", text, got, want)
		}
	}
}
