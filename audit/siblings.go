package audit

import (
	"slices"

	"sitegrade/locale"
)

// Traits are what a page may have in common with others of its site by mistake, in the order of Siblings: its title, its
// description, its first heading, the hash of its text. A page without one has "".
func (p *Page) Traits() [4]string {
	return [4]string{p.Title, p.Description, p.H1, p.ContentHash}
}

// Siblings are the URLs of the other pages of a project that share a trait with a page, at most MaxEvidence for each, in
// the order of Page.Traits.
type Siblings [4][]string

// projectChecks are the checks across a project, in the order of Page.Traits.
var projectChecks = [4]struct {
	id       string
	severity Severity
	missing  string // the sentence about a page that has no such thing
}{
	{"duplicate-title", Medium, "common.no-title"},
	{"duplicate-description", Low, "common.no-description"},
	{"duplicate-h1", Low, "duplicate-h1.missing"},
	{"duplicate-content", Medium, "duplicate-content.missing"},
}

// group is what pages are compared across: what its category and its sentences are called in the catalogues.
type group string

const (
	ofProject group = "project"
	ofRun     group = "run"
)

// Compare adds the checks across a project to a report, with their category and counts. Their outcome changes with other
// reports, without a new audit of this one, so they have a score of their own and no part in the score of the page.
func (r *Report) Compare(s Siblings) { r.compare(s, ofProject) }

// CompareAll compares reports that were made together with each other, as Compare does with those of a project. Reports that
// were redirected to one URL are of one page, which is no copy of itself. One report alone is left as it is.
func CompareAll(reports []*Report) {
	if len(reports) < 2 {
		return
	}
	alike := make([]map[string][]*Report, len(projectChecks))
	for i := range alike {
		alike[i] = map[string][]*Report{}
		for _, r := range reports {
			trait := r.Page.Traits()[i]
			alike[i][trait] = append(alike[i][trait], r)
		}
	}
	for _, r := range reports {
		var s Siblings
		for i, trait := range r.Page.Traits() {
			s[i] = r.otherPages(alike[i][trait])
		}
		r.compare(s, ofRun)
	}
}

// otherPages returns the URLs of those reports that are of another page than r, each page once and at most MaxEvidence.
func (r *Report) otherPages(reports []*Report) []string {
	seen := []string{r.FinalURL}
	var urls []string
	for _, other := range reports {
		if len(urls) == MaxEvidence {
			break
		}
		if !slices.Contains(seen, other.FinalURL) {
			seen, urls = append(seen, other.FinalURL), append(urls, other.URL)
		}
	}
	return urls
}

func (r *Report) compare(s Siblings, g group) {
	outcomes := make([]Outcome, 0, len(projectChecks))
	for i, trait := range r.Page.Traits() {
		outcomes = append(outcomes, compareTrait(i, trait, s[i], g))
	}
	r.Checks = append(r.Checks, outcomes...)
	r.Categories = append(r.Categories, rateCategory("project", CategoryTitle(string(g)), outcomes))
	r.Summary.add(outcomes)
}

func compareTrait(i int, trait string, same []string, g group) Outcome {
	c := projectChecks[i]
	say := func(name string, args ...locale.Arg) locale.Sentence { return locale.Say(c.id+"."+name, args...) }
	o := Outcome{ID: c.id, Category: "project", Severity: c.severity, Status: Passed, Evidence: []Evidence{}, Source: "SEOnaut, Screaming Frog"}
	switch n := locale.Count(len(same)); {
	case trait == "":
		o.Status, o.Said = NotApplicable, locale.Say(c.missing)
	case len(same) == 0:
		o.Said = say(string(g) + "-none")
	case len(same) == MaxEvidence:
		o.Status, o.Said = Failed, say(string(g)+"-at-least", n)
	default:
		o.Status, o.Said = Failed, say(string(g)+"-some", n)
	}
	if o.Status == Failed {
		for _, url := range same {
			o.Evidence = append(o.Evidence, Evidence{URL: url})
		}
	}
	o.word(locale.For(locale.English))
	return o
}
