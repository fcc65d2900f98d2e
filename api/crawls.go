package api

import (
	"math"
	"net/http"

	"sitegrade/audit"
	"sitegrade/db"
	"sitegrade/sortfilter"
	"sitegrade/weburl"
)

func (a *API) listCrawls(x *request) error {
	return serveList(x, "/crawls", sortfilter.CrawlParameters, a.store.Crawls, func(c db.Crawl, b []byte) []byte { return c.In(x.lang).AppendJSON(b) })
}

func (a *API) showCrawl(x *request) error {
	id, err := x.pathID()
	if err != nil {
		return err
	}
	c, err := a.store.Crawl(x.r.Context(), x.key.Account, id)
	if err != nil {
		return err
	}
	document := x.crawlDocument(c)
	x.sendRecord(document, revisionTag(c.Revision, document))
	return nil
}

// createCrawl stores a crawl, which the worker begins. With an Idempotency-Key it does so once.
func (a *API) createCrawl(x *request) error {
	n, err := a.readNewCrawl(x)
	if err != nil {
		return err
	}
	made, _, err := a.store.CreateCrawl(x.r.Context(), x.key.Account, n)
	if err != nil {
		return err
	}
	x.Header().Set("Location", x.Base+Base+"/crawls/"+made.ID.String())
	x.Header().Set("Retry-After", retryAfter)
	document := x.crawlDocument(made)
	x.sendChanged(http.StatusAccepted, document, revisionTag(made.Revision, document))
	return nil
}

func (a *API) readNewCrawl(x *request) (n db.NewCrawl, err error) {
	b, err := x.readLongBody()
	if err != nil {
		return n, err
	}
	n = a.crawlOf(b)
	n.Project = b.text("project")
	if wrong := b.finish(); wrong != nil {
		_, _, others := n.Normalised()
		return n, invalidFields(withOthers(wrong, others))
	}
	n.IdempotencyKey, err = idempotencyKey(x.r.Header)
	return n, err
}

// crawlOf reads what a crawl is asked to do, but for its project.
func (a *API) crawlOf(b *body) db.NewCrawl {
	n := db.NewCrawl{
		URL: b.text("url"), URLs: b.addresses("urls"), Mode: b.text("mode"), Privacy: b.privacy(),
		MaxPages: b.positive("max_pages"), MaxDepth: b.positive("max_depth"), Include: b.list("include"), Exclude: b.list("exclude"),
		Headers: b.texts("headers"),
	}
	if u, err := weburl.Parse(n.URL); err == nil && a.Forbidden != nil && a.Forbidden(u) {
		b.refuse("url", audit.ForbiddenDetail)
	}
	return n
}

// positive is number with everything that is too large for a number as the largest one.
func (b *body) positive(name string) *int {
	n := b.number(name)
	if n != nil && *n > math.MaxInt32 {
		*n = math.MaxInt32
	}
	return n
}

// updateCrawl stops a crawl: that is all that can be changed of it.
func (a *API) updateCrawl(x *request) error {
	id, err := x.pathID()
	if err != nil {
		return err
	}
	b, err := x.readBody()
	if err != nil {
		return err
	}
	if status := b.text("status"); status != string(db.CrawlStopped) && b.wrong == nil {
		b.refuse("status", `is required: "stopped" is what a crawl can be made`)
	}
	if wrong := b.finish(); wrong != nil {
		return invalidFields(wrong)
	}
	c, err := a.store.StopCrawl(x.r.Context(), x.key.Account, id, x.crawlUnchanged)
	if err != nil {
		return err
	}
	document := x.crawlDocument(c)
	x.sendChanged(http.StatusOK, document, revisionTag(c.Revision, document))
	return nil
}

func (a *API) deleteCrawl(x *request) error {
	return deleteRecord(x, a.store.DeleteCrawl, x.crawlUnchanged)
}

func (a *API) listCrawlPages(x *request) error {
	id, err := x.pathID()
	if err != nil {
		return err
	}
	return serveList(x, "/crawls/"+id.String()+"/pages", sortfilter.CrawlPageParameters, of(a.store.CrawlPages, id), db.CrawlPage.AppendJSON)
}

func (a *API) listCrawlLinks(x *request) error {
	id, err := x.pathID()
	if err != nil {
		return err
	}
	return serveList(x, "/crawls/"+id.String()+"/links", sortfilter.CrawlLinkParameters, of(a.store.CrawlLinks, id), db.CrawlLink.AppendJSON)
}
