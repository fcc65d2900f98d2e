package web

import (
	"net/http"
	"slices"

	"github.com/julienschmidt/httprouter"

	"sitegrade/auth"
	"sitegrade/db"
	"sitegrade/web/view"
)

// handler serves a visit, or returns what went wrong.
type handler func(*visit) error

// route is one line of the table. Needs are the scopes that a visitor's key must have; 0: everybody may come.
type route struct {
	method, path string
	needs        auth.Scope
	serve        handler
}

const (
	get  = http.MethodGet
	post = http.MethodPost
)

// keysRoute is the path of the list of API keys.
const keysRoute = "/keys"

// newRoute is the path of the form for new reports.
const newRoute = "/new"

func (w *Web) routes() []route { return append(w.ownRoutes(), w.openRoutes()...) }

// What the key of a visitor must allow for a page behind the sign-in: to look, to change, or to administer the account.
const (
	read       = auth.Read
	change     = auth.Read | auth.Write
	administer = auth.Read | auth.Admin
)

// ownRoutes are those behind the sign-in.
func (w *Web) ownRoutes() []route {
	return slices.Concat(w.reportRoutes(), w.projectRoutes(), w.crawlRoutes(), w.scheduleRoutes(), w.webhookRoutes(), w.settingsRoutes(), w.keyRoutes())
}

func (w *Web) reportRoutes() []route {
	return []route{
		{get, "/", read, w.listReports},
		{get, "/reports.csv", read, w.exportReports("reports.csv")},
		{get, "/reports.json", read, w.exportReports("reports.json")},
		{get, "/reports/:id", read, w.showReport},
		{get, "/reports/:id/events", read, w.streamEvents},
		{get, "/reports/:id/export/:file", read, w.exportReport},
		{post, "/reports/:id/regenerate", change, w.counted(w.regenerate)},
		{post, "/reports/:id/privacy", change, w.counted(w.changePrivacy)},
		{get, "/reports/:id/delete", change, w.confirmReportDelete},
		{post, "/reports/:id/delete", change, w.counted(w.deleteReport)},
		{post, "/selected", change, w.doSelected},
		{get, newRoute, change, w.newReports},
		{post, newRoute, change, w.createReports},
	}
}

func (w *Web) projectRoutes() []route {
	return []route{
		{get, "/projects", read, w.listProjects},
		{get, "/projects/:id", read, w.showProject},
		{post, "/projects/:id", change, w.counted(w.changeProject)},
		{post, "/projects/:id/audit", change, w.counted(w.auditProject)},
		{get, "/projects/:id/issues/:check", read, w.showProjectIssue},
		{post, "/projects/:id/privacy", change, w.counted(w.changeSitePrivacy)},
		{post, "/projects/:id/accept", change, w.counted(w.accept)},
		{post, "/projects/:id/unaccept", change, w.counted(w.unaccept)},
		{get, "/projects/:id/delete", change, w.confirmProjectDelete},
		{post, "/projects/:id/delete", change, w.counted(w.deleteProject)},
		{get, "/projects/:id/crawl", read, w.showNewestCrawl},
	}
}

func (w *Web) crawlRoutes() []route {
	return []route{
		{get, crawlsRoute, read, w.listCrawls},
		{post, crawlsRoute, change, w.startCrawl},
		{get, "/crawls/:id", read, w.ofCrawl(w.showCrawl)},
		{get, "/crawls/:id/events", read, w.ofCrawl(w.streamCrawl)},
		{get, "/crawls/:id/pages", read, w.ofCrawl(w.listCrawlPages)},
		{get, "/crawls/:id/links", read, w.ofCrawl(w.listCrawlLinks)},
		{get, "/crawls/:id/issues/:check", read, w.ofCrawl(w.showCrawlIssue)},
		{get, "/crawls/:id/export/:file", read, w.ofCrawl(w.exportCrawl)},
		{post, "/crawls/:id/stop", change, w.counted(w.ofCrawl(w.stopCrawl))},
		{get, "/crawls/:id/delete", change, w.ofCrawl(w.confirmCrawlDelete)},
		{post, "/crawls/:id/delete", change, w.counted(w.ofCrawl(w.deleteCrawl))},
	}
}

func (w *Web) scheduleRoutes() []route {
	return []route{
		{get, schedulesRoute, read, w.listSchedules},
		{post, schedulesRoute, change, w.createSchedule},
		{get, "/schedules/:id", change, w.showSchedule},
		{post, "/schedules/:id", change, w.counted(w.updateSchedule)},
		{post, "/schedules/:id/run", change, w.counted(w.runSchedule)},
		{get, "/schedules/:id/delete", change, w.confirmScheduleDelete},
		{post, "/schedules/:id/delete", change, w.counted(w.deleteSchedule)},
	}
}

func (w *Web) webhookRoutes() []route {
	return []route{
		{get, webhooksRoute, read, w.listWebhooks},
		{post, webhooksRoute, change, w.counted(w.createWebhook)},
		{get, "/webhooks/:id", read, w.showWebhook},
		{post, "/webhooks/:id", change, w.counted(w.updateWebhook)},
		{post, "/webhooks/:id/do", change, w.counted(w.doWebhook)},
		{post, "/webhooks/:id/resend", change, w.counted(w.resendDelivery)},
		{get, "/webhooks/:id/delete", change, w.confirmWebhookDelete},
		{post, "/webhooks/:id/delete", change, w.counted(w.deleteWebhook)},
	}
}

