package audit

import (
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
	var shown []Evidence
	for _, e := range elements[:min(len(elements), MaxEvidence)] {
		shown = append(shown, evidenceOf(d, e))
	}
	return shown
}

// tally counts places of one kind and keeps evidence of the first MaxEvidence.
type tally struct {
	count    int
	evidence []Evidence
}

func (t *tally) add(e Evidence) {
	t.count++
	if len(t.evidence) < MaxEvidence {
		t.evidence = append(t.evidence, e)
	}
}

// addElement counts an element of the page, with the URL that it names if there is one.
func (t *tally) addElement(d *page.Document, e page.Element, u *weburl.URL) {
	if len(t.evidence) >= MaxEvidence {
		t.count++ // finding the place of an element costs
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
