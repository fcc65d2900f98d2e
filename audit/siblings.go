package audit

import "fmt"

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
	id, trait string
	severity  Severity
	advice    string
}{
	{"duplicate-title", "title", Medium, "Give each page a title that says what only this page has."},
	{"duplicate-description", "meta description", Low, "Describe each page in words of its own."},
	{"duplicate-h1", "first h1", Low, "Give each page a heading of its own."},
	{"duplicate-content", "text", Medium, "Merge the pages, or name one of them as canonical in the others."},
}

// Compare adds the checks across a project to a report, with their category and counts. Their outcome changes with other
// reports, without a new audit of this one, so they have a score of their own and no part in the score of the page.
func (r *Report) Compare(s Siblings) {
	outcomes := make([]Outcome, 0, len(projectChecks))
	for i, trait := range r.Page.Traits() {
		outcomes = append(outcomes, compareTrait(i, trait, s[i]))
	}
	r.Checks = append(r.Checks, outcomes...)
	r.Categories = append(r.Categories, rateCategory("project", "Across the project", outcomes))
	r.Summary.add(outcomes)
}

func compareTrait(i int, trait string, same []string) Outcome {
	c := projectChecks[i]
	o := Outcome{
		ID: c.id, Category: "project", Severity: c.severity, Status: Passed, Title: "Another page has the same " + c.trait,
		Detail: "No other page of the project has this " + c.trait + ".", Evidence: []Evidence{}, Source: "SEOnaut, Screaming Frog",
	}
	switch {
	case trait == "":
		o.Status, o.Detail = NotApplicable, "The page has no "+c.trait+"."
	case len(same) > 0:
		o.Status, o.Advice = Failed, c.advice
		o.Detail = fmt.Sprintf("%d other pages of the project have this %s.", len(same), c.trait)
		if len(same) == 1 {
			o.Detail = "One other page of the project has this " + c.trait + "."
		} else if len(same) == MaxEvidence {
			o.Detail = fmt.Sprintf("At least %d other pages of the project have this %s.", len(same), c.trait)
		}
		for _, url := range same {
			o.Evidence = append(o.Evidence, Evidence{URL: url})
		}
	}
	return o
}
