package cli

import (
	"strings"
	"testing"

	"sitegrade/cli/manual"
)

// TestEveryFlagIsInTheManual holds that each command tells its flags and that man page and completions have all of them.
func TestEveryFlagIsInTheManual(t *testing.T) {
	all, err := describeAll()
	if err != nil {
		t.Fatal(err)
	}
	page := strings.ReplaceAll(manual.Page("1.2.3", all), `\-`, "-")
	for _, c := range all {
		if !strings.Contains(page, `.SS "sitegrade `+c.Name) {
			t.Errorf("the manual lacks the command %q", c.Name)
		}
		for _, f := range c.Flags {
			if !strings.Contains(page, "\n.B -"+f.Name+" \\fI"+f.Value) && !strings.Contains(page, "\n.B -"+f.Name+"\n") {
				t.Errorf("the manual lacks -%s of %q", f.Name, c.Name)
			}
			for _, shell := range manual.Shells() {
				if script, _ := manual.Completion(shell, []manual.Command{c}); !strings.Contains(script, f.Name) {
					t.Errorf("the completion of %s lacks -%s of %q", shell, f.Name, c.Name)
				}
			}
		}
	}
}
