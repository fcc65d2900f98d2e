package audit

import (
	"encoding/hex"
	"hash/fnv"
	"net/http"
	"slices"

	"sitegrade/audit/page"
	"sitegrade/fetch"
)

// Unseen says why a check could not look at all that it is about. An outcome that has one does not tell that something is right: what it did
// not see may be wrong. A check that failed has seen what is wrong, and so has none.
type Unseen string

// What a check may not have seen, and why.
const (
	UnseenSample  Unseen = "sample_not_taken" // the page has more than is asked for, or the configuration asks for less
	UnseenTimeout Unseen = "timeout"          // something did not come in time
	UnseenHost    Unseen = "no_answer"        // a host did not respond, or only with an error of its own
	UnseenSize    Unseen = "too_large"        // something is larger than what is read
	UnseenScript  Unseen = "made_by_script"   // the text is not there before scripts ran
)

// without returns the finding of a check that could not look at something.
func (f finding) without(u Unseen) finding {
	f.unseen = u
	return f
}

// unseenFailure says why a request brought nothing to look at, "" where it brought something. A server that is overloaded or broken says
// nothing of what it would have sent.
func unseenFailure(r *fetch.Result) Unseen {
	switch {
	case r == nil:
		return UnseenSample
	case r.Failure == nil && (r.Status >= 500 || r.Status == http.StatusTooManyRequests):
		return UnseenHost
	case r.Failure == nil:
		return ""
	case r.Failure.Code == CodeTimeout:
		return UnseenTimeout
	case r.Failure.Code == fetch.CodeTooLarge:
		return UnseenSize
	}
	return UnseenHost
}

// unseenFile is unseenFailure for a file that agents look for.
func unseenFile(s *siteFile) Unseen {
	if s == nil {
		return UnseenSample
	}
	return unseenFailure(&s.Result)
}

// unseenOf returns the need of a check that looks at samples of these kinds.
func unseenOf(kinds ...resourceKind) func(*facts) Unseen {
	return func(f *facts) Unseen {
		for _, r := range f.sampled(kinds...) {
			if u := unseenFailure(&r.Result); u != "" {
				return u
			}
			if r.refusesStrangers() && r.Status >= 400 {
				return UnseenHost
			}
		}
		for _, kind := range kinds {
			if f.leftOut[kind] {
				return UnseenSample
			}
		}
		return ""
	}
}

// The needs of checks that look at the same.
var (
	needsAssets     = unseenOf(stylesheetResource, scriptResource, imageResource)
	needsCode       = unseenOf(stylesheetResource, scriptResource)
	needsSheets     = unseenOf(stylesheetResource)
	needsScripts    = unseenOf(scriptResource)
	needsImages     = unseenOf(imageResource)
	needsLinks      = unseenOf(internalLink, externalLink)
	needsOwnLinks   = unseenOf(internalLink)
	needsCanonical  = unseenOf(canonicalTarget)
	needsAlternates = unseenOf(hreflangTarget)
)

func needsRobotsTxt(f *facts) Unseen  { return unseenFailure(f.site.robots) }
func needsLlms(f *facts) Unseen       { return unseenFailure(f.site.llms) }
func needsForeign(f *facts) Unseen    { return unseenFailure(f.site.foreign) }
func needsNotFound(f *facts) Unseen   { return unseenFailure(f.site.notFound) }
func needsAgentsMD(f *facts) Unseen   { return unseenFile(f.site.agentsMD) }
func needsAPICatalog(f *facts) Unseen { return unseenFile(f.site.apiCatalog) }

// needsWholeSheets is needsSheets for what may stand anywhere in a stylesheet.
func needsWholeSheets(f *facts) Unseen {
	if u := needsSheets(f); u != "" {
		return u
	}
	if slices.ContainsFunc(f.sampled(stylesheetResource), func(r *resource) bool { return r.truncated }) {
		return UnseenSize
	}
	return ""
}

// needsImageRules looks at stylesheets where images have no size of their own.
func needsImageRules(f *facts) Unseen {
	if slices.ContainsFunc(f.doc.Images, func(i page.Image) bool { return !i.IsSized() }) {
		return needsWholeSheets(f)
	}
	return ""
}

// needsVariants looks at the other URLs of the page. A name that does not exist and a port where nobody listens are seen.
func needsVariants(f *facts) Unseen {
	for _, variant := range []*fetch.Result{f.site.insecure, f.site.otherHost} {
		if variant != nil && !nobodyThere(variant) {
			if u := unseenFailure(variant); u != "" {
				return u
			}
		}
	}
	if f.site.otherHost == nil && otherHost(f.final) != "" {
		return UnseenSample
	}
	return needsInsecure(f)
}

// needsInsecure looks at the http: version of a page that came by https.
func needsInsecure(f *facts) Unseen {
	variant := f.site.insecure
	switch {
	case variant != nil && nobodyThere(variant), variant == nil && (f.final.Scheme() != "https" || f.final.Port() != ""):
		return ""
	}
	return unseenFailure(variant)
}

// nobodyThere reports whether nothing responds at a URL, which is not the same as a response that does not come.
func nobodyThere(r *fetch.Result) bool {
	return r.Failure != nil && (r.Failure.Code == CodeDNS || r.Failure.Code == CodeUnreachable)
}

func needsSitemaps(f *facts) Unseen {
	for i := range f.site.sitemaps {
		if u := unseenFailure(&f.site.sitemaps[i].Result); u != "" {
			return u
		}
	}
	if len(f.site.sitemaps) == 0 {
		return UnseenSample
	}
	return ""
}

// needsListing is needsSitemaps where the page was not found in one of them.
func needsListing(f *facts) Unseen {
	if slices.ContainsFunc(f.readableSitemaps(), func(s *sitemapFile) bool { return s.ListsPage }) {
		return ""
	}
	return needsSitemaps(f)
}

func needsAgents(f *facts) Unseen {
	if len(f.site.agents) == 0 {
		return UnseenSample
	}
	for i := range f.site.agents {
		visit := &f.site.agents[i]
		if _, known := f.refusal(visit); !known && visit.Failure != nil && visit.Failure.Code == CodeTimeout {
			return UnseenTimeout
		} else if !known {
			return UnseenHost
		}
	}
	return needsRobotsTxt(f)
}

func needsMarkdown(f *facts) Unseen { return unseenFile(f.site.markdown) }

func needsCards(f *facts) Unseen {
	if len(f.site.cards) == 0 {
		return UnseenSample
	}
	for _, card := range f.site.cards {
		if u := unseenFile(card); u != "" {
			return u
		}
	}
	return ""
}

// needsLicense looks at the license that robots.txt or the page names.
func needsLicense(f *facts) Unseen {
	if u := needsRobotsTxt(f); u != "" {
		return u
	}
	if licenses := f.licenses(); len(licenses) > 0 && licenses[0].url != nil {
		return unseenFile(f.site.license)
	}
	return ""
}

func needsTargets(f *facts) Unseen {
	if !f.doc.KnowsTargets() {
		return UnseenSize
	}
	return ""
}

// sampleName names the choice of samples by their URLs: two audits that chose the same have looked at the same, even where both left something
// out. It is "" when nothing was left out.
func (f *facts) sampleName(samples []*sample) string {
	if !slices.Contains(f.leftOut[:], true) {
		return ""
	}
	sum := fnv.New32a()
	for _, s := range samples {
		_, _ = sum.Write([]byte(s.url.String() + "\n")) // never fails (hash.Hash)
	}
	return hex.EncodeToString(sum.Sum(nil))
}
