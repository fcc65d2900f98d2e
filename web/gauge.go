package web

import (
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

// Label says the score to those who do not see the drawing.
func (g gauge) Label() string {
	if g.Score < 0 {
		return g.Verdict()
	}
	return g.Verdict() + ", " + g.Text() + " of 100"
}

// Arc is how long the coloured part of the circle is; 0 for a circle without one.
func (g gauge) Arc() float64 {
	return visible(float64(max(g.Score, 0)) / 100 * 2 * math.Pi * gaugeRadius)
}

// gaugeRadius is that of the circle, in the units of the drawing in templates/parts.html.
const gaugeRadius = 52
