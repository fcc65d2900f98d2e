// Command tour takes the tour of docs/api.md with a client that oapi-codegen has made of its description. It takes the address of the
// server, and the key from SITEGRADE_KEY.
package main

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"os"

	"tour/client"
)

func main() {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, "<!doctype html><html lang=en><title>A page of a small site</title><h1>A page</h1>")
	}))
	defer site.Close()
	api, err := client.NewClientWithResponses(os.Args[1], client.WithRequestEditorFn(func(_ context.Context, r *http.Request) error {
		r.Header.Set("Authorization", "Bearer "+os.Getenv("SITEGRADE_KEY"))
		return nil
	}))
	must(err, true, "the client")
	take(context.Background(), api, site.URL)
	fmt.Println("The client of oapi-codegen has taken the tour.")
}

// must ends the tour where it goes wrong.
func must(err error, right bool, what string) {
	if err != nil || !right {
		log.Fatalf("%s: %v", what, err)
	}
}

func take(ctx context.Context, api *client.ClientWithResponses, site string) {
	page, about, nonsense := site+"/", site+"/about", "nonsense"
	made, err := api.CreateReportWithResponse(ctx, nil, client.NewReport{Url: &page})
	must(err, made.JSON201 != nil && made.JSON201.Data.Status == client.ReportStatusDone, "a report")
	async, spring := "respond-async", "Spring"
	queued, err := api.CreateReportWithFormdataBodyWithResponse(ctx, &client.CreateReportParams{Prefer: &async}, client.NewReportForm{Url: &about, Project: &spring})
	must(err, queued.JSON202 != nil, "a report that nobody waits for")
	waiting, err := queued.JSON202.AsReportDocument()
	must(err, waiting.Data.Project.Name == spring, "the project of a report that nobody waits for")
	several, err := api.CreateReportWithResponse(ctx, nil, client.NewReport{Urls: &[]string{page, nonsense}})
	must(err, several.JSON202 != nil, "reports of several pages")
	each, err := several.JSON202.AsQueuedReports()
	must(err, len(each.Data) == 2 && each.Data[1].Error != nil, "a report of each page that has an address")

	search, perPage := "about", client.ListReportsParamsPerPage(25)
	found, err := api.ListReportsWithResponse(ctx, &client.ListReportsParams{Search: &search, PerPage: &perPage})
	must(err, found.JSON200 != nil && found.JSON200.Meta.Total == 1 && found.JSON200.Data[0].Url == about, "a search")
	inSpring, err := api.ListReportsWithResponse(ctx, &client.ListReportsParams{Project: &spring})
	must(err, inSpring.JSON200 != nil && inSpring.JSON200.Meta.Total == 1, "the reports of a project")
	projects, err := api.ListProjectsWithResponse(ctx, &client.ListProjectsParams{Search: &spring})
	must(err, projects.JSON200 != nil && projects.JSON200.Meta.Total == 1, "the projects")

	id := made.JSON201.Data.Id
	shown, err := api.ShowReportWithResponse(ctx, id, nil)
	must(err, shown.JSON200 != nil && shown.JSON200.Data.Score != nil && len(shown.JSON200.Data.Checks) > 0, "one report")
	private, again := client.Privacy(1), client.ChangeResults(1)
	hidden, err := api.PutReportWithResponse(ctx, id, nil, client.Change{Privacy: &private})
	must(err, hidden.JSON200 != nil && hidden.JSON200.Data.ShareUrl == nil, "a private report")
	renewed, err := api.PutReportWithResponse(ctx, id, nil, client.Change{Results: &again})
	must(err, renewed.JSON200 != nil && renewed.JSON200.Data.Privacy == private, "a report made again")
	refused, err := api.CreateReportWithResponse(ctx, nil, client.NewReport{Url: &nonsense})
	must(err, refused.ApplicationproblemJSON422 != nil && refused.ApplicationproblemJSON422.Status == http.StatusUnprocessableEntity, "a problem")

	deleted, err := api.DeleteReportWithResponse(ctx, id, nil)
	must(err, deleted.StatusCode() == http.StatusNoContent, "a report deleted")
	gone, err := api.DeleteProjectWithResponse(ctx, spring, nil)
	must(err, gone.StatusCode() == http.StatusNoContent, "a project deleted")
	unknown, err := api.ShowReportWithResponse(ctx, id, nil)
	must(err, unknown.ApplicationproblemJSON404 != nil, "a report that is gone")
}
