package api

import (
	"errors"
	"net/http"

	"github.com/google/uuid"

	"sitegrade/audit"
	"sitegrade/db"
	"sitegrade/jsonappend"
	"sitegrade/weburl"
)

// maxAddresses is how many reports one request may create.
const maxAddresses = 1000

// deletedSince is what stands for a report of a create that is repeated.
const deletedSince = `,"report":null,"error":{"code":"deleted","detail":"The first request with this Idempotency-Key made a report, which was deleted since."}}`

// createAll stores a report of each address that can be requested, and returns the response, which tells of the others why they cannot. It waits
// for not one of them.
func (a *API) createAll(x *request, n db.NewReport, addresses []string) (response, error) {
	wrong := make([]string, len(addresses))
	var right []string
	for i, address := range addresses {
		if wrong[i] = a.addressDetail(address); wrong[i] == "" {
			right = append(right, address)
		}
	}
	var made []db.Report
	if len(right) > 0 {
		var err error
		if made, err = a.store.CreateReports(x.r.Context(), x.key.Account, n, right...); err != nil {
			return response{}, err
		}
	}
	b := []byte(`{"data":[`)
	for i, address := range addresses {
		if i > 0 {
			b = append(b, ',')
		}
		b = jsonappend.String(append(b, `{"url":`...), address)
		if wrong[i] != "" {
			b = append(b, `,"report":null,"error":{"code":"invalid","detail":`...)
			b = append(jsonappend.String(b, wrong[i]), "}}"...)
			continue
		}
		if r := made[0]; r.ID == uuid.Nil {
			b = append(b, deletedSince...)
		} else {
			b = append(r.AppendJSON(append(b, `,"report":`...), x.Base), `,"error":null}`...)
		}
		made = made[1:]
	}
	return response{status: http.StatusAccepted, header: http.Header{"Retry-After": {retryAfter}}, body: append(b, "]}\n"...)}, nil
}

// addressDetail says why a page cannot be audited; "" where it can.
func (a *API) addressDetail(address string) string {
	if u, err := weburl.Parse(address); err == nil && a.Forbidden != nil && a.Forbidden(u) {
		return audit.ForbiddenDetail
	}
	if e, ok := errors.AsType[*db.InvalidError](db.NewReport{URL: address}.Validate()); ok {
		return e.Fields[0].Detail
	}
	return ""
}
