package audit

import (
	"strconv"

	"sitegrade/audit/sitemap"
	"sitegrade/fetch"
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
		return notApplicableText("robots.txt was not fetched.")
	case f.site.rules == nil:
		return failText(nil, "There is no robots.txt that could name a sitemap.")
	}
	if len(f.site.rules.Sitemaps) == 0 {
		return failText([]Evidence{{URL: shownAddress(file.URL)}}, "robots.txt names no sitemap.")
	}
	declared := passText("robots.txt names %s.", plural(len(f.site.rules.Sitemaps), "sitemap", "sitemaps"))
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
		return notApplicableText("No sitemap was looked for.").without(UnseenSample)
	}
	if readable := f.readableSitemaps(); len(readable) > 0 {
		if first := readable[0]; first.Relative > 0 {
			return warnText([]Evidence{{URL: shownAddress(first.URL)}}, "The sitemap lists %s, and %s without scheme and host, which search engines pass over.",
				plural(first.URLs, "URL", "URLs"), plural(first.Relative, "address", "addresses"))
		}
		return passText("The sitemap lists %s.", plural(readable[0].URLs, "URL", "URLs"))
	}
	var broken tally
	for i := range f.site.sitemaps {
		if s := &f.site.sitemaps[i]; s.URL != nil {
			broken.add(Evidence{URL: shownAddress(s.URL)})
		}
	}
	return failText(broken.evidence, "There is no sitemap that search engines can read; the first one tried %s.", f.site.sitemaps[0].complaint())
}

// complaint says what keeps search engines from using a sitemap.
func (s *sitemapFile) complaint() string {
	switch {
	case s.Failure != nil:
		return "does not answer"
	case s.Status != 200:
		return "answers with status " + strconv.Itoa(s.Status)
	case s.Problem != "":
		return "cannot be read: " + s.Problem
	}
	return "is not a sitemap"
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
		return notApplicableText("No sitemap was read.")
	case large.count > 0:
		return failText(large.evidence, "%s.", counted(large.count, "sitemap", "sitemaps", "has more than 50,000 URLs or 50 MB"))
	}
	return passText("%s.", every(len(readable), "sitemap", "sitemaps", "is within the limits"))
}

// checkSitemapListsPage needs a list of pages: an index alone says nothing of them.
func checkSitemapListsPage(f *facts) finding {
	if !f.isIndexable() {
		return notApplicableText("No search engine may index the page, so it belongs in no sitemap.")
	}
	if f.inSeries {
		return notApplicableText("The crawl compares the sitemaps with all pages.").without(UnseenSample)
	}
	listed := 0
	for _, s := range f.readableSitemaps() {
		if s.ListsPage {
			return passText("The sitemap lists the page.")
		}
		if s.Kind != sitemap.Index {
			listed++
		}
	}
	if listed == 0 {
		return notApplicableText("No sitemap with pages was read.")
	}
	return failText(nil, "The page is not listed in %s.", plural(listed, "sitemap", "sitemaps"))
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
