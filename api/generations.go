package api

import (
	"strconv"

	"sitegrade/audit"
	"sitegrade/db"
	"sitegrade/sortfilter"
)

func (a *API) listGenerations(x *request) error {
	id, err := x.pathID()
	if err != nil {
		return err
	}
	return serveList(x, "/reports/"+id.String()+"/generations", sortfilter.GenerationParameters, of(a.store.Generations, id), func(g db.Generation, b []byte) []byte { return x.generation(g).AppendJSON(b) })
}

func (a *API) showGeneration(x *request) error {
	id, err := x.pathID()
	if err != nil {
		return err
	}
	number, err := x.generationNumber()
	if err != nil {
		return err
	}
	g, report, found, err := a.store.Generation(x.r.Context(), x.key.Account, id, number)
	if err != nil {
		return err
	}
	document, err := x.generationDocument(*x.generation(g), report, found)
	if err != nil {
		return err
	}
	x.sendRecord(document, hashTag(document))
	return nil
}

// generationNumber returns the generation that the path names. What is no number, in its usual spelling, names no generation.
func (x *request) generationNumber() (int, error) {
	text, err := x.param("number")
	if err != nil {
		return 0, err
	}
	n, err := strconv.Atoi(text)
	if err != nil || strconv.Itoa(n) != text {
		return 0, db.ErrNotFound
	}
	return n, nil
}

func (a *API) diffReport(x *request) error {
	id, err := x.pathID()
	if err != nil {
		return err
	}
	q, err := sortfilter.Parse(x.r.URL.RawQuery, sortfilter.DiffParameters)
	if err != nil {
		return err
	}
	diff, err := a.store.Diff(x.r.Context(), x.key.Account, id, q.From, q.To)
	if err != nil {
		return err
	}
	document := append(diff.In(x.lang).AppendJSON([]byte(`{"data":`)), "}\n"...)
	x.sendRecord(document, hashTag(document))
	return nil
}

// keptCheck is all that is kept of a check in an old generation.
type keptCheck struct {
	ID     string       `json:"id"`
	Status audit.Status `json:"status"`
}

// generationDocument returns the body of the response that shows one generation: the report as it was shown then. found is nil where the findings
// are no longer kept, and then those fields are null or empty of which nothing is known.
func (x *request) generationDocument(g db.Generation, r db.Report, found *audit.Report) ([]byte, error) {
	r.Status, r.Failure, r.Result, r.Score, r.GeneratedAt = g.Status(), g.Failure, g.Result, g.Score, g.GeneratedAt
	shown := newFoundJSON(found.In(x.lang))
	if kept := g.Found().In(x.lang); found == nil && kept != nil {
		shown.Summary, shown.Categories = &kept.Summary, kept.Categories
		if g.HTTPStatus > 0 {
			shown.HTTPStatus = &g.HTTPStatus
		}
		if g.Grader > 0 {
			shown.Grader = &g.Grader
		}
		checks := make([]keptCheck, len(g.Outcomes))
		for i, o := range g.Outcomes {
			checks[i] = keptCheck{o.ID, o.Status}
		}
		shown.Checks = checks
	}
	rest, err := shown.marshal()
	if err != nil {
		return nil, err
	}
	b := r.AppendJSON([]byte(`{"data":`), x.Base)
	b = append(b[:len(b)-1], `,"number":`...)
	b = append(strconv.AppendInt(b, int64(g.Number), 10), ',')
	return append(append(b, rest[1:]...), "}\n"...), nil
}
