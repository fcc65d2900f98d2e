package view

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"sitegrade/db"
	"sitegrade/locale"
	"sitegrade/web/templates"
)

// HistoryPoints is how many generations a curve has at most.
const HistoryPoints = 25

// The curve's own units, which the page scales.
const (
	sparkWidth  = 600.0
	sparkHeight = 110.0
	sparkMargin = 12.0
)

// History is the curve of the scores that a report had, the oldest first, and what two of its generations have in common and what not.
type History struct {
	Lang    string // the language that links go on asking for; "" for none
	Line    string // of the polyline: "x,y x,y ..."
	Points  []HistoryPoint
	Text    string // the same in words
	Total   int    // of the report's generations
	Choices []PastChoice
	Changes *Changes // nil where there are no two to compare
	Shown   PastGeneration
}

// Link returns where the page shows a generation; 0 for the newest.
func (h History) Link(generation int) string {
	query := url.Values{}
	if generation > 0 {
		query.Set("generation", strconv.Itoa(generation))
	}
	if h.Lang != "" {
		query.Set("lang", h.Lang)
	}
	return "?" + query.Encode()
}

// HistoryPoint is a generation on the curve.
type HistoryPoint struct {
	X, Y   float64
	Number int
	Score  int
	Class  string
	Title  string
	Here   bool // it is the one that the page shows
}

// PastChoice is a generation that can be compared with another.
type PastChoice struct {
	Number   int
	Text     string
	From, To bool // it is one of those that are compared
}

// PastGeneration is the generation that a page shows in the place of the newest; its number is 0 where the page shows the newest.
type PastGeneration struct {
	Number         int
	At             Instant
	Earlier, Later int // the numbers beside it; 0 for none
	Whole          bool
}

// PastChoices returns the generations that can be compared, given the oldest first, the newest first.
func PastChoices(words *locale.Catalogue, generations []db.Generation, compared db.Diff) []PastChoice {
	var all []PastChoice
	for _, g := range slices.Backward(generations) {
		all = append(all, PastChoice{g.Number, choiceText(words, g), g.Number == compared.From, g.Number == compared.To})
	}
	return all
}

func choiceText(words *locale.Catalogue, g db.Generation) string {
	at := words.Moment(g.GeneratedAt)
	switch {
	case g.Failure != nil:
		return templates.Say(words, "history.choice-failed", g.Number, at)
	case g.Score != db.NoScore:
		return templates.Say(words, "history.choice-rated", g.Number, at, g.Score)
	}
	return templates.Say(words, "history.choice", g.Number, at)
}

// curveX returns how far to the right the i-th of n points of a curve is.
func curveX(i, n int) float64 {
	return visible(sparkMargin + float64(i)*(sparkWidth-2*sparkMargin)/float64(n-1))
}

// curveY returns how far down a score is on a curve.
func curveY(score int) float64 {
	return visible(sparkHeight - sparkMargin - float64(score)*(sparkHeight-2*sparkMargin)/100)
}

// Draw draws the scores of generations, the oldest first. Where fewer than two have one there is no curve. shown is the number of the one that
// the page shows, 0 for the newest.
func (h *History) Draw(words *locale.Catalogue, generations []db.Generation, shown int) {
	rated := slices.DeleteFunc(slices.Clone(generations), func(g db.Generation) bool { return g.Score == db.NoScore })
	if len(rated) < 2 {
		return
	}
	var line, scores []string
	for i, g := range rated {
		p := HistoryPoint{
			X: curveX(i, len(rated)), Y: curveY(g.Score),
			Number: g.Number, Score: g.Score, Class: NewGauge(words, g.Score, g.Result).Class, Title: templates.Say(words, "history.point", g.Score, words.Moment(g.GeneratedAt)),
			Here: g.Number == shown || shown == 0 && i == len(rated)-1,
		}
		h.Points = append(h.Points, p)
		line = append(line, fmt.Sprintf("%g,%g", p.X, p.Y))
		scores = append(scores, strconv.Itoa(g.Score))
	}
	h.Line = strings.Join(line, " ")
	h.Text = templates.Say(words, "history.scores", scores)
}
