package audit

import (
	"sitegrade/audit/sitemap"
	"sitegrade/fetch"
	"sitegrade/locale"
	"sitegrade/weburl"
)

// sitemapChecks are the checks of the section seo that look at the site's sitemaps.
var sitemapChecks = []check{
	{
		id: "sitemap-declared", severity: Low,
		source: "sitemaps.org",
		needs:  needsRobotsTxt,
		run:    checkSitemapDeclared,
	},
	{
		id: "sitemap", severity: Medium,
		source: "SEOnaut; Semrush",
		run:    checkSitemap,
	},
	{
		id: "sitemap-limits", severity: Low,
		source: "sitemaps.org",
		needs:  needsSitemaps,
		run:    checkSitemapLimits,
	},
	{
		id: "sitemap-lists-page", severity: Info,
		source: "SEOnaut",
		needs:  needsListing,
		run:    checkSitemapListsPage,
	},
}

func checkSitemapDeclared(f *facts) finding {
	file := f.site.robots
	switch {
	case file == nil || file.Failure != nil || file.Status >= 500:
		return notApplicable("common.robots-not-fetched")
	case f.site.rules == nil:
		return fail(nil, "sitemap-declared.no-robots")
	}
	if len(f.site.rules.Sitemaps) == 0 {
		return fail([]Evidence{{URL: shownAddress(file.URL)}}, "sitemap-declared.missing")
	}
	declared := pass("sitemap-declared.found", locale.Count(len(f.site.rules.Sitemaps)))
	for _, address := range f.site.rules.Sitemaps[:min(len(f.site.rules.Sitemaps), MaxEvidence)] {
		declared.evidence = append(declared.evidence, Evidence{URL: cutText(address, weburl.MaxLength)})
	}
	return declared
}

// readableSitemaps returns the sitemaps that search engines can use.
func (f *facts) readableSitemaps() []*sitemapFile {
	var found []*sitemapFile
	for i := range f.site.sitemaps {
		if f.site.sitemaps[i].found() {
			found = append(found, &f.site.sitemaps[i])
		}
	}
	return found
}

func checkSitemap(f *facts) finding {
	if len(f.site.sitemaps) == 0 {
		return notApplicable("sitemap.unsought").without(UnseenSample)
	}
	if readable := f.readableSitemaps(); len(readable) > 0 {
		if first := readable[0]; first.Relative > 0 {
			return warn([]Evidence{{URL: shownAddress(first.URL)}}, "sitemap.relative",
				locale.Count(first.URLs), locale.Phrase("sitemap.addresses", locale.Count(first.Relative)))
		}
		return pass("sitemap.found", locale.Count(readable[0].URLs))
	}
	var broken tally
	for i := range f.site.sitemaps {
		if s := &f.site.sitemaps[i]; s.URL != nil {
			broken.add(Evidence{URL: shownAddress(s.URL)})
		}
	}
	return fail(broken.evidence, "sitemap.unreadable", f.site.sitemaps[0].complaint())
}

// complaint says what keeps search engines from using a sitemap.
func (s *sitemapFile) complaint() locale.Arg {
	switch {
	case s.Failure != nil:
		return locale.Phrase("sitemap.unanswered")
	case s.Status != 200:
		return locale.Phrase("sitemap.status", locale.Code(s.Status))
	case s.Problem != "":
		return locale.Phrase("sitemap.damaged", locale.Worded(s.Problem))
	}
	return locale.Phrase("sitemap.other")
}

func checkSitemapLimits(f *facts) finding {
	readable := f.readableSitemaps()
	var large tally
	for _, s := range readable {
		if s.TooLarge {
			large.add(Evidence{URL: shownAddress(s.URL)})
		}
	}
	switch {
	case len(readable) == 0:
		return notApplicable("sitemap-limits.unread")
	case large.count > 0:
		return fail(large.evidence, "sitemap-limits.large", locale.Count(large.count))
	}
	return pass("sitemap-limits.all", locale.Count(len(readable)))
}

// checkSitemapListsPage needs a list of pages: an index alone says nothing of them.
func checkSitemapListsPage(f *facts) finding {
	if !f.isIndexable() {
		return notApplicable("sitemap-lists-page.not-indexable")
	}
	if f.inSeries {
		return notApplicable("sitemap-lists-page.in-crawl").without(UnseenSample)
	}
	listed := 0
	for _, s := range f.readableSitemaps() {
		if s.ListsPage {
			return pass("sitemap-lists-page.listed")
		}
		if s.Kind != sitemap.Index {
			listed++
		}
	}
	if listed == 0 {
		return notApplicable("sitemap-lists-page.unread")
	}
	return fail(nil, "sitemap-lists-page.unlisted", locale.Count(listed))
}

// sitemapFile is a file that was looked at as one. Its body was read in passing and not kept.
type sitemapFile struct {
	fetch.Result
	sitemap.Contents
	declared bool // in robots.txt
	inIndex  bool // the first file of the index before it
}

// found reports whether the file is a sitemap that search engines can read.
func (s *sitemapFile) found() bool {
	return s.Failure == nil && s.Status == 200 && s.Kind != sitemap.None && s.Problem == ""
}
