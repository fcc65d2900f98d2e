package web

import (
	"context"
	"net/http"

	"github.com/google/uuid"

	"sitegrade/db"
	"sitegrade/sortfilter"
	"sitegrade/web/templates"
	"sitegrade/web/view"
)

// siteRoute is the path of the shared page of a site. What is below it is shared with it.
const siteRoute = db.SitePath + ":share"

// newestCrawl returns the newest crawl of a project with a status, "" for any. The error is db.ErrNotFound.
func (w *Web) newestCrawl(ctx context.Context, account string, project uuid.UUID, status string) (db.Crawl, error) {
	q, err := sortfilter.Parse("per_page=10&status="+status+"&project="+project.String(), sortfilter.CrawlParameters)
	if err != nil {
		return db.Crawl{}, err
	}
	page, err := w.store.Crawls(ctx, account, q)
	if err == nil && len(page.Rows) == 0 {
		err = db.ErrNotFound
	}
	if err != nil {
		return db.Crawl{}, err
	}
	return page.Rows[0], nil
}

// sharedSite returns the project whose site the path names, with its account and the crawl that is shown.
func (w *Web) sharedSite(v *visit) (account string, project db.Project, shown db.Crawl, err error) {
	account, project, err = w.store.SharedProject(v.r.Context(), v.params.ByName("share"))
	if err == nil {
		shown, err = w.newestCrawl(v.r.Context(), account, project.ID, string(db.CrawlEnded))
	}
	return account, project, shown, err
}

// ofSharedSite returns a handler of a page about a site for whoever has its address. The response for a private site, and for one that was
// never crawled, is that for one that does not exist.
func (w *Web) ofSharedSite(show func(*visit, crawlPlace) error) handler {
	return func(v *visit) error {
		account, project, shown, err := w.sharedSite(v)
		if err != nil {
			return err
		}
		of, err := w.speakFor(v, account, project.ID)
		if err != nil {
			return err
		}
		site := protectedSite(project)
		if !w.isOpen(v, site) {
			w.askForPassword(v, http.StatusOK, site, passwordPage{})
			return nil
		}
		index := w.IndexShared && project.Privacy == db.Public
		v.Header().Set("Cache-Control", "private, no-cache") // a change of privacy shows at once
		if !index {
			v.Header().Set("X-Robots-Tag", "noindex")
		}
		p := crawlPlace{Crawl: shown.In(v.words.Language()), account: account, Base: site.path, Lang: v.asked()}
		p.frame = func(title string) frame {
			f := plainFrame(title)
			f.Brand, f.Tongues = view.NewBrand(of), v.tongues("search", "status", "indexable", "sort", "per_page")
			f.Description = v.say("site.description", templates.Shorten(view.HostLength, p.Host()))
			f.Canonical, f.Index = v.Base+v.r.URL.Path, index
			f.addCard(w.assets, v, view.Moment(shown.FinishedAt).Machine())
			return f
		}
		return show(v, p)
	}
}

// unlockSite takes the password of a shared site.
func (w *Web) unlockSite(v *visit) error {
	account, project, _, err := w.sharedSite(v)
	if err != nil {
		return err
	}
	if _, err := w.speakFor(v, account, project.ID); err != nil {
		return err
	}
	return w.unlock(v, protectedSite(project))
}

// changeSitePrivacy changes who may see the page of a project's site. An empty password keeps the one that there is.
func (w *Web) changeSitePrivacy(v *visit) error {
	project, err := w.projectByID(v)
	if err != nil {
		return err
	}
	privacy, password := postedPrivacy(v.posted)
	c := db.ProjectChange{Privacy: &privacy}
	if password != "" {
		c.Password = &password
	}
	_, err = w.store.UpdateProject(v.r.Context(), v.key.Account, project.ID.String(), c, nil)
	if view.FaultLines(v.words, err) != nil {
		fault, others := view.PasswordFault(v.words, err)
		return w.sendProject(v, http.StatusUnprocessableEntity,
			projectPage{Project: project, Wrong: others, Asked: &view.PrivacyField{Privacy: privacy, PasswordFault: fault}})
	}
	if err != nil {
		return err
	}
	return v.see("/projects/" + project.ID.String() + "?done=site")
}
