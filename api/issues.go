package api

import (
	"net/url"

	"sitegrade/db"
	"sitegrade/sortfilter"
)

func (a *API) listIssues(x *request) error {
	project, err := x.param("project")
	if err != nil {
		return err
	}
	q, err := sortfilter.Parse(x.r.URL.RawQuery, sortfilter.IssueParameters)
	if err != nil {
		return err
	}
	page, err := a.store.Issues(x.r.Context(), x.key.Account, project, q)
	if err != nil {
		return err
	}
	sendList(x, issuesPath(project), q, page, func(b []byte, i db.Issue) []byte { return i.AppendJSON(b) })
	return nil
}

func (a *API) listIssueRows(x *request) error {
	project, err := x.param("project")
	if err != nil {
		return err
	}
	check, err := x.param("check")
	if err != nil {
		return err
	}
	q, err := sortfilter.Parse(x.r.URL.RawQuery, sortfilter.IssueRowParameters)
	if err != nil {
		return err
	}
	page, err := a.store.IssueRows(x.r.Context(), x.key.Account, project, check, q)
	if err != nil {
		return err
	}
	sendList(x, issuesPath(project)+"/"+url.PathEscape(check), q, page, func(b []byte, r db.IssueRow) []byte { return r.AppendJSON(b) })
	return nil
}

func issuesPath(project string) string { return "/projects/" + url.PathEscape(project) + "/issues" }
