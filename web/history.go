package web

import (
	"fmt"
	"strings"

	"sitegrade/audit"
	"sitegrade/db"
)

// historyPoints is how many scores a sparkline has at most.
const historyPoints = 24

// The sparkline's own units, which the page scales.
const (
	sparkWidth  = 300.0
	sparkHeight = 60.0
	sparkMargin = 6.0
)

// history is the line of the scores that an address had, the oldest first.
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

// historyOf returns the scores of a report's address within its project; no points when there is only one. On a shared page only public
// reports count: whoever looks at it must not learn of the others.
func (w *Web) historyOf(v *visit, account string, r db.Report, shared bool) (history, error) {
	if r.Result == audit.Unrated {
		return history{}, nil
	}
	reports, err := w.store.History(v.r.Context(), account, r, historyPoints)
	if err != nil {
		return history{}, err
	}
	var rated []db.Report
	for _, other := range reports {
		if other.Score != db.NoScore && (!shared || other.Privacy == db.Public || other.ID == r.ID) {
			rated = append(rated, other)
		}
	}
	if len(rated) < 2 {
		return history{}, nil
	}
	return drawHistory(rated), nil
}

func drawHistory(rated []db.Report) history {
	h := history{}
	var line, scores []string
	for i, r := range rated {
		p := historyPoint{
			X:     visible(sparkMargin + float64(i)*(sparkWidth-2*sparkMargin)/float64(len(rated)-1)),
			Y:     visible(sparkHeight - sparkMargin - float64(r.Score)*(sparkHeight-2*sparkMargin)/100),
			Score: r.Score, Class: reportGauge(r).Class, Title: fmt.Sprintf("%d on %s", r.Score, moment(r.GeneratedAt).Text),
			Newest: i == len(rated)-1,
		}
		h.Points = append(h.Points, p)
		line = append(line, fmt.Sprintf("%g,%g", p.X, p.Y))
		scores = append(scores, fmt.Sprint(r.Score))
	}
	h.Line = strings.Join(line, " ")
	h.Text = "Scores of this address, the oldest first: " + strings.Join(scores, ", ") + "."
	return h
}