func (w *Web) settingsRoutes() []route {
	return []route{
		{get, settingsRoute, administer, w.showSettings},
		{post, settingsRoute, administer, w.counted(w.changeSettings)},
		{post, "/settings/brand", administer, w.counted(w.changeBrand)},
		{post, logoRoute, administer, w.counted(w.changeLogo)},
		{post, "/settings/logo/delete", administer, w.counted(w.deleteLogo)},
		{post, "/settings/sign-out", administer, w.counted(w.signOutEverywhere)},
		{get, formsRoute, administer, w.listForms},
		{post, formsRoute, administer, w.counted(w.createForm)},
		{get, "/forms/:id", administer, w.showOwnForm},
		{post, "/forms/:id", administer, w.counted(w.updateForm)},
		{get, "/forms/:id/delete", administer, w.confirmFormDelete},
		{post, "/forms/:id/delete", administer, w.counted(w.deleteForm)},
	}
}

func (w *Web) keyRoutes() []route {
	return []route{
		{get, keysRoute, read, w.listKeys},
		{post, keysRoute, administer, w.counted(w.createKey)},
		{get, "/keys/:id/revoke", administer, w.confirmKeyRevoke},
		{post, "/keys/:id/revoke", administer, w.counted(w.revokeKey)},
	}
}

// openRoutes are those for everybody.
func (w *Web) openRoutes() []route {
	return []route{
		{get, "/login", 0, w.showLogin},
		{post, "/login", 0, w.signIn},
		{post, "/logout", 0, w.signOut},
		{get, db.SharePath + ":share", 0, w.showShared},
		{post, db.SharePath + ":share", 0, w.unlockReport},
		{get, db.SharePath + ":share/badge.svg", 0, w.sendBadge},
		{get, db.SharePath + ":share/export/:file", 0, w.exportShared},
		{get, siteRoute, 0, w.ofSharedSite(w.showCrawl)},
		{post, siteRoute, 0, w.unlockSite},
		{get, siteRoute + "/pages", 0, w.ofSharedSite(w.listCrawlPages)},
		{get, siteRoute + "/links", 0, w.ofSharedSite(w.listCrawlLinks)},
		{get, siteRoute + "/issues/:check", 0, w.ofSharedSite(w.showCrawlIssue)},
		{get, siteRoute + "/export/:file", 0, w.ofSharedSite(w.exportCrawl)},
		{get, embedRoute, 0, w.showForm},
		{post, embedRoute, 0, w.takeLead},
		{get, db.LogoPath + ":share", 0, w.sendLogo},
		{get, view.SheetPath + ":file", 0, w.sendBrandSheet},
		{get, "/docs", 0, w.showDocs},
		{get, checksRoute, 0, w.listChecks},
		{get, checksRoute + "/:id", 0, w.showCheck},
		{get, "/assets/:name", 0, w.sendAsset},
		{get, "/favicon.ico", 0, w.sendIcon},
		{get, "/robots.txt", 0, w.sendRobots},
		{get, "/sitemap.xml", 0, w.sendSitemap},
	}
}

func (w *Web) newRouter() *httprouter.Router {
	router := &httprouter.Router{
		HandleMethodNotAllowed: true,
		NotFound:               w.serve(route{serve: func(*visit) error { return notFound }}),
		MethodNotAllowed:       w.serve(route{serve: func(*visit) error { return methodNotAllowed }}),
	}
	for _, r := range w.routes() {
		router.Handler(r.method, r.path, w.serve(r))
		if r.method == get {
			router.Handler(http.MethodHead, r.path, w.serve(r))
		}
	}
	return router
}

// serve returns what the router calls for a route.
func (w *Web) serve(route route) http.HandlerFunc {
	return func(rw http.ResponseWriter, r *http.Request) {
		v := newVisit(rw, r)
		v.Route = route.path
		err := w.admit(v, route.needs)
		if err == nil {
			err = route.serve(v)
		}
		if err != nil {
			w.fail(v, err)
		}
	}
}

// panicked responds to a request whose handler panicked.
func (w *Web) panicked(rw http.ResponseWriter, r *http.Request) {
	v := newVisit(rw, r)
	w.sendFailure(v, v.internal())
}

// admit lets a visit through, or says why not. Writes are refused when another site's page sent them, and behind the sign-in also
// without the token that our own forms have.
func (w *Web) admit(v *visit, needs auth.Scope) error {
	if v.Route == embedRoute {
		return nil // it knows no visitor, and every site may have it
	}
	if w.foreign.Check(v.r) != nil {
		return foreignOrigin
	}
	if err := w.recognise(v); err != nil {
		return err
	}
	switch {
	case needs == 0:
		return nil
	case !v.signedIn():
		return errSignIn
	case !v.key.Scopes.Has(needs & auth.Admin):
		return noAdmin
	case !v.key.Scopes.Has(needs):
		return insufficientScope
	}
	if v.r.Method == post {
		return v.checkToken()
	}
	return tooMany(w.Limits.Page(v.key.ID, w.Now()))
}

// counted returns a handler of a form that counts as a call of the API does, against the key of the session.
func (w *Web) counted(next handler) handler {
	return func(v *visit) error {
		if err := tooMany(w.Limits.Call(v.key.ID, w.Now()).Wait); err != nil {
			return err
		}
		return next(v)
	}
}

// tooMany returns the failure of a visit that must wait so many seconds; nil for 0.
func tooMany(wait int) error {
	if wait == 0 {
		return nil
	}
	f := *tooManyRequests
	f.wait = wait
	return &f
}
