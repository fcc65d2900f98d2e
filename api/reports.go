package api

import (
	"context"
	"fmt"
	"math"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"sitegrade/audit"
	"sitegrade/db"
	"sitegrade/sortfilter"
	"sitegrade/weburl"
)

func (a *API) listReports(x *request) error {
	return serveList(x, "/reports", sortfilter.ReportParameters, a.store.Reports, func(r db.Report, b []byte) []byte { return x.report(r).AppendJSON(b, x.Base) })
}

func (a *API) showReport(x *request) error {
	id, err := x.pathID()
	if err != nil {
		return err
	}
	report, found, err := a.store.Report(x.r.Context(), x.key.Account, id)
	if err != nil {
		return err
	}
	document, err := x.reportDocument(report, found)
	if err != nil {
		return err
	}
	x.sendRecord(document, revisionTag(report.Revision, document))
	return nil
}

func (a *API) deleteReport(x *request) error {
	return deleteRecord(x, a.store.DeleteReport, x.reportUnchanged)
}

// createReport stores a report and waits for it as long as the request prefers. With an Idempotency-Key it does so once.
func (a *API) createReport(x *request) error {
	n, addresses, err := a.readNewReport(x)
	if err != nil {
		return err
	}
	key, err := idempotencyKey(x.r.Header)
	if err != nil {
		return err
	}
	create := func(n db.NewReport) (response, error) { return a.create(x, n) }
	if addresses != nil {
		n.URL = strings.Join(addresses, "\n") // what a repetition is told by
		create = func(n db.NewReport) (response, error) { return a.createAll(x, n, addresses) }
	}
	if key != "" {
		return a.createOnce(x, key, n, create)
	}
	made, err := create(n)
	if err != nil {
		return err
	}
	x.sendResponse(made)
	return nil
}

// create stores a report, waits for it and returns the response.
func (a *API) create(x *request, n db.NewReport) (response, error) {
	report, err := a.store.CreateReport(x.r.Context(), x.key.Account, n)
	if err != nil {
		return response{}, err
	}
	return a.await(x, report.ID, http.StatusCreated)
}

// updateReport changes privacy and password, and queues a new audit where the request wants one. A request without any field changes
// nothing and shows the report.
func (a *API) updateReport(x *request) error {
	id, err := x.pathID()
	if err != nil {
		return err
	}
	change, err := readChange(x)
	if err != nil {
		return err
	}
	updated, err := a.change(x, id, change)
	if err != nil {
		return err
	}
	x.sendResponse(updated)
	return nil
}

// change stores what a request changes, if its preconditions hold, and returns the response. That shows the report as this change left it,
// whatever others change meanwhile; only a new audit is waited for.
func (a *API) change(x *request, id uuid.UUID, change db.Change) (response, error) {
	if change == (db.Change{}) {
		return a.unaltered(x, id)
	}
	report, found, err := a.store.UpdateReport(x.r.Context(), x.key.Account, id, change, x.reportUnchanged)
	if err != nil {
		return response{}, err
	}
	if change.Regenerate {
		return a.await(x, id, http.StatusOK)
	}
	return x.showing(report, found)
}

// unaltered returns the response to a change of nothing.
func (a *API) unaltered(x *request, id uuid.UUID) (response, error) {
	report, found, err := a.store.Report(x.r.Context(), x.key.Account, id)
	if err == nil {
		err = x.reportUnchanged(report)
	}
	if err != nil {
		return response{}, err
	}
	return x.showing(report, found)
}

// response is a response that shows a report, before it is sent.
type response struct {
	status int
	header http.Header
	body   []byte
}

func (x *request) sendResponse(a response) {
	h := x.Header()
	for name, values := range a.header {
		h[name] = values
	}
	x.sendJSON(a.status, a.body)
}

// retryAfter is how many seconds a client should wait before it looks whether a report is done.
const retryAfter = "2"

