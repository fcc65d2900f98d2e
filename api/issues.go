package api

import (
	"context"
	"net/url"

	"sitegrade/db"
	"sitegrade/sortfilter"
)

func (a *API) listIssues(x *request) error {
	project, err := x.param("project")
	if err != nil {
		return err
	}
	return serveList(x, issuesPath(project), sortfilter.IssueParameters, of(a.store.Issues, project), func(i db.Issue, b []byte) []byte { return x.issue(i).AppendJSON(b) })
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
	read := func(ctx context.Context, account string, q sortfilter.Query) (db.Page[db.IssueRow], error) {
		return a.store.IssueRows(ctx, account, project, check, q)
	}
	return serveList(x, issuesPath(project)+"/"+url.PathEscape(check), sortfilter.IssueRowParameters, read, db.IssueRow.AppendJSON)
}

func issuesPath(project string) string { return "/projects/" + url.PathEscape(project) + "/issues" }
