package web

import (
	"net/http"
	"strings"

	"sitegrade/audit"
	"sitegrade/web/templates"
)

// checksRoute is the path of the list of checks; the page of each lies below it.
const checksRoute = "/docs/checks"

// checkGroup is a category with the explanations of its checks.
type checkGroup struct {
	ID, Title string
	Checks    []audit.Explanation
}

type checkIndexPage struct {
	frame
	Groups []checkGroup
	Count  int // of the checks that reports have
}

type checkPage struct {
	frame
	audit.Explanation
	Before, After *audit.Explanation // nil at the ends of the list
}

// publicPaths are the pages that everybody may find.
func publicPaths() []string {
	paths := []string{"/docs", checksRoute}
	for _, e := range audit.Explanations() {
		paths = append(paths, checksRoute+"/"+e.ID)
	}
	return paths
}

func (w *Web) listChecks(v *visit) error {
	page := checkIndexPage{frame: v.frame("Every check of a website report, explained", "docs")}
	for _, e := range audit.Explanations() {
		if n := len(page.Groups); n == 0 || page.Groups[n-1].Title != e.CategoryTitle {
			page.Groups = append(page.Groups, checkGroup{ID: strings.ToLower(e.Category), Title: e.CategoryTitle})
		}
		last := &page.Groups[len(page.Groups)-1]
		last.Checks = append(last.Checks, e)
		if e.Retired == "" {
			page.Count++
		}
	}
	page.Description = "What a report on a website looks at, check by check: when a page fails, why that matters, and how to mend it."
	page.Canonical = v.Base + checksRoute
	page.Index = true
	page.addCard(w.assets, v.Base, "")
	w.sendPage(v, http.StatusOK, "checkindex", page)
	return nil
}

// maxDescription is how many characters of a description search engines show.
const maxDescription = 155

func (w *Web) showCheck(v *visit) error {
	all := audit.Explanations()
	for i, e := range all {
		if e.ID != v.params.ByName("id") {
			continue
		}
		page := checkPage{frame: v.frame(e.Name+", a check of web pages", "docs"), Explanation: e}
		if i > 0 {
			page.Before = &all[i-1]
		}
		if i+1 < len(all) {
			page.After = &all[i+1]
		}
		page.Description = templates.Shorten(maxDescription, strings.ReplaceAll(e.Looks, "`", ""))
		page.Canonical = v.Base + checksRoute + "/" + e.ID
		page.Index = true
		page.addCard(w.assets, v.Base, "")
		w.sendPage(v, http.StatusOK, "check", page)
		return nil
	}
	return notFound
}
