package web

import (
	"fmt"
	"slices"
	"strings"

	"sitegrade/db"
	"sitegrade/sortfilter"
)

// historyPoints is how many scores a sparkline has at most.
const historyPoints = 24

// The sparkline's own units, which the page scales.
const (
	sparkWidth  = 300.0
	sparkHeight = 60.0
	sparkMargin = 6.0
)

// history is the line of the scores that a report had, the oldest first.
type history struct {
	Line   string // of the polyline: "x,y x,y ..."
	Points []historyPoint
	Text   string // the same in words
}

type historyPoint struct {
	X, Y   float64
	Score  int
	Class  string
	Title  string
	Newest bool
}

// historyOf returns the scores of a report's generations; no points when there is only one.
func (w *Web) historyOf(v *visit, account string, r db.Report) (history, error) {
	page, err := w.store.Generations(v.r.Context(), account, r.ID, sortfilter.Query{PerPage: historyPoints, Page: 1})
	if err != nil {
		return history{}, err
	}
	var rated []db.Generation
	for _, g := range slices.Backward(page.Rows) {
		if g.Score != db.NoScore {
			rated = append(rated, g)
		}
	}
	if len(rated) < 2 {
		return history{}, nil
	}
	return drawHistory(rated), nil
}

func drawHistory(rated []db.Generation) history {
	h := history{}
	var line, scores []string
	for i, r := range rated {
		p := historyPoint{
			X:     visible(sparkMargin + float64(i)*(sparkWidth-2*sparkMargin)/float64(len(rated)-1)),
			Y:     visible(sparkHeight - sparkMargin - float64(r.Score)*(sparkHeight-2*sparkMargin)/100),
			Score: r.Score, Class: newGauge(r.Score, r.Result).Class, Title: fmt.Sprintf("%d on %s", r.Score, moment(r.GeneratedAt).Text),
			Newest: i == len(rated)-1,
		}
		h.Points = append(h.Points, p)
		line = append(line, fmt.Sprintf("%g,%g", p.X, p.Y))
		scores = append(scores, fmt.Sprint(r.Score))
	}
	h.Line = strings.Join(line, " ")
	h.Text = "Scores of this report, the oldest first: " + strings.Join(scores, ", ") + "."
	return h
}
