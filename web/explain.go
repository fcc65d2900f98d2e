package web

import (
	"net/http"
	"strings"

	"sitegrade/audit"
	"sitegrade/locale"
	"sitegrade/web/templates"
	"sitegrade/web/view"
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

// checksFrame is the frame of a page of the documentation, which everybody may find.
func (v *visit) checksFrame(title, path string) frame {
	f := v.frame(title, "docs")
	f.Canonical, f.Index = v.Base+v.asking(path), true
	f.Asking, f.Tongues = v.asking(""), v.tongues()
	f.Tongues.Alternates = []view.Choice{{Value: "x-default", Text: v.Base + path}}
	for _, l := range locale.Codes() {
		f.Tongues.Alternates = append(f.Tongues.Alternates, view.Choice{Value: l, Text: v.Base + path + "?lang=" + l})
	}
	return f
}

func (w *Web) listChecks(v *visit) error {
	page := checkIndexPage{frame: v.checksFrame(v.say("explained.index-title"), checksRoute)}
	for _, e := range audit.ExplanationsIn(v.words.Language()) {
		if n := len(page.Groups); n == 0 || page.Groups[n-1].Title != e.CategoryTitle {
			page.Groups = append(page.Groups, checkGroup{ID: strings.ToLower(e.Category), Title: e.CategoryTitle})
		}
		last := &page.Groups[len(page.Groups)-1]
		last.Checks = append(last.Checks, e)
		if e.Retired == "" {
			page.Count++
		}
	}
	page.Description = v.say("explained.index-description")
	page.addCard(w.assets, v, "")
	w.sendPage(v, http.StatusOK, "checkindex", page)
	return nil
}

// maxDescription is how many characters of a description search engines show.
const maxDescription = 155

func (w *Web) showCheck(v *visit) error {
	all := audit.ExplanationsIn(v.words.Language())
	for i, e := range all {
		if e.ID != v.params.ByName("id") {
			continue
		}
		page := checkPage{frame: v.checksFrame(v.say("explained.check-title", e.Name), checksRoute+"/"+e.ID), Explanation: e}
		if i > 0 {
			page.Before = &all[i-1]
		}
		if i+1 < len(all) {
			page.After = &all[i+1]
		}
		page.Description = templates.Shorten(maxDescription, strings.ReplaceAll(e.Looks, "`", ""))
		page.addCard(w.assets, v, "")
		w.sendPage(v, http.StatusOK, "check", page)
		return nil
	}
	return notFound
}
