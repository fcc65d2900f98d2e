package api

import (
	"net/http"
	"strconv"

	"github.com/julienschmidt/httprouter"

	"sitegrade/auth"
	"sitegrade/httpx"
)

// handler serves a request or returns why it cannot.
type handler func(*request) error

// route is one method of one path below Base. Whoever asks needs the scope; 0 means that anybody may.
type route struct {
	method  string
	path    string
	scope   auth.Scope
	handler handler
}

// routes is the whole API. HEAD is served wherever GET is, and OPTIONS everywhere.
func (a *API) routes() []route {
	return []route{
		{"GET", "/projects", auth.Read, a.listProjects},
		{"GET", "/projects/:project", auth.Read, a.showProject},
		{"PATCH", "/projects/:project", auth.Write, a.updateProject},
		{"DELETE", "/projects/:project", auth.Write, a.deleteProject},
		{"GET", "/projects/:project/accepted", auth.Read, a.listAccepted},
		{"POST", "/projects/:project/accepted", auth.Write, a.accept},
		{"DELETE", "/projects/:project/accepted/:id", auth.Write, a.unaccept},
		{"GET", "/reports", auth.Read, worded(a.listReports)},
		{"POST", "/reports", auth.Write, worded(a.createReport)},
		{"GET", "/reports/:id", auth.Read, worded(a.showReport)},
		{"PUT", "/reports/:id", auth.Write, worded(a.updateReport)},
		{"PATCH", "/reports/:id", auth.Write, worded(a.updateReport)},
		{"DELETE", "/reports/:id", auth.Write, a.deleteReport},
		{"GET", "/reports/:id/generations", auth.Read, worded(a.listGenerations)},
		{"GET", "/reports/:id/generations/:number", auth.Read, worded(a.showGeneration)},
		{"GET", "/reports/:id/diff", auth.Read, worded(a.diffReport)},
		{"GET", "/keys", auth.Admin, a.listKeys},
		{"POST", "/keys", auth.Admin, a.createKey},
		{"DELETE", "/keys/:id", auth.Admin, a.revokeKey},
		{"GET", "/account", auth.Admin, a.showAccount},
		{"PATCH", "/account", auth.Admin, a.updateAccount},
		{"PUT", "/account/logo", auth.Admin, a.putLogo},
		{"DELETE", "/account/logo", auth.Admin, a.deleteLogo},
		{"GET", "/forms", auth.Admin, a.listForms},
		{"POST", "/forms", auth.Admin, a.createForm},
		{"GET", "/forms/:id", auth.Admin, a.showForm},
		{"PATCH", "/forms/:id", auth.Admin, a.updateForm},
		{"DELETE", "/forms/:id", auth.Admin, a.deleteForm},
		{"GET", "/schedules", auth.Read, a.listSchedules},
		{"POST", "/schedules", auth.Write, a.createSchedule},
		{"GET", "/schedules/:id", auth.Read, a.showSchedule},
		{"PUT", "/schedules/:id", auth.Write, a.updateSchedule},
		{"PATCH", "/schedules/:id", auth.Write, a.updateSchedule},
		{"DELETE", "/schedules/:id", auth.Write, a.deleteSchedule},
		{"GET", "/webhooks", auth.Read, a.listWebhooks},
		{"POST", "/webhooks", auth.Write, a.createWebhook},
		{"GET", "/webhooks/:id", auth.Read, a.showWebhook},
		{"PUT", "/webhooks/:id", auth.Write, a.updateWebhook},
		{"PATCH", "/webhooks/:id", auth.Write, a.updateWebhook},
		{"DELETE", "/webhooks/:id", auth.Write, a.deleteWebhook},
		{"GET", "/webhooks/:id/deliveries", auth.Read, a.listDeliveries},
		{"GET", "/webhooks/:id/deliveries/:delivery", auth.Read, a.showDelivery},
		{"PUT", "/webhooks/:id/deliveries/:delivery", auth.Write, a.updateDelivery},
		{"GET", "/projects/:project/issues", auth.Read, worded(a.listIssues)},
		{"GET", "/projects/:project/issues/:check", auth.Read, a.listIssueRows},
		{"GET", "/crawls", auth.Read, worded(a.listCrawls)},
		{"POST", "/crawls", auth.Write, worded(a.createCrawl)},
		{"GET", "/crawls/:id", auth.Read, worded(a.showCrawl)},
		{"PUT", "/crawls/:id", auth.Write, worded(a.updateCrawl)},
		{"DELETE", "/crawls/:id", auth.Write, a.deleteCrawl},
		{"GET", "/crawls/:id/pages", auth.Read, a.listCrawlPages},
		{"GET", "/crawls/:id/links", auth.Read, a.listCrawlLinks},
		{"GET", "/openapi.json", 0, a.showDescription},
	}
}

// newRouter registers the routes. Nothing is redirected: a path is right or there is nothing at it.
func (a *API) newRouter() *httprouter.Router {
	router := httprouter.New()
	router.RedirectTrailingSlash = false
	router.RedirectFixedPath = false
	router.NotFound = problemHandler(noSuchPath)
	router.MethodNotAllowed = problemHandler(methodNotAllowed)
	router.GlobalOPTIONS = http.HandlerFunc(sendOptions)
	for _, route := range a.routes() {
		router.Handle(route.method, Base+route.path, a.handle(route))
		if route.method == http.MethodGet {
			router.Handle(http.MethodHead, Base+route.path, a.handle(route))
		}
	}
	return router
}

// handle returns what the router calls: it admits the request, runs the handler and sends what went wrong.
func (a *API) handle(route route) httprouter.Handle {
	return func(w http.ResponseWriter, r *http.Request, params httprouter.Params) {
		x := &request{ResponseWriter: w, Info: httpx.InfoOf(r.Context()), r: r, params: params}
		x.Route = Base + route.path
		err := a.admit(x, route.scope)
		if err == nil {
			err = route.handler(x)
		}
		if err != nil {
			a.fail(x, err)
		}
	}
}

// admit authenticates a request, counts it against its key's rate and checks the scope, in this order.
func (a *API) admit(x *request, scope auth.Scope) error {
	if scope == 0 {
		return nil
	}
	if err := a.authenticate(x); err != nil {
		return err
	}
	if err := a.countCall(x); err != nil {
		return err
	}
	if !x.key.Scopes.Has(scope) {
		return missingScope(scope)
	}
	return nil
}

// countCall counts a request against its key, and tells the client how much is left.
func (a *API) countCall(x *request) error {
	standing := a.Limits.Call(x.key.ID, a.Now())
	standing.Tell(x.Header())
	if standing.Wait == 0 {
		return nil
	}
	p := *tooManyRequests
	p.header = http.Header{"Retry-After": {strconv.Itoa(standing.Wait)}}
	return &p
}

func problemHandler(p *problem) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) { sendProblem(w, r, p) }
}

// sendOptions responds to OPTIONS; the router has set Allow. A browser that asks before a request of another origin is told the same.
func sendOptions(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	if h.Get("Access-Control-Allow-Origin") != "" && r.Header.Get("Access-Control-Request-Method") != "" {
		h.Set("Access-Control-Allow-Methods", h.Get("Allow"))
		h.Set("Access-Control-Allow-Headers", allowedHeaders)
		h.Set("Access-Control-Max-Age", preflightAge)
	}
	w.WriteHeader(http.StatusNoContent)
}