// await waits as long as the request prefers, and returns a response with the status done, or with 202 while the report
// is still being made. It returns one also when the client has gone or the server is stopping: the report is stored by then.
func (a *API) await(x *request, id uuid.UUID, done int) (response, error) {
	wanted := preferred(x.r.Header, a.Wait)
	if wanted.wait > 0 {
		a.waitFor(x, id, wanted.wait)
	}
	report, found, err := a.store.Report(context.WithoutCancel(x.r.Context()), x.key.Account, id)
	if err != nil {
		return response{}, err
	}
	made, err := x.showing(report, found)
	if err != nil {
		return response{}, err
	}
	made.status = done
	if report.Status.Unfinished() {
		made.status = http.StatusAccepted
		made.header.Set("Retry-After", retryAfter)
	}
	if made.status != http.StatusOK {
		made.header.Set("Location", x.Base+Base+"/reports/"+id.String())
	}
	if wanted.applied != "" {
		made.header.Set("Preference-Applied", wanted.applied)
	}
	return made, nil
}

// waitFor returns when the report is made or nobody waits any longer. Which of them it was, the report tells.
func (a *API) waitFor(x *request, id uuid.UUID, longest time.Duration) {
	ctx, cancel := context.WithTimeout(x.r.Context(), longest)
	defer cancel()
	_ = a.worker.Wait(ctx, x.key.Account, id)
}

// showing returns the response that shows a report.
func (x *request) showing(report db.Report, found *audit.Report) (response, error) {
	document, err := x.reportDocument(report, found)
	return response{status: http.StatusOK, header: http.Header{"Etag": {revisionTag(report.Revision, document)}}, body: document}, err
}

// readNewReport reads the body of a create. What the database would find wrong besides is told in the same response.
func (a *API) readNewReport(x *request) (n db.NewReport, addresses []string, err error) {
	b, err := x.readLongBody()
	if err != nil {
		return n, nil, err
	}
	n, addresses = db.NewReport{URL: b.text("url")}, b.addresses("urls")
	if p := b.privacy(); p != nil {
		n.Privacy = *p
	}
	n.Password = b.text("password")
	n.Project = b.text("project")
	if u, err := weburl.Parse(n.URL); err == nil && a.Forbidden != nil && a.Forbidden(u) {
		b.refuse("url", audit.ForbiddenDetail)
	}
	asked := n
	switch {
	case addresses == nil:
	case n.URL != "":
		b.refuse("urls", "is not possible beside url")
	case len(addresses) == 0 || len(addresses) > maxAddresses:
		b.refuse("urls", fmt.Sprintf("must have 1 to %d addresses", maxAddresses))
	}
	if addresses != nil || slices.ContainsFunc(b.wrong, func(f fieldError) bool { return f.Field == "urls" }) {
		asked.URL = "https://example.com/" // each address is judged by itself
	}
	if wrong := b.finish(); wrong != nil {
		return n, nil, invalidFields(withOthers(wrong, asked.Validate()))
	}
	if addresses != nil {
		err = asked.Validate()
	}
	return n, addresses, err
}

// privacy returns the field of that name; nil when it is absent. What no privacy can be is left for the database to refuse.
func (b *body) privacy() *db.Privacy { return b.privacyOf("privacy") }

// privacyOf is privacy for a field of another name.
func (b *body) privacyOf(name string) *db.Privacy {
	n := b.number(name)
	if n == nil {
		return nil
	}
	p := db.Privacy(math.MaxUint8)
	if *n >= 0 && *n < math.MaxUint8 {
		p = db.Privacy(*n)
	}
	return &p
}

// withOthers adds what the database found wrong in other fields. Without a privacy that can be read it cannot judge the password.
func withOthers(wrong []fieldError, err error) []fieldError {
	named := func(field string) bool {
		return slices.ContainsFunc(wrong, func(f fieldError) bool { return f.Field == field })
	}
	all := wrong
	for _, f := range problemOf(err).fields {
		if !named(f.Field) && !(f.Field == "password" && named("privacy")) {
			all = append(all, f)
		}
	}
	return all
}

// readChange reads the body of an update.
func readChange(x *request) (db.Change, error) {
	b, err := x.readBody()
	if err != nil {
		return db.Change{}, err
	}
	c := db.Change{Privacy: b.privacy(), Password: b.given("password")}
	if results := b.number("results"); results != nil {
		c.Regenerate = *results == 1
		if *results != 0 && *results != 1 {
			b.refuse("results", "must be 0 (keep the results) or 1 (make them again)")
		}
	}
	if wrong := b.finish(); wrong != nil {
		return db.Change{}, invalidFields(wrong)
	}
	return c, nil
}
