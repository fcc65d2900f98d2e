package audit

// SiteCheck is a check across the pages of a site. Package crawl finds where it fails; reports of pages do not have it.
type SiteCheck struct {
	ID       string
	Severity Severity
	Source   string // whose rule it is
}

// SiteCategory is the id of the checks across pages.
const SiteCategory = "site"

var acrossSite = []SiteCheck{
	{"duplicate-title", Medium, "SEOnaut; Screaming Frog"},
	{"duplicate-description", Low, "SEOnaut; Screaming Frog"},
	{"duplicate-h1", Low, "SEOnaut; Screaming Frog"},
	{"duplicate-content", Medium, "SEOnaut; Screaming Frog"},
	{"near-duplicate-content", Low, "Screaming Frog; Manku, Jain and Das Sarma 2007"},
	{"orphan-page", Medium, "SEOnaut; Screaming Frog"},
	{"dead-end", Low, "SEOnaut"},
	{"deep-page", Low, "Screaming Frog; Semrush"},
	{"broken-target", Medium, "SEOnaut; Screaming Frog; Semrush"},
	{"sitewide-broken-link", High, "Screaming Frog"},
	{"redirect-chain", Medium, "SEOnaut; Screaming Frog"},
	{"redirect-loop", High, "SEOnaut; Screaming Frog"},
	{"canonical-chain", Medium, "Screaming Frog"},
	{"canonical-loop", Medium, "Screaming Frog"},
	{"canonical-not-indexable", Medium, "SEOnaut; Screaming Frog"},
	{"hreflang-not-indexable", Medium, "SEOnaut; Screaming Frog"},
	{"hreflang-no-return", Medium, "Google localized versions"},
	{"sitemap-not-indexable", Medium, "SEOnaut; Screaming Frog"},
	{"missing-in-sitemap", Low, "SEOnaut; Screaming Frog"},
	{"mixed-addresses", Medium, "Google canonicalization"},
	{"unnamed-link-target", Low, "Screaming Frog; WCAG 2.4.4"},
}

// SiteChecks returns the checks across pages in the order in which they are shown. The slice is shared and must not be changed.
func SiteChecks() []SiteCheck { return acrossSite }

// Weight returns how much a check of this severity counts in a score.
func (s Severity) Weight() float64 { return weights[s] }
