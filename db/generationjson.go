package db

import (
	"encoding/json"
	"strconv"

	"sitegrade/audit"
	"sitegrade/jsonappend"
)

// AppendJSON appends the generation as lists show it: a JSON object that is the same in every interface.
func (g *Generation) AppendJSON(b []byte) []byte {
	b = append(b, `{"number":`...)
	b = strconv.AppendInt(b, int64(g.Number), 10)
	b = append(b, `,"generated_at":`...)
	b = jsonappend.Time(b, g.GeneratedAt)
	b = append(b, `,"status":`...)
	b = jsonappend.String(b, g.Status().String())
	b = append(b, `,"error":`...)
	b = appendFailure(b, g.Failure)
	b = append(b, `,"result":`...)
	b = appendRating(b, Report{Result: g.Result, Score: g.Score})
	b = append(b, `,"grader_version":`...)
	if g.Grader == 0 {
		b = append(b, "null"...)
	} else {
		b = strconv.AppendInt(b, int64(g.Grader), 10)
	}
	b = append(b, `,"summary":`...)
	if g.Failure != nil {
		b = append(b, "null"...)
	} else {
		b = appendSummary(b, g.Summary())
	}
	b = append(b, `,"categories":{`...)
	for i, c := range g.Categories {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(jsonappend.String(b, c.ID), ':')
		b = appendNumber(b, c.Score)
	}
	return append(b, "}}"...)
}

func appendSummary(b []byte, s audit.Summary) []byte {
	text, _ := json.Marshal(s) // never fails: it is numbers
	return append(b, text...)
}

// appendNumber appends a number, null for nil.
func appendNumber(b []byte, n *int) []byte {
	if n == nil {
		return append(b, "null"...)
	}
	return strconv.AppendInt(b, int64(*n), 10)
}

// AppendJSON appends the diff: a JSON object that is the same in every interface.
func (d Diff) AppendJSON(b []byte) []byte {
	b = append(b, `{"from":`...)
	b = strconv.AppendInt(b, int64(d.From), 10)
	b = append(b, `,"to":`...)
	b = strconv.AppendInt(b, int64(d.To), 10)
	b = append(b, `,"delta":`...)
	b = appendNumber(b, d.Delta)
	for _, class := range []struct {
		name    string
		entries []Entry
	}{{"regressed", d.Regressed}, {"fixed", d.Fixed}, {"returned", d.Returned}, {"still", d.Still}, {"not_comparable", d.NotComparable}} {
		b = append(b, `,"`+class.name+`":[`...)
		for i, e := range class.entries {
			if i > 0 {
				b = append(b, ',')
			}
			b = e.appendJSON(b)
		}
		b = append(b, ']')
	}
	if d.Omitted > 0 {
		b = append(b, `,"omitted":`...)
		b = strconv.AppendInt(b, int64(d.Omitted), 10)
	}
	return append(b, '}')
}

func (e Entry) appendJSON(b []byte) []byte {
	b = append(b, `{"id":`...)
	b = jsonappend.String(b, e.ID)
	b = append(b, `,"category":`...)
	b = jsonappend.String(b, e.Category)
	b = append(b, `,"severity":`...)
	b = jsonappend.String(b, string(e.Severity))
	b = append(b, `,"title":`...)
	b = jsonappend.String(b, e.Title)
	b = append(b, `,"from":`...)
	b = jsonappend.Optional(b, string(e.From))
	b = append(b, `,"to":`...)
	b = jsonappend.Optional(b, string(e.To))
	if e.Reason != "" {
		b = append(b, `,"reason":`...)
		b = jsonappend.String(b, string(e.Reason))
	}
	return append(b, '}')
}
