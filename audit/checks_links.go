package audit

import (
	"net/http"
	"slices"
	"strconv"
	"time"

	"sitegrade/audit/header"
	"sitegrade/audit/page"
	"sitegrade/audit/robots"
	"sitegrade/weburl"
)

// linkedPageChecks are the checks of the section seo that look at sampled links, images, the canonical target and the
// alternates.
var linkedPageChecks = []check{
	{
		id: "canonical-target", severity: Medium,
		source: "SEOnaut",
		needs:  needsCanonical,
		run:    checkCanonicalAnswer,
	},
	{
		id: "hreflang-return", severity: Medium,
		source: "SEOnaut; Screaming Frog",
		needs:  needsAlternates,
		run:    checkHreflangReturn,
	},
	{
		id: "broken-links", severity: Medium,
		source: "SEOnaut; Screaming Frog; Semrush",
		needs:  needsLinks,
		run:    checkBrokenLinks,
	},
	{
		id: "links-to-redirect", severity: Low,
		source: "Screaming Frog",
		needs:  needsOwnLinks,
		run:    checkLinksToRedirect,
	},
	{
		id: "image-broken", severity: Medium,
		source: "Semrush",
		needs:  needsImages,
		run:    checkBrokenImages,
	},
}

func checkCanonicalAnswer(f *facts) finding {
	targets := f.reached(f.sampled(canonicalTarget))
	if len(targets) == 0 {
		return f.notReached(f.sampled(canonicalTarget), "The canonical URL is this page, or was not fetched.")
	}
	target := targets[0]
	if problem := target.indexingProblem(target.page(), f.now); problem != "" {
		return failText([]Evidence{target.place()}, "The canonical URL %s.", problem)
	}
	return passText("The canonical URL answers with status %d and may be indexed.", target.Status)
}

// page parses the body of a sampled page, or as much of it as was fetched.
func (r *resource) page() *page.Document { return page.Parse(r.Body, r.URL) }

// indexingProblem says why search engines cannot index a sampled page under its URL, "" when they can.
func (r *resource) indexingProblem(doc *page.Document, now time.Time) string {
	switch {
	case r.Failure != nil:
		return "does not answer"
	case len(r.Redirects) > 0:
		return "redirects to " + shownAddress(r.URL)
	case r.Status != http.StatusOK:
		return "answers with status " + strconv.Itoa(r.Status)
	case r.isNoindex(doc, now):
		return "may not be indexed"
	}
	return ""
}

// isNoindex reports whether headers or robots meta elements keep all search engines from indexing a page.
func (r *resource) isNoindex(doc *page.Document, now time.Time) bool {
	tags := robots.ParseTagHeader(r.Header.Values("X-Robots-Tag"))
	for _, m := range doc.Metas {
		if m.Name == "robots" && !m.InBody {
			tags = append(tags, robots.ParseMeta("", m.Content)...)
		}
	}
	return slices.ContainsFunc(tags, func(t robots.Tag) bool { return t.Agent == "" && t.BlocksIndexing(now) })
}

func checkHreflangReturn(f *facts) finding {
	alternates := f.reached(f.sampled(hreflangTarget))
	if len(alternates) == 0 {
		return f.notReached(f.sampled(hreflangTarget), "The page has no alternates in other languages, or not one of them was fetched.")
	}
	own := f.ownAddresses()
	var broken tally
	first := ""
	for _, r := range alternates {
		doc := r.page()
		problem := r.indexingProblem(doc, f.now)
		if problem == "" && !r.linksBack(doc, own) {
			problem = "does not link back"
		}
		if problem != "" {
			broken.add(r.place())
			if first == "" {
				first = problem
			}
		}
	}
	if broken.count > 0 {
		sentence := share(broken.count, len(alternates), "alternate", "alternates", "fails")
		return failText(broken.evidence, "%s: %s %s.", sentence, firstOf(broken.count), first)
	}
	return passText("%s.", every(len(alternates), "alternate", "alternates", "links back"))
}

// ownAddresses returns the URLs by which an alternate may refer to this page.
func (f *facts) ownAddresses() map[string]bool {
	own := map[string]bool{f.final.WithoutFragment().String(): true, f.address.WithoutFragment().String(): true}
	for _, c := range f.canonicals() {
		if c.url != nil {
			own[c.url.WithoutFragment().String()] = true
		}
	}
	return own
}

// linksBack reports whether an alternate has one of these URLs among its own alternates, in its head or a Link header.
func (r *resource) linksBack(doc *page.Document, own map[string]bool) bool {
	for _, l := range doc.Links {
		if !l.InBody && l.URL != nil && l.Hreflang != "" && slices.Contains(l.Rel, "alternate") && own[l.URL.WithoutFragment().String()] {
			return true
		}
	}
	for _, l := range header.ParseLinks(r.Header.Values("Link")) {
		if len(l.Hreflang) == 0 || !slices.Contains(l.Rel, "alternate") {
			continue
		}
		if u := weburl.Resolve(r.URL, l.Target); u != nil && own[u.WithoutFragment().String()] {
			return true
		}
	}
	return false
}

// manyBroken is how many broken links make a page one that visitors give up on. Then the check weighs high.
const manyBroken = 5

func checkBrokenLinks(f *facts) finding {
	var broken tally
	links := f.reached(f.sampled(internalLink, externalLink))
	for _, r := range links {
		if r.isBroken() && !r.refusesStrangers() {
			broken.add(r.place())
		}
	}
	switch {
	case len(links) == 0:
		return f.notReached(f.sampled(internalLink, externalLink), "No link was fetched.")
	case broken.count > 0:
		found := failText(broken.evidence, "%s.", share(broken.count, len(links), "sampled link", "sampled links", "is broken"))
		if broken.count >= manyBroken {
			found.severity = High
		}
		return found
	}
	return passText("%s.", every(len(links), "sampled link", "sampled links", "works"))
}

// refusesStrangers reports whether another site turned the audit away, as many do with everything that is not a browser.
func (r *resource) refusesStrangers() bool {
	return r.kind == externalLink && r.Failure == nil && r.Status < 500 && r.Status != http.StatusNotFound && r.Status != http.StatusGone
}

func checkLinksToRedirect(f *facts) finding {
	var moved tally
	links := f.sampled(internalLink)
	for _, r := range links {
		if r.Failure == nil && (len(r.Redirects) > 0 || r.Status >= 300 && r.Status < 400) {
			moved.add(r.place())
		}
	}
	switch {
	case len(links) == 0:
		return notApplicableText("No link within the site was fetched.")
	case moved.count > 0:
		return failText(moved.evidence, "%s.", share(moved.count, len(links), "sampled link", "sampled links", "is redirected"))
	}
	return passText("%s.", every(len(links), "sampled link", "sampled links", "needs no redirect"))
}

func checkBrokenImages(f *facts) finding {
	var broken tally
	images := f.reached(f.sampled(imageResource))
	for _, r := range images {
		if r.isBroken() {
			broken.add(r.place())
		}
	}
	switch {
	case len(images) == 0:
		return f.notReached(f.sampled(imageResource), notSampledPictures)
	case broken.count > 0:
		return failText(broken.evidence, "%s.", share(broken.count, len(images), "sampled image", "sampled images", "could not be loaded")).of(broken.count, len(images))
	}
	return passText("%s.", every(len(images), "sampled image", "sampled images", "loads"))
}
