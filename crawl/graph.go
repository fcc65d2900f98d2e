package crawl

import (
	"cmp"
	"slices"
	"strings"

	"sitegrade/audit"
	"sitegrade/weburl"
)

// Reason is why search engines do not index an address; "" where they may.
type Reason string

// The reasons, in the order in which the first one that applies is named.
const (
	Redirects   Reason = "redirect"
	ClientError Reason = "client_error"
	ServerError Reason = "server_error"
	NoAnswer    Reason = "no_answer"
	ByRobotsTxt Reason = "robots_txt"
	NotHTML     Reason = "not_html"
	Noindex     Reason = "noindex"
	Canonical   Reason = "canonical"
)

// graph is what follows from all visits together.
type graph struct {
	*Frontier
	order   []id    // what was visited or is forbidden, the nearest to the start first, then by URL
	pages   []id    // those of order that are pages and take part
	depth   []int32 // of each address: fewest clicks from the start; -1 where links do not lead
	inlinks []int32 // of each address: pages with a link to it
	isPart  []bool  // of each address: it takes part in checks across pages

	linkedBy  [][]source // as sources returns it, once it was asked for; likewise the others
	mayIndex  []id
	isReached []bool
}

func newGraph(f *Frontier) *graph {
	g := &graph{Frontier: f, inlinks: make([]int32, len(f.addresses)), isPart: make([]bool, len(f.addresses))}
	g.measure()
	for n := range id(len(f.addresses)) {
		a := &f.addresses[n]
		g.isPart[n] = !f.isInTrap(n)
		if a.found != nil || a.state == forbidden {
			g.order = append(g.order, n)
		}
	}
	slices.SortFunc(g.order, func(a, b id) int {
		return cmp.Or(cmp.Compare(uint32(g.depth[a]), uint32(g.depth[b])), strings.Compare(f.addresses[a].url, f.addresses[b].url))
	})
	for _, n := range g.order {
		if g.isPart[n] && g.isPage(n) {
			g.pages = append(g.pages, n)
		}
	}
	g.countInlinks()
	return g
}

// measure finds the depth of each address: a link is a click, a redirect is none.
func (g *graph) measure() {
	g.depth = make([]int32, len(g.addresses))
	for i := range g.depth {
		g.depth[i] = -1
	}
	var here []id
	for _, n := range g.starts {
		g.depth[n] = 0
		here = append(here, n)
	}
	for clicks := int32(0); len(here) > 0; clicks++ {
		var next []id
		reach := func(n id, depth int32, into *[]id) {
			if g.depth[n] < 0 && !g.addresses[n].is(isForeign) {
				g.depth[n] = depth
				*into = append(*into, n)
			}
		}
		for i := 0; i < len(here); i++ {
			seen := g.addresses[here[i]].found
			if seen == nil {
				continue
			}
			if seen.redirect != noID {
				g.follow(seen.redirect, clicks, &here)
				continue
			}
			for l := range seen.eachLink() {
				reach(l.target, clicks+1, &next)
			}
		}
		here = next
	}
}

// follow gives the target of a redirect the depth of what redirects there, though a link of another page may have led further already.
func (g *graph) follow(n id, clicks int32, here *[]id) {
	if g.addresses[n].is(isForeign) || g.depth[n] >= 0 && g.depth[n] <= clicks {
		return
	}
	g.depth[n] = clicks
	*here = append(*here, n)
}

// countInlinks counts the pages that link to each address.
func (g *graph) countInlinks() {
	met := make([]id, len(g.addresses)) // by which page, from 1, an address was met last
	for i, n := range g.order {
		if seen := g.addresses[n].found; seen != nil {
			for l := range seen.eachLink() {
				if met[l.target] != id(i+1) {
					met[l.target] = id(i + 1)
					g.inlinks[l.target]++
				}
			}
		}
	}
}

func (g *graph) url(n id) string { return g.addresses[n].url }

func (g *graph) found(n id) *found { return g.addresses[n].found }

// isPage reports whether an address answers with status 200 and HTML.
func (g *graph) isPage(n id) bool {
	seen := g.found(n)
	return seen != nil && seen.page
}

// reason returns why an address is not indexable, and whether that is known: it is of what was visited or is forbidden, unless a guard
// answered in place of the site.
func (g *graph) reason(n id) (why Reason, known bool) {
	a := &g.addresses[n]
	if a.state == forbidden {
		return ByRobotsTxt, true
	}
	seen := a.found
	if seen == nil {
		return "", false
	}
	switch {
	case seen.challenge:
		return NoAnswer, false
	case seen.redirect != noID, seen.status >= 300 && seen.status < 400 && seen.unread:
		return Redirects, true
	case seen.status >= 400 && seen.status < 500:
		return ClientError, true
	case seen.status >= 500:
		return ServerError, true
	case seen.noAnswer:
		return NoAnswer, true
	case !seen.page:
		return NotHTML, true
	case seen.noindex:
		return Noindex, true
	case seen.canonical != noID && seen.canonical != n:
		return Canonical, true
	}
	return "", true
}

// isIndexable reports whether search engines may index an address, as far as that is known.
func (g *graph) isIndexable(n id) bool {
	why, known := g.reason(n)
	return known && why == ""
}

// route is where the redirects from an address lead.
type route struct {
	hops []id // what they lead to, in turn
	loop bool // they come back to an address that was passed, or are more than are followed
}

// end returns the last address of a route from n.
func (r route) end(n id) id {
	if len(r.hops) == 0 {
		return n
	}
	return r.hops[len(r.hops)-1]
}

// routeFrom follows the redirects from an address.
func (g *graph) routeFrom(n id) route {
	var r route
	for at := n; ; {
		seen := g.found(at)
		if seen == nil || seen.redirect == noID {
			return r
		}
		at = seen.redirect
		if at == n || slices.Contains(r.hops, at) {
			r.hops, r.loop = append(r.hops, at), true
			return r
		}
		if r.hops = append(r.hops, at); len(r.hops) > g.options.MaxRedirects {
			r.loop = true
			return r
		}
	}
}

// isBroken reports whether an address answers with an error or not at all, itself and not by its redirects. What a guard answered in place
// of the site says nothing.
func (g *graph) isBroken(n id) bool {
	seen := g.found(n)
	if seen == nil || seen.challenge {
		return false
	}
	return seen.noAnswer || seen.status >= 400 || seen.status >= 300 && seen.unread && seen.redirect == noID
}

// restored returns an address as a URL.
func (g *graph) restored(n id) *weburl.URL { return weburl.Restore(g.url(n)) }

// because points at an address and says why search engines do not index it.
func (g *graph) because(n id, why Reason) audit.Evidence {
	return audit.Evidence{URL: g.url(n), Snippet: string(why)}
}
