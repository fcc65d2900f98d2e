package view

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"sitegrade/audit"
	"sitegrade/locale"
	"sitegrade/web/templates"
)

// Rated is the score that a page had from a moment on.
type Rated struct {
	Page  int // a number of its own for each page
	At    time.Time
	Score int
}

// Trend is the curve of the average score of some pages, day by day.
type Trend struct {
	Line   string // of the polyline: "x,y x,y ..."; "" where there are fewer than two days
	Points []HistoryPoint
	Text   string // the same in words
}

// NewTrend draws the averages of the last days on which a page was rated, each of what was known of all pages by the end of that day.
func NewTrend(words *locale.Catalogue, all []Rated) Trend {
	slices.SortFunc(all, func(x, y Rated) int { return x.At.Compare(y.At) })
	var days []Rated // whose score is the average
	now, sum := map[int]int{}, 0
	for i, r := range all {
		sum += r.Score - now[r.Page]
		now[r.Page] = r.Score
		if i+1 == len(all) || !sameDay(r.At, all[i+1].At) {
			days = append(days, Rated{At: r.At, Score: int(math.Round(float64(sum) / float64(len(now))))})
		}
	}
	days = days[max(0, len(days)-HistoryPoints):]
	if len(days) < 2 {
		return Trend{}
	}
	var t Trend
	var line, scores []string
	for i, d := range days {
		p := HistoryPoint{
			X: curveX(i, len(days)), Y: curveY(d.Score),
			Score: d.Score, Class: NewGauge(words, d.Score, audit.ResultOf(d.Score)).Class, Title: templates.Say(words, "history.point", d.Score, words.Day(d.At)), Here: i == len(days)-1,
		}
		t.Points = append(t.Points, p)
		line = append(line, fmt.Sprintf("%g,%g", p.X, p.Y))
		scores = append(scores, strconv.Itoa(d.Score))
	}
	t.Line, t.Text = strings.Join(line, " "), strings.Join(scores, ", ")
	return t
}

func sameDay(x, y time.Time) bool {
	return x.UTC().Format(time.DateOnly) == y.UTC().Format(time.DateOnly)
}
