package audit

import (
	"cmp"
	"slices"

	"sitegrade/locale"
)

// ceiling is a finding that limits the score of the whole report, whatever else is right with the page.
type ceiling struct {
	limit int        // the score cannot be higher
	why   locale.Arg // a phrase: what is wrong, as the end of "because the page ..."
}

// maxLosses is how many losses the sentence about a score names.
const maxLosses = 3

// explain returns the sentence that says what made a score: the gate that limits it, or the heaviest losses. earned is the score
// without gates.
func explain(earned int, strictest *ceiling, outcomes []Outcome) locale.Sentence {
	switch {
	case strictest == nil || strictest.limit >= earned:
		return explainLosses(outcomes)
	case strictest.limit == 0:
		return locale.Say("why.zero", strictest.why)
	}
	return locale.Say("why.capped", locale.Count(strictest.limit), strictest.why, locale.Count(earned))
}

// explainLosses returns the sentence that names the heaviest losses.
func explainLosses(outcomes []Outcome) locale.Sentence {
	losses := heaviestLosses(outcomes)
	if len(losses) == 0 {
		return locale.Say("why.nothing")
	}
	named := make([]locale.Arg, len(losses))
	for i, o := range losses {
		named[i] = locale.Phrase("why.loss", o.phrase(), locale.Text(o.ID))
	}
	return locale.Say("why.losses", locale.SeriesOf(named))
}

// phrase returns what the outcome says as a part of another sentence.
func (o *Outcome) phrase() locale.Arg {
	if said, ok := o.sentence(); ok {
		return locale.PhraseOf(said)
	}
	return locale.Worded(o.Detail)
}

// heaviestLosses returns the outcomes that cost the most points, at most maxLosses, in the order of the table where they cost the same.
func heaviestLosses(outcomes []Outcome) []Outcome {
	var losses []Outcome
	for _, o := range outcomes {
		if o.lostWeight() > 0 {
			losses = append(losses, o)
		}
	}
	slices.SortStableFunc(losses, func(a, b Outcome) int { return cmp.Compare(b.lostWeight(), a.lostWeight()) })
	return losses[:min(maxLosses, len(losses))]
}

// lostWeight returns how much of its weight an outcome did not earn.
func (o Outcome) lostWeight() float64 {
	switch o.Status {
	case Failed:
		return weights[o.Severity]
	case Warning:
		return weights[o.Severity] / 2
	}
	return 0
}
