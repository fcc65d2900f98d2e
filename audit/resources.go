package audit

import (
	"cmp"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"sitegrade/fetch"
	"sitegrade/locale"
)

// sampled returns the resources of these kinds, in the order in which they were sampled.
func (f *facts) sampled(kinds ...resourceKind) []*resource {
	var found []*resource
	for i := range f.resources {
		for _, k := range kinds {
			if f.resources[i].kind == k {
				found = append(found, &f.resources[i])
			}
		}
	}
	return found
}

// reached leaves the resources that say something of the page. A host of somebody else that does not answer here may answer others: the
// server that runs the audit may have no name server or no route for it.
func (f *facts) reached(resources []*resource) []*resource {
	return slices.DeleteFunc(resources, f.isOutOfReach)
}

func (f *facts) isOutOfReach(r *resource) bool {
	if r.Failure == nil || !f.isForeign(r) {
		return false
	}
	switch r.Failure.Code {
	case CodeDNS, CodeUnreachable, CodeTimeout:
		return true
	}
	return false
}

// isForeign reports whether a resource belongs to another site than the page.
func (f *facts) isForeign(r *resource) bool { return r.URL.Domain() != f.final.Domain() }

// notReached returns the finding of a check for which nothing is left to look at: otherwise is the sentence that says why, where nothing was out of reach.
func (f *facts) notReached(sampled []*resource, otherwise string) finding {
	for _, r := range sampled {
		if f.isOutOfReach(r) {
			return notApplicable("common.out-of-reach", locale.Text(r.URL.Site()))
		}
	}
	return notApplicable(otherwise)
}

// answered leaves the resources that came with a status of success.
func answered(resources []*resource) []*resource {
	var found []*resource
	for _, r := range resources {
		if r.Failure == nil && r.Status >= 200 && r.Status < 300 {
			found = append(found, r)
		}
	}
	return found
}

// sampledAssets returns the stylesheets, scripts and images that were fetched with success.
func (f *facts) sampledAssets() []*resource {
	return answered(f.sampled(stylesheetResource, scriptResource, imageResource))
}

// weight returns how many bytes a resource takes on the wire. Of one whose body was not fetched whole that is what the server
// announced, or what came where it announced nothing.
func (r *resource) weight() int64 {
	if r.truncated {
		if n, err := strconv.ParseInt(strings.TrimSpace(r.Header.Get("Content-Length")), 10, 64); err == nil && n > r.Wire {
			return n
		}
	}
	return r.Wire
}

// totalWeight returns the bytes of resources on the wire.
func totalWeight(resources []*resource) int64 {
	var total int64
	for _, r := range resources {
		total += r.weight()
	}
	return total
}

// place returns where the page names a resource, with its address.
func (r *resource) place() Evidence {
	e := r.evidence
	if e.URL == "" && r.URL != nil {
		e.URL = shownAddress(r.URL)
	}
	return e
}

// heaviest returns the resources by weight, the heaviest first; equals stay in order.
func heaviest(resources []*resource) []*resource {
	sorted := slices.Clone(resources)
	slices.SortStableFunc(sorted, func(a, b *resource) int { return cmp.Compare(b.weight(), a.weight()) })
	return sorted
}

// isBroken reports whether a sampled address leads nowhere: an error, or no answer at all. Too many requests (429), a
// timeout and an answer that was too large say more of this audit than of the address.
func (r *resource) isBroken() bool {
	if r.Failure != nil {
		return r.Failure.Code != fetch.CodeTimeout && r.Failure.Code != fetch.CodeTooLarge && r.Failure.Code != fetch.CodeNotHTML
	}
	return r.Status >= 400 && r.Status != http.StatusTooManyRequests
}
