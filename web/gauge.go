package web

import (
	"html/template"
	"math"
	"strconv"

	"sitegrade/audit"
	"sitegrade/db"
)

// gauge is a drawn score.
type gauge struct {
	Class   string // "good", "decent", "bad" or "none": the colour
	Verdict string // the result as a word
	Label   string // what the drawing says to those who do not see it
	Text    string // the number in the middle
	Arc     string // how long the coloured part of the circle is; "" for a circle without one
}

// HTML returns the drawing.
func (g gauge) HTML() template.HTML { return drawn("gauge", g) }

// gaugeRadius is that of the circle, in the units of the drawing in templates/drawings.html.
const gaugeRadius = 52

var verdicts = map[audit.Result]string{audit.Unrated: "No result", audit.Bad: "Bad", audit.Decent: "Decent", audit.Good: "Good"}

// newGauge draws a score, which may be db.NoScore, in the colour of a result.
func newGauge(score int, result audit.Result) gauge {
	g := gauge{Class: result.String(), Verdict: verdicts[result], Text: "–"}
	if g.Class == "" {
		g.Class = "none"
	}
	g.Label = g.Verdict
	if score >= 0 {
		g.Text = strconv.Itoa(score)
		g.Label += ", " + g.Text + " of 100"
	}
	if score > 0 {
		g.Arc = strconv.FormatFloat(visible(float64(score)/100*2*math.Pi*gaugeRadius), 'f', -1, 64)
	}
	return g
}

func reportGauge(r db.Report) gauge { return newGauge(r.Score, r.Result) }

// categoryGauge draws a category's score with the thresholds of the whole report.
func categoryGauge(score *int) gauge {
	if score == nil {
		return newGauge(db.NoScore, audit.Unrated)
	}
	return newGauge(*score, audit.ResultOf(*score))
}
