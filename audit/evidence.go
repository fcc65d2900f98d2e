package audit

import (
	"slices"
	"unicode/utf8"

	"sitegrade/audit/page"
	"sitegrade/weburl"
)

// MaxEvidence is how many pieces of evidence a check shows.
const MaxEvidence = 10

// evidenceAt points at a place in the page.
func evidenceAt(p page.Place) Evidence {
	return Evidence{Selector: p.Selector, Snippet: p.Snippet, Line: p.Line}
}

// evidenceOf points at an element of the page.
func evidenceOf(d *page.Document, e page.Element) Evidence { return evidenceAt(d.Place(e)) }

// evidenceOfAll points at the first MaxEvidence of these elements.
func evidenceOfAll(d *page.Document, elements []page.Element) []Evidence {
	var shown tally
	for _, e := range elements {
		shown.addElement(d, e, nil)
	}
	return shown.evidence
}

// Occurrences returns in how many places the check found what it says: all of them, of which Evidence shows the first few; 1 for a
// finding without places. An outcome that was stored has only the places that it shows.
func (o Outcome) Occurrences() int { return max(1, places(o.Evidence)) }

// WithOccurrences returns the outcome as one that found what it says in n places, as many as its evidence shows or more. It gives an outcome
// that was kept as JSON what that leaves out.
func (o Outcome) WithOccurrences(n int) Outcome {
	if last := len(o.Evidence) - 1; last >= 0 {
		o.Evidence = slices.Clone(o.Evidence)
		o.Evidence[last].more += n - places(o.Evidence)
	}
	return o
}

// places counts the places that evidence shows and those it stands for.
func places(evidence []Evidence) int {
	n := 0
	for _, e := range evidence {
		n += 1 + e.more
	}
	return n
}

// cutEvidence returns the first MaxEvidence of these pieces, the last of which stands for the others too.
func cutEvidence(evidence []Evidence) []Evidence {
	if len(evidence) <= MaxEvidence {
		return evidence
	}
	shown := slices.Clone(evidence[:MaxEvidence])
	shown[MaxEvidence-1].more += places(evidence[MaxEvidence:])
	return shown
}

// tally counts places of one kind and keeps evidence of the first MaxEvidence.
type tally struct {
	count    int
	evidence []Evidence
}

func (t *tally) add(e Evidence) {
	if t.isFull() {
		t.addUnseen()
		return
	}
	t.count++
	t.evidence = append(t.evidence, e)
}

// isFull reports whether no more places are shown.
func (t *tally) isFull() bool { return len(t.evidence) >= MaxEvidence }

// addUnseen counts a place that is no longer shown, since finding where it is costs.
func (t *tally) addUnseen() {
	t.count++
	t.evidence[len(t.evidence)-1].more++
}

// addElement counts an element of the page, with the URL that it names if there is one.
func (t *tally) addElement(d *page.Document, e page.Element, u *weburl.URL) {
	if t.isFull() {
		t.addUnseen()
		return
	}
	found := evidenceOf(d, e)
	if u != nil {
		found.URL = shownAddress(u)
	}
	t.add(found)
}

// shownAddress returns a URL for evidence, cut if it is longer than any that would be fetched.
func shownAddress(u *weburl.URL) string { return cutText(u.String(), weburl.MaxLength) }

// cutText returns at most limit bytes of s, cut at a rune.
func cutText(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	for limit > 0 && !utf8.RuneStart(s[limit]) {
		limit--
	}
	return s[:limit]
}
