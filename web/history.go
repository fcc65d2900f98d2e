package web

import (
	"net/http"
	"slices"
	"strconv"

	"github.com/google/uuid"

	"sitegrade/audit"
	"sitegrade/db"
	"sitegrade/sortfilter"
	"sitegrade/web/view"
)

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
func (w *Web) pastView(v *visit, account string, r db.Report, found *audit.Report) (view.Report, error) {
	a, err := askedOf(v)
	if err != nil {
		return view.Report{}, err
	}
	newest, err := w.store.Generations(v.r.Context(), account, r.ID, sortfilter.Query{PerPage: 1, Page: 1})
	if err != nil {
		return view.Report{}, err
	}
	h := view.History{Total: newest.Total, Lang: v.asked()}
	if a.generation > 0 {
		if r, found, h.Shown, err = w.asItWas(v, account, r.ID, a.generation, newest.Total); err != nil {
			return view.Report{}, err
		}
	}
	shown := view.NewReport(v.words, r, found)
	if h.Total > 1 {
		if err := w.addPast(v, account, r, a, &h); err != nil {
			return view.Report{}, err
		}
	}
	shown.History = h
	return shown, nil
}

// asItWas returns a report with what one of its generations was.
func (w *Web) asItWas(v *visit, account string, id uuid.UUID, number, total int) (db.Report, *audit.Report, view.PastGeneration, error) {
	g, r, found, err := w.store.Generation(v.r.Context(), account, id, number)
	if err != nil {
		return db.Report{}, nil, view.PastGeneration{}, err
	}
	r.Status, r.Failure, r.Result, r.Score, r.GeneratedAt = g.Status(), g.Failure, g.Result, g.Score, g.GeneratedAt
	shown := view.PastGeneration{Number: number, At: view.Moment(g.GeneratedAt), Earlier: number - 1, Whole: found != nil || g.Failure != nil}
	if number < total {
		shown.Later = number + 1
	}
	if found == nil {
		found = g.Found()
	}
	return r, found, shown, nil
}

// addPast adds the curve around the generation that is shown, and what changed.
func (w *Web) addPast(v *visit, account string, r db.Report, a asked, h *view.History) error {
	behind := 0 // generations that came after the one that is shown
	if a.generation > 0 {
		behind = h.Total - a.generation
	}
	page, err := w.store.Generations(v.r.Context(), account, r.ID, sortfilter.Query{PerPage: view.HistoryPoints, Page: 1 + behind/view.HistoryPoints})
	if err != nil {
		return err
	}
	slices.Reverse(page.Rows)
	h.Draw(v.words, page.Rows, a.generation)
	from, to := a.from, a.to
	if to == 0 && from == 0 {
		to = a.generation
	}
	diff, err := w.store.Diff(v.r.Context(), account, r.ID, from, to)
	switch {
	case err != nil && view.FaultLines(v.words, err) == nil:
		return err
	case err == nil:
		h.Changes = view.NewChanges(v.words, diff)
	case a.from > 0 || a.to > 0:
		return &failure{status: http.StatusUnprocessableEntity, id: "compare", fields: view.FaultLines(v.words, err)}
	}
	h.Choices = view.PastChoices(v.words, page.Rows, diff)
	return nil
}
