package crawl

import (
	"net/http"

	"sitegrade/fetch"
)

// found is what a visit says of an address.
type found struct {
	title, description, h1 string
	report                 string
	textHash               string
	simHash                uint64
	links                  []byte // as packLinks writes them
	versions               []id
	redirect, canonical    id // noID for none
	words                  int32
	outlinks               int32
	status                 uint16
	score                  uint8
	noAnswer, unread       bool // there is no response; it could not be read
	challenge              bool
	page, noindex          bool
	forgot                 bool // it links addresses that are not known, being too many
}

// Done hands back what came of an address. Every visit must be kept by whoever wants to go on after an interruption, also those that are
// followed by another one of the same address, and handed to a new frontier in the same order.
func (f *Frontier) Done(v Visit) {
	f.underWay = max(0, f.underWay-1)
	switch v.Kind {
	case Robots:
		f.robotsDone(&v)
	case Sitemap:
		f.sitemapDone(&v)
	default:
		f.pageDone(&v)
	}
}

// pageDone notes what was seen at an address that may be a page.
func (f *Frontier) pageDone(v *Visit) {
	n := f.lookup(v.URL, true)
	a := &f.addresses[n]
	switch a.state {
	case done:
		return
	case underWay:
		f.count.UnderWay--
	case queued, waiting:
		f.count.Queued--
	}
	for i, other := range f.again {
		if other == n {
			f.again = append(f.again[:i:i], f.again[i+1:]...)
			break
		}
	}
	if a.tries++; v.isTryAgain() && a.tries < mostTries {
		f.rest(v)
		a.state = queued
		f.count.Queued++
		f.again = append(f.again, n)
		return
	}
	a.state = done
	f.visited++
	f.settle(n, v)
	if f.addresses[n].found.noAnswer {
		f.count.Failed++
	} else {
		f.count.Done++
	}
}

// settle keeps what a visit says, and considers what it leads to.
func (f *Frontier) settle(n id, v *Visit) {
	seen := &found{
		title: v.Title, description: v.Description, h1: v.H1, report: v.Report, textHash: v.TextHash, simHash: v.SimHash,
		words: int32(v.Words), status: uint16(v.Status), score: uint8(v.Score),
		noAnswer: v.Status == 0 || v.Challenge || v.isCutOff(), unread: v.Failure != "", challenge: v.Challenge,
		page: v.IsPage, noindex: v.Noindex, redirect: noID, canonical: noID,
	}
	f.addresses[n].found = seen
	if v.Challenge {
		f.left.challenge++
		return
	}
	if v.Redirect != "" {
		seen.redirect = f.lookup(v.Redirect, true)
		f.lead(n, seen.redirect, 0)
		return
	}
	if !v.IsPage {
		return
	}
	f.keepLinks(n, v, seen)
	if v.Canonical != "" {
		seen.canonical = f.lookup(v.Canonical, true)
		f.lead(n, seen.canonical, 1)
	}
	for _, version := range v.Versions {
		if m := f.lookup(version, false); m != noID {
			seen.versions = append(seen.versions, m)
			f.lead(n, m, 1)
		}
	}
}

// isCutOff reports whether the response began and did not come to its end. One that is only too large did come.
func (v *Visit) isCutOff() bool {
	return v.Status == http.StatusOK && v.Failure != "" && v.Failure != string(fetch.CodeTooLarge)
}

// keepLinks keeps the links of a page, and considers where they lead.
func (f *Frontier) keepLinks(n id, v *Visit, seen *found) {
	var packed packer
	targets := map[id]bool{}
	seen.outlinks = int32(v.External)
	for _, l := range v.Links {
		m := f.lookup(l.Target, false)
		if m == noID {
			seen.outlinks++
			seen.forgot = true
			continue
		}
		if m == n {
			continue
		}
		packed.add(link{m, f.texts.intern(l.Text), l.Unnamed, l.Line})
		f.addresses[m].mark |= isLinked
		if l.Unnamed {
			f.addresses[m].mark |= isUnnamed
		}
		if !targets[m] {
			targets[m] = true
			f.lead(n, m, 1)
		}
	}
	seen.outlinks += int32(len(targets))
	seen.links = packed.bytes()
}

// lead notes that one address leads to another, by so many steps.
func (f *Frontier) lead(from, to id, steps int32) {
	if f.options.Mode != Links || from == to {
		return
	}
	a := &f.addresses[to]
	if a.is(isForeign) {
		return
	}
	first := !a.is(isWanted)
	a.mark |= isWanted
	if source := &f.addresses[from]; source.shape != a.shape {
		a.mark |= isOutside
	}
	if first {
		a.parent, a.steps = from, f.stepsFrom(from, a.shape)
	}
	f.bringNear(to, f.addresses[from].reach+steps)
	f.consider(to)
}

// bringNear notes that an address can be reached by so many steps, and so what it leads to.
func (f *Frontier) bringNear(n id, reach int32) {
	if reach >= f.addresses[n].reach {
		return
	}
	f.addresses[n].reach = reach
	if f.options.MaxDepth == 0 || f.addresses[n].found == nil {
		return
	}
	type step struct {
		to    id
		reach int32
	}
	steps := []step{{n, reach}}
	for len(steps) > 0 {
		last := steps[len(steps)-1]
		steps = steps[:len(steps)-1]
		f.eachLead(last.to, func(to id, by int32) {
			if a := &f.addresses[to]; !a.is(isForeign) && last.reach+by < a.reach {
				a.reach = last.reach + by
				if a.found != nil {
					steps = append(steps, step{to, a.reach})
				}
				f.consider(to)
			}
		})
	}
}

// eachLead calls do for what a visited address leads to, with how many steps that takes.
func (f *Frontier) eachLead(n id, do func(to id, by int32)) {
	seen := f.addresses[n].found
	if seen.redirect != noID {
		do(seen.redirect, 0)
		return
	}
	for l := range seen.eachLink() {
		do(l.target, 1)
	}
	if seen.canonical != noID {
		do(seen.canonical, 1)
	}
	for _, m := range seen.versions {
		do(m, 1)
	}
}
