package audit

import (
	"fmt"
	"strings"
	"testing"
)

func TestEvidenceIsBounded(t *testing.T) {
	f := exampleFacts(t, strings.Repeat("<img src=a>\n", 30))
	got := checkImageAlt(f)
	if len(got.evidence) != MaxEvidence || got.evidence[9].Line != 10 || !strings.Contains(got.detail, "30 of 30") {
		t.Errorf("%s %+v", got.detail, got.evidence)
	}
}

// TestEvidenceHasSelectors holds that failed checks say where to look, each place once.
func TestEvidenceHasSelectors(t *testing.T) {
	f := exampleFacts(t, `<main><img src=a><p><img src=b></p><img src=c id=c></main>`)
	got := fmt.Sprintf("%q", selectorsOf(checkImageAlt(f).evidence))
	if want := `["body > main > img:nth-of-type(1)" "body > main > p > img" "#c"]`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func selectorsOf(evidence []Evidence) []string {
	var all []string
	for _, e := range evidence {
		all = append(all, e.Selector)
	}
	return all
}
