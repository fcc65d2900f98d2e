package api

import (
	"net/http"

	"sitegrade/db"
	"sitegrade/sortfilter"
)

func (a *API) listProjects(x *request) error {
	q, err := sortfilter.ParseProjects(x.r.URL.RawQuery)
	if err != nil {
		return err
	}
	page, err := a.store.Projects(x.r.Context(), x.key.Account, q)
	if err != nil {
		return err
	}
	sendList(x, "/projects", q, page, func(b []byte, p db.Project) []byte { return p.AppendJSON(b) })
	return nil
}

func (a *API) showProject(x *request) error {
	name, err := x.param("project")
	if err != nil {
		return err
	}
	project, err := a.store.Project(x.r.Context(), x.key.Account, name)
	if err != nil {
		return err
	}
	document := projectDocument(project)
	x.sendRecord(document, hashTag(document))
	return nil
}

func (a *API) deleteProject(x *request) error {
	name, err := x.param("project")
	if err != nil {
		return err
	}
	if err := a.store.DeleteProject(x.r.Context(), x.key.Account, name, x.projectUnchanged); err != nil {
		return err
	}
	x.WriteHeader(http.StatusNoContent)
	return nil
}
