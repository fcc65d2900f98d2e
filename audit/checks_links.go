package audit

import (
	"net/http"
	"slices"
	"time"

	"sitegrade/audit/header"
	"sitegrade/audit/page"
	"sitegrade/audit/robots"
	"sitegrade/locale"
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
		return f.notReached(f.sampled(canonicalTarget), "canonical-target.none")
	}
	target := targets[0]
	if problem := target.indexingProblem(target.page(), f.now); problem.name != "" {
		return fail([]Evidence{target.place()}, "canonical-target."+problem.name, problem.args...)
	}
	return pass("canonical-target.found", locale.Code(target.Status))
}

// page parses the body of a sampled page, or as much of it as was fetched.
func (r *resource) page() *page.Document { return page.Parse(r.Body, r.URL) }

// indexingProblem is why search engines cannot index a page under its URL.
type indexingProblem struct {
	name string // what the sentence that says it is called among the details of a check; "" for no problem
	args []locale.Arg
}

// indexingProblem says why search engines cannot index a sampled page under its URL.
func (r *resource) indexingProblem(doc *page.Document, now time.Time) indexingProblem {
	switch {
	case r.Failure != nil:
		return indexingProblem{name: "unanswered"}
	case len(r.Redirects) > 0:
		return indexingProblem{"redirected", []locale.Arg{locale.Text(shownAddress(r.URL))}}
	case r.Status != http.StatusOK:
		return indexingProblem{"status", []locale.Arg{locale.Code(r.Status)}}
	case r.isNoindex(doc, now):
		return indexingProblem{name: "noindex"}
	}
	return indexingProblem{}
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
		return f.notReached(f.sampled(hreflangTarget), "hreflang-return.none")
	}
	own := f.ownAddresses()
	var broken tally
	var first indexingProblem
	for _, r := range alternates {
		doc := r.page()
		problem := r.indexingProblem(doc, f.now)
		if problem.name == "" && !r.linksBack(doc, own) {
			problem.name = "no-link-back"
		}
		if problem.name != "" {
			broken.add(r.place())
			if first.name == "" {
				first = problem
			}
		}
	}
	if broken.count > 0 {
		args := []locale.Arg{locale.Count(broken.count), locale.Count(len(alternates))}
		return fail(broken.evidence, "hreflang-return."+first.name, append(args, first.args...)...)
	}
	return pass("hreflang-return.all", locale.Count(len(alternates)))
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
		return f.notReached(f.sampled(internalLink, externalLink), "common.no-link-fetched")
	case broken.count > 0:
		found := fail(broken.evidence, "broken-links.broken", locale.Count(broken.count), locale.Count(len(links)))
		if broken.count >= manyBroken {
			found.severity = High
		}
		return found
	}
	return pass("broken-links.all", locale.Count(len(links)))
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
		return notApplicable("common.no-own-link-fetched")
	case moved.count > 0:
		return fail(moved.evidence, "links-to-redirect.redirected", locale.Count(moved.count), locale.Count(len(links)))
	}
	return pass("links-to-redirect.none", locale.Count(len(links)))
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
		return f.notReached(f.sampled(imageResource), "common.no-images-fetched")
	case broken.count > 0:
		return fail(broken.evidence, "image-broken.broken", locale.Count(broken.count), locale.Count(len(images))).of(broken.count, len(images))
	}
	return pass("image-broken.all", locale.Count(len(images)))
}
