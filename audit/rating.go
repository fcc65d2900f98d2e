package audit

import (
	"crypto/sha256"
	"encoding/hex"
	"math"
	"strings"

	"sitegrade/locale"
)

// weights say how much a check counts by its severity. A category whose applicable checks are all info has no score.
var weights = map[Severity]float64{High: 10, Medium: 5, Low: 1, Info: 0}

// grade runs every check over the facts and rates the page. Equal facts give equal reports.
func grade(f *facts) *Report {
	r := &Report{
		URL:          f.address.String(),
		FinalURL:     f.final.String(),
		HTTPStatus:   f.response.Status,
		Redirects:    append([]string{}, f.redirects...),
		Timings:      f.timings,
		Size:         f.response.Size,
		TransferSize: f.response.Wire,
		Grader:       GraderVersion,
		GeneratedAt:  f.now,
		Sample:       f.sample,
		Checks:       make([]Outcome, 0, len(table)),
		Page:         describe(f),
	}
	var strictest *ceiling
	for _, c := range table {
		found := c.find(f)
		r.Checks = append(r.Checks, c.outcome(found))
		if found.ceiling != nil && (strictest == nil || found.ceiling.limit < strictest.limit) {
			strictest = found.ceiling
		}
	}
	r.Summary.add(r.Checks)
	r.Categories = categorise(r.Checks)
	earned, _ := scoreOf(r.Checks)
	r.Score = earned
	if strictest != nil {
		r.Score = min(earned, strictest.limit)
	}
	r.Result = ResultOf(r.Score)
	r.WhySaid = explain(earned, strictest, r.Checks)
	r.Why = locale.For(locale.English).Say(r.WhySaid)
	return r
}

// outcome returns the entry of the report for a finding, in English.
func (c check) outcome(found finding) Outcome {
	o := Outcome{
		ID:       c.id,
		Category: c.category,
		Severity: c.severity,
		Status:   found.status,
		Said:     found.said,
		Evidence: cutEvidence(found.evidence),
		Source:   c.source,
		Unseen:   found.unseen,
	}
	if found.severity != "" {
		o.Severity = found.severity
	}
	if o.Evidence == nil {
		o.Evidence = []Evidence{}
	}
	o.word(locale.For(locale.English))
	return o
}

// scoreOf returns round(100 x weight passed / weight applicable), a warning counting half, and false (with 100) when nothing
// with a weight applies.
func scoreOf(outcomes []Outcome) (int, bool) {
	var passed, applicable float64
	for _, o := range outcomes {
		if o.Status == NotApplicable {
			continue
		}
		weight := weights[o.Severity]
		applicable += weight
		passed += weight - o.lostWeight()
	}
	if applicable == 0 {
		return 100, false
	}
	return int(math.Round(100 * passed / applicable)), true
}

// Summarise counts outcomes.
func Summarise(outcomes []Outcome) Summary {
	var s Summary
	s.add(outcomes)
	return s
}

// add counts outcomes.
func (s *Summary) add(outcomes []Outcome) {
	for _, o := range outcomes {
		switch o.Status {
		case Passed:
			s.Passed++
		case Warning:
			s.Warnings++
		case NotApplicable:
			s.NotApplicable++
		case Failed:
			s.Failed++
			s.addFailed(o.Severity)
		}
	}
}

func (s *Summary) addFailed(severity Severity) {
	switch severity {
	case High:
		s.High++
	case Medium:
		s.Medium++
	case Low:
		s.Low++
	}
}

// categorise rates each section by its own checks, which stand together in the table.
func categorise(outcomes []Outcome) []Category {
	categories := make([]Category, 0, len(sections))
	for _, s := range sections {
		n := 0
		for n < len(outcomes) && outcomes[n].Category == s.id {
			n++
		}
		categories = append(categories, rateCategory(s.id, CategoryTitle(s.id), outcomes[:n]))
		outcomes = outcomes[n:]
	}
	return categories
}

// rateCategory returns the rating of a part of the report.
func rateCategory(id, title string, outcomes []Outcome) Category {
	var counted Summary
	counted.add(outcomes)
	c := Category{
		ID: id, Title: title,
		Passed: counted.Passed, Failed: counted.Failed, Warnings: counted.Warnings, NotApplicable: counted.NotApplicable,
	}
	if score, rated := scoreOf(outcomes); rated {
		c.Score = &score
	}
	return c
}

// describe returns what the page says of itself.
func describe(f *facts) Page {
	d := f.doc
	p := Page{
		Title:         d.Title(),
		Description:   d.MetaNamed("description"),
		H1:            d.FirstH1(),
		Lang:          d.Lang,
		Words:         d.Words,
		OGTitle:       d.MetaProperty("og:title"),
		OGDescription: d.MetaProperty("og:description"),
		OGImage:       d.MetaProperty("og:image"),
	}
	if c := f.canonicals(); len(c) > 0 && c[0].url != nil {
		p.Canonical = c[0].url.String()
	}
	if strings.TrimSpace(d.Text) != "" {
		sum := sha256.Sum256([]byte(d.Text))
		p.ContentHash = hex.EncodeToString(sum[:])
	}
	return p
}
