package view

import (
	"cmp"
	"html/template"
	"math"
	"strconv"

	"sitegrade/audit"
	"sitegrade/db"
	"sitegrade/locale"
	"sitegrade/web/templates"
)

// Gauge is a drawn score.
type Gauge struct {
	Class   string // "good", "decent", "bad" or "none": the colour
	Verdict string // the result as a word
	Label   string // what the drawing says to those who do not see it
	Text    string // the number in the middle
	Arc     string // how long the coloured part of the circle is; "" for a circle without one
}

// HTML returns the drawing.
func (g Gauge) HTML() template.HTML { return templates.Drawn("gauge", g) }

// gaugeRadius is that of the circle, in the units of the drawing in web/templates/drawings.html.
const gaugeRadius = 52

// NewGauge draws a score, which may be db.NoScore, in the colour of a result.
func NewGauge(words *locale.Catalogue, score int, result audit.Result) Gauge {
	g := Gauge{Class: cmp.Or(result.String(), "none"), Text: "–"}
	g.Verdict = templates.Say(words, "results."+g.Class)
	g.Label = g.Verdict
	if score >= 0 {
		g.Text = strconv.Itoa(score)
		g.Label = templates.Say(words, "results.rated", g.Verdict, score)
	}
	if score > 0 {
		g.Arc = strconv.FormatFloat(visible(float64(score)/100*2*math.Pi*gaugeRadius), 'f', -1, 64)
	}
	return g
}

// ReportGauge draws the score of a report.
func ReportGauge(words *locale.Catalogue, r db.Report) Gauge {
	return NewGauge(words, r.Score, r.Result)
}

// CategoryGauge draws a category's score with the thresholds of the whole report.
func CategoryGauge(words *locale.Catalogue, score *int) Gauge {
	if score == nil {
		return NewGauge(words, db.NoScore, audit.Unrated)
	}
	return NewGauge(words, *score, audit.ResultOf(*score))
}
