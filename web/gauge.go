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
	Score int    // 0..100; db.NoScore for none
	Class string // "good", "decent", "bad" or "none": the colour
}

// Text is the number in the middle.
func (g gauge) Text() string {
	if g.Score < 0 {
		return "–"
	}
	return strconv.Itoa(g.Score)
}

// Verdict is the result as a word.
func (g gauge) Verdict() string {
	switch g.Class {
	case "good":
		return "Good"
	case "decent":
		return "Decent"
	case "bad":
		return "Bad"
	}
	return "No result"
}

func reportGauge(r db.Report) gauge {
	g := gauge{r.Score, r.Result.String()}
	if g.Class == "" {
		g.Class = "none"
	}
	return g
}

// categoryGauge draws a category's score with the thresholds of the whole report.
func categoryGauge(score *int) gauge {
	if score == nil {
		return gauge{db.NoScore, "none"}
	}
	return gauge{*score, audit.ResultOf(*score).String()}
}

// HTML draws the gauge. It is written without a template because lists have many; all that it holds is ours.
func (g gauge) HTML() template.HTML {
	label, arc := g.Verdict(), ""
	if g.Score >= 0 {
		label += ", " + g.Text() + " of 100"
	}
	if g.Score > 0 {
		length := strconv.FormatFloat(visible(float64(g.Score)/100*2*math.Pi*gaugeRadius), 'f', -1, 64)
		arc = `<circle class="arc" cx="60" cy="60" r="52" stroke-dasharray="` + length + ` 400" transform="rotate(-90 60 60)"/>`
	}
	return template.HTML(`<svg class="gauge ` + g.Class + `" viewBox="0 0 120 120" role="img" aria-label="` + label + `"><circle class="track" cx="60" cy="60" r="52"/>` +
		arc + `<text x="60" y="61">` + g.Text() + `</text></svg>`)
}

// gaugeRadius is that of the circle, in the drawing's own units.
const gaugeRadius = 52
