package api

import (
	"bytes"
	"encoding/json"

	"sitegrade/audit"
	"sitegrade/db"
	"sitegrade/jsonappend"
)

// AppendReport appends a report as the API shows it alone. found is nil before the first success; base is what the address of its
// page begins with.
func AppendReport(b []byte, r db.Report, found *audit.Report, base string) ([]byte, error) {
	b = r.AppendJSON(b, base)
	rest, err := newFoundJSON(found).marshal()
	if err != nil {
		return nil, err
	}
	b[len(b)-1] = ',' // in place of the brace
	return append(b, rest[1:]...), nil
}

// foundJSON is what a report shown alone has beside the fields of a list: what the last successful audit found.
type foundJSON struct {
	FinalURL     *string          `json:"final_url"`
	HTTPStatus   *int             `json:"http_status"`
	Redirects    []string         `json:"redirects"`
	Timings      *audit.Timings   `json:"timings"`
	Size         *int64           `json:"size"`
	TransferSize *int64           `json:"transfer_size"`
	Grader       *int             `json:"grader_version"`
	Why          *string          `json:"why"`
	Summary      *audit.Summary   `json:"summary"`
	Categories   []audit.Category `json:"categories"`
	Checks       any              `json:"checks"` // []audit.Outcome, or []keptCheck of an old generation
	Page         *audit.Page      `json:"page"`
}

// newFoundJSON returns what was found; before the first success, fields that are null or empty.
func newFoundJSON(found *audit.Report) foundJSON {
	if found == nil {
		return foundJSON{Redirects: []string{}, Categories: []audit.Category{}, Checks: []audit.Outcome{}}
	}
	return foundJSON{
		FinalURL: &found.FinalURL, HTTPStatus: &found.HTTPStatus, Redirects: found.Redirects, Timings: &found.Timings,
		Size: &found.Size, TransferSize: &found.TransferSize, Grader: &found.Grader, Why: &found.Why, Summary: &found.Summary,
		Categories: found.Categories, Checks: found.Checks, Page: &found.Page,
	}
}

// marshal returns a JSON object.
func (f foundJSON) marshal() ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(f); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// reportDocument returns the body of the response that shows one report.
func (x *request) reportDocument(r db.Report, found *audit.Report) ([]byte, error) {
	b, err := AppendReport([]byte(`{"data":`), x.report(r), found.In(x.lang), x.Base)
	return append(b, "}\n"...), err
}

// The functions that follow return the body of the response that shows one record.

func deliveryDocument(d db.Delivery) []byte { return document(d.AppendJSON) }
func scheduleDocument(s db.Schedule) []byte { return document(s.AppendJSON) }

// crawlDocument is scheduleDocument for a crawl, in the language of the request.
func (x *request) crawlDocument(c db.Crawl) []byte { return document(c.In(x.lang).AppendJSON) }

// projectDocument is scheduleDocument for a project. base is what the addresses of shared pages begin with.
func projectDocument(p db.Project, base string) []byte {
	return document(func(b []byte) []byte { return p.AppendJSON(b, base) })
}

// accountDocument is projectDocument for an account.
func accountDocument(a db.Account, base string) []byte {
	return document(func(b []byte) []byte { return a.AppendJSON(b, base) })
}

// formDocument is projectDocument for a form.
func formDocument(f db.Form, base string) []byte {
	return document(func(b []byte) []byte { return f.AppendJSON(b, base) })
}

func document(appendRecord func([]byte) []byte) []byte {
	return append(appendRecord([]byte(`{"data":`)), "}\n"...)
}

// webhookDocument is scheduleDocument for a webhook. secret is what its receiver verifies with; "" in all responses but that which made it.
func webhookDocument(w db.Webhook, secret string) []byte {
	b := document(w.AppendJSON)
	if secret == "" {
		return b
	}
	b = append(b[:len(b)-len("}}\n")], `,"secret":`...)
	return append(jsonappend.String(b, secret), "}}\n"...)
}
