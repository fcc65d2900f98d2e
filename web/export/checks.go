package export

import (
	"context"
	"encoding/json"
	"io"
	"strconv"

	"sitegrade/audit"
)

// Checks returns what the checks of a report found as a file: checks.csv or checks.json.
func Checks(name string, found *audit.Report) File {
	return list{
		columns: []string{"id", "category", "severity", "status", "title", "detail", "advice", "accepted", "places", "first_place"},
		each: func(_ context.Context, visit func(row) error) error {
			for _, o := range found.Checks {
				if err := visit(checkRow{o}); err != nil {
					return err
				}
			}
			return nil
		},
	}.file(name)
}

// Page returns a file that write writes as one HTML page.
func Page(name string, write func(io.Writer) error) File {
	return File{name, "text/html; charset=utf-8", func(_ context.Context, w io.Writer) error { return write(w) }}
}

type checkRow struct{ audit.Outcome }

func (r checkRow) cells() []string {
	accepted, first := "", ""
	if r.Accepted != nil {
		accepted = r.Accepted.Reason
	}
	if len(r.Evidence) > 0 {
		e := r.Evidence[0]
		for _, text := range []string{e.URL, e.Selector, e.Snippet} {
			if first == "" {
				first = text
			}
		}
	}
	return []string{
		r.ID, r.Category, string(r.Severity), string(r.Status), r.Title, r.Detail, r.Advice, accepted, strconv.Itoa(len(r.Evidence)), first,
	}
}

func (r checkRow) appendJSON(b []byte) ([]byte, error) {
	text, err := json.Marshal(r.Outcome)
	return append(b, text...), err
}
