package audit

import (
	"fmt"

	"sitegrade/locale"
)

// Kept is a report as the database keeps it, by its JSON: of what was found, what is said without its language in place of the words. Reports
// of earlier versions have the words.
type Kept struct {
	*Report
	Why     string        `json:"why,omitempty"`
	WhySaid string        `json:"why_said,omitempty"` // as locale.Sentence.Compact writes it; "" where there are only words
	Checks  []keptOutcome `json:"checks"`
}

type keptOutcome struct {
	Outcome
	Title    string     `json:"title,omitempty"`
	Detail   string     `json:"detail,omitempty"`
	Advice   string     `json:"advice,omitempty"`
	Evidence []Evidence `json:"evidence,omitempty"`
	Said     string     `json:"said,omitempty"` // as WhySaid
}

// Keep returns the report in its stored form, which shares what has no words with it.
func Keep(r *Report) Kept {
	k := Kept{Report: r, Why: r.Why, Checks: make([]keptOutcome, len(r.Checks))}
	if !r.WhySaid.IsZero() {
		k.Why, k.WhySaid = "", r.WhySaid.Compact()
	}
	for i, o := range r.Checks {
		kept := keptOutcome{Outcome: o, Evidence: o.Evidence}
		if o.Said.IsZero() {
			kept.Title, kept.Detail, kept.Advice = o.Title, o.Detail, o.Advice
		} else {
			kept.Said = o.Said.Compact()
		}
		k.Checks[i] = kept
	}
	return k
}

// Found returns the report that was kept, in English. The error is one of a sentence that cannot be read.
func (k Kept) Found() (*Report, error) {
	english := locale.For(locale.English)
	r := k.Report
	if r == nil {
		r = new(Report)
	}
	var err error
	r.Why, r.Checks = k.Why, make([]Outcome, len(k.Checks))
	if k.WhySaid != "" {
		if r.WhySaid, err = locale.ParseCompact(k.WhySaid); err != nil {
			return nil, fmt.Errorf("why: %w", err)
		}
		r.Why = english.Say(r.WhySaid)
	}
	for i := range k.Checks {
		kept := &k.Checks[i]
		o := kept.Outcome
		o.Title, o.Detail, o.Advice, o.Evidence = kept.Title, kept.Detail, kept.Advice, kept.Evidence
		if o.Evidence == nil {
			o.Evidence = []Evidence{}
		}
		if kept.Said != "" {
			if o.Said, err = locale.ParseCompact(kept.Said); err != nil {
				return nil, fmt.Errorf("%s: %w", o.ID, err)
			}
			o.word(english)
		}
		r.Checks[i] = o
	}
	return r, nil
}
