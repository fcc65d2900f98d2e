package web

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"sitegrade/audit"
	"sitegrade/db"
	"sitegrade/sortfilter"
)

// historyPoints is how many generations a curve has at most.
const historyPoints = 25

// The curve's own units, which the page scales.
const (
	sparkWidth  = 600.0
	sparkHeight = 110.0
	sparkMargin = 12.0
)

// history is the curve of the scores that a report had, the oldest first, and what two of its generations have in common and what not.
type history struct {
	Line    string // of the polyline: "x,y x,y ..."
	Points  []historyPoint
	Text    string // the same in words
	Total   int    // of the report's generations
	Choices []pastChoice
	Changes *changes // nil where there are no two to compare
	Shown   pastGeneration
}

type historyPoint struct {
	X, Y   float64
	Number int
	Score  int
	Class  string
	Title  string
	Here   bool // it is the one that the page shows
}

// pastChoice is a generation that can be compared with another.
type pastChoice struct {
	Number   int
	Text     string
	From, To bool // it is one of those that are compared
}

// pastGeneration is the generation that a page shows in the place of the newest; its number is 0 where the page shows the newest.
type pastGeneration struct {
	Number         int
	At             instant
	Earlier, Later int // the numbers beside it; 0 for none
	Whole          bool
}

// asked is what the address of a report's page asks for of its past; 0 for what it does not say.
type asked struct{ generation, from, to int }

// askedOf reads the query of a report's page. What is no number of a generation is an unknown one.
func askedOf(v *visit) (asked, error) {
	var a asked
	for name, to := range map[string]*int{"generation": &a.generation, "from": &a.from, "to": &a.to} {
		text := v.r.URL.Query().Get(name)
		if text == "" {
			continue
		}
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			return asked{}, notFound
		}
		*to = n
	}
	return a, nil
}

// pastView returns what the page of a report shows: the report, or one of its generations if the address asks for that, with the history.
// found must have nothing of other reports that the visitor may not see.
func (w *Web) pastView(v *visit, account string, r db.Report, found *audit.Report) (reportView, error) {
	a, err := askedOf(v)
	if err != nil {
		return reportView{}, err
	}
	newest, err := w.store.Generations(v.r.Context(), account, r.ID, sortfilter.Query{PerPage: 1, Page: 1})
	if err != nil {
		return reportView{}, err
	}
	h := history{Total: newest.Total}
	if a.generation > 0 {
		if r, found, h.Shown, err = w.asItWas(v, account, r.ID, a.generation, newest.Total); err != nil {
			return reportView{}, err
		}
	}
	view := newReportView(r, found)
	if h.Total > 1 {
		if err := w.addPast(v, account, r, a, &h); err != nil {
			return reportView{}, err
		}
	}
	view.History = h
	return view, nil
}

// asItWas returns a report with what one of its generations was.
func (w *Web) asItWas(v *visit, account string, id uuid.UUID, number, total int) (db.Report, *audit.Report, pastGeneration, error) {
	g, r, found, err := w.store.Generation(v.r.Context(), account, id, number)
	if err != nil {
		return db.Report{}, nil, pastGeneration{}, err
	}
	r.Status, r.Failure, r.Result, r.Score, r.GeneratedAt = g.Status(), g.Failure, g.Result, g.Score, g.GeneratedAt
	shown := pastGeneration{Number: number, At: moment(g.GeneratedAt), Earlier: number - 1, Whole: found != nil || g.Failure != nil}
	if number < total {
		shown.Later = number + 1
	}
	if found == nil {
		found = g.Found()
	}
	return r, found, shown, nil
}

// addPast adds the curve around the generation that is shown, and what changed.
func (w *Web) addPast(v *visit, account string, r db.Report, a asked, h *history) error {
	behind := 0 // generations that came after the one that is shown
	if a.generation > 0 {
		behind = h.Total - a.generation
	}
	page, err := w.store.Generations(v.r.Context(), account, r.ID, sortfilter.Query{PerPage: historyPoints, Page: 1 + behind/historyPoints})
	if err != nil {
		return err
	}
	slices.Reverse(page.Rows)
	h.draw(page.Rows, a.generation)
	from, to := a.from, a.to
	if to == 0 && from == 0 {
		to = a.generation
	}
	diff, err := w.store.Diff(v.r.Context(), account, r.ID, from, to)
	switch {
	case invalidFields(err) == nil && err != nil:
		return err
	case err == nil:
		h.Changes = newChanges(diff)
	case a.from > 0 || a.to > 0:
		return &failure{Status: http.StatusUnprocessableEntity, Title: "These cannot be compared", Detail: "Choose two audits, the earlier one first:", Fields: invalidFields(err)}
	}
	for _, g := range slices.Backward(page.Rows) {
		h.Choices = append(h.Choices, pastChoice{g.Number, choiceText(g), g.Number == diff.From, g.Number == diff.To})
	}
	return nil
}

func choiceText(g db.Generation) string {
	text := fmt.Sprintf("%d: %s", g.Number, moment(g.GeneratedAt).Text)
	switch {
	case g.Failure != nil:
		return text + ", failed"
	case g.Score != db.NoScore:
		return text + ", " + strconv.Itoa(g.Score)
	}
	return text
}

// draw draws the scores of generations, the oldest first. Where fewer than two have one there is no curve. shown is the number of the one that
// the page shows, 0 for the newest.
func (h *history) draw(generations []db.Generation, shown int) {
	rated := slices.DeleteFunc(slices.Clone(generations), func(g db.Generation) bool { return g.Score == db.NoScore })
	if len(rated) < 2 {
		return
	}
	var line, scores []string
	for i, g := range rated {
		p := historyPoint{
			X:      visible(sparkMargin + float64(i)*(sparkWidth-2*sparkMargin)/float64(len(rated)-1)),
			Y:      visible(sparkHeight - sparkMargin - float64(g.Score)*(sparkHeight-2*sparkMargin)/100),
			Number: g.Number, Score: g.Score, Class: newGauge(g.Score, g.Result).Class, Title: fmt.Sprintf("%d on %s", g.Score, moment(g.GeneratedAt).Text),
			Here: g.Number == shown || shown == 0 && i == len(rated)-1,
		}
		h.Points = append(h.Points, p)
		line = append(line, fmt.Sprintf("%g,%g", p.X, p.Y))
		scores = append(scores, strconv.Itoa(g.Score))
	}
	h.Line = strings.Join(line, " ")
	h.Text = "Scores of this report, the oldest first: " + strings.Join(scores, ", ") + "."
}
