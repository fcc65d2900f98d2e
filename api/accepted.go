package api

import (
	"net/http"
	"net/url"

	"sitegrade/db"
	"sitegrade/sortfilter"
)

func (a *API) listAccepted(x *request) error {
	project, err := x.param("project")
	if err != nil {
		return err
	}
	return serveList(x, "/projects/"+url.PathEscape(project)+"/accepted", sortfilter.AcceptedParameters, of(a.store.AcceptedOutcomes, project), db.Accepted.AppendJSON)
}

// accept stores that a failure is accepted. With an Idempotency-Key it does so once.
func (a *API) accept(x *request) error {
	project, err := x.param("project")
	if err != nil {
		return err
	}
	n, err := a.readNewAccepted(x)
	if err != nil {
		return err
	}
	made, _, err := a.store.Accept(x.r.Context(), x.key.Account, project, n)
	if err != nil {
		return err
	}
	x.sendJSON(http.StatusCreated, document(made.AppendJSON))
	return nil
}

func (a *API) readNewAccepted(x *request) (n db.NewAccepted, err error) {
	b, err := x.readBody()
	if err != nil {
		return n, err
	}
	n = db.NewAccepted{Check: b.text("check"), URL: b.text("url"), Reason: b.text("reason"), ExpiresAt: b.time("expires_at")}
	if wrong := b.finish(); wrong != nil {
		_, err := n.Validate(a.Now())
		return n, invalidFields(withOthers(wrong, err))
	}
	n.IdempotencyKey, err = idempotencyKey(x.r.Header)
	return n, err
}

func (a *API) unaccept(x *request) error {
	project, err := x.param("project")
	if err != nil {
		return err
	}
	id, err := x.pathID()
	if err != nil {
		return err
	}
	if err := a.store.Unaccept(x.r.Context(), x.key.Account, project, id); err != nil {
		return err
	}
	x.WriteHeader(http.StatusNoContent)
	return nil
}
