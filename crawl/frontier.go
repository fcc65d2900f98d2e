package crawl

import (
	"time"

	"sitegrade/weburl"
)

// id is an address that a frontier knows, by its number.
type id = uint32

const noID = ^id(0)

// state says how far the crawl is with an address.
type state uint8

const (
	known     state = iota // it is not asked for: nobody wants it, or not yet
	waiting                // for the robots.txt of its origin
	queued                 // it comes next in its turn
	underWay               // it is asked for
	done                   // it was visited
	forbidden              // robots.txt keeps us away
	trapped                // its shape was cut off
)

// mark is what is known of an address beside its visit.
type mark uint8

const (
	isStart   mark = 1 << iota // it was given
	isLinked                   // a page has a link to it
	isListed                   // a sitemap lists it
	isOutside                  // something else than pages of its own shape leads to it
	isForeign                  // it is of another site
	isWanted                   // the crawl follows what leads to it
	isUnnamed                  // a link to it has no accessible name
)

// address is what is known of one address.
type address struct {
	url    string
	found  *found // nil before its visit
	shape  uint32
	parent id    // by which it was found first; noID for none
	reach  int32 // fewest steps from the start by which it may be asked for; unreached where nothing leads there
	steps  uint16
	tries  uint8
	state  state
	mark   mark
}

const unreached = int32(1) << 30

func (a *address) is(m mark) bool { return a.mark&m != 0 }

// Frontier is the state of a crawl.
type Frontier struct {
	options Options
	scope   scope
	starts  []id

	addresses []address
	ids       map[string]id
	texts     texts
	shapes    shapes

	origins  map[string]*origin
	asking   []*origin // whose robots.txt is to be asked for
	sitemaps sitemaps
	again    []id // that answered with 429 or 503
	next     queue
	listed   queue // what sitemaps alone lead to, so far

	count    Progress
	visited  int // addresses, beside robots.txt and sitemaps
	left     lefts
	restTill time.Time
	nextAt   time.Time
	delay    time.Duration
	underWay int // of every kind
}

// lefts counts what was left out.
type lefts struct {
	unknown   int // addresses that were forgotten, being too many
	challenge int
	offSite   int // starts of other sites
}

// queue is the addresses that wait, first in, first out. Those that are no longer queued are passed over.
type queue struct {
	ids  []id
	head int
}

func (q *queue) push(n id) { q.ids = append(q.ids, n) }

// peek returns the first address of the queue that still waits.
func (f *Frontier) peek(q *queue) (id, bool) {
	for ; q.head < len(q.ids); q.head++ {
		if n := q.ids[q.head]; f.addresses[n].state == queued {
			return n, true
		}
	}
	q.ids, q.head = q.ids[:0], 0
	return noID, false
}

// New returns the frontier of a crawl that begins at these addresses: one, or in the mode List all that are to be asked for. The site is
// that of the first one. In the mode Sitemaps the start may be a sitemap itself, which its path tells.
func New(o Options, start ...*weburl.URL) *Frontier {
	o = o.withDefaults()
	f := &Frontier{
		options: o,
		scope:   scope{host: start[0].HostKey(), include: o.Include, exclude: o.Exclude},
		ids:     map[string]id{},
		origins: map[string]*origin{},
		shapes:  shapes{ids: map[uint64]uint32{}},
		texts:   texts{ids: map[string]uint32{"": 0}, all: []string{""}},
	}
	f.sitemaps.files = map[string]*sitemapFile{}
	if o.Mode == Sitemaps && looksLikeSitemap(start[0]) {
		f.originOf(start[0])
		f.addSitemap(start[0], 0)
		return f
	}
	for _, u := range start {
		if !f.scope.holds(u) {
			f.left.offSite++
			continue
		}
		n := f.intern(u.WithoutFragment(), true)
		if f.addresses[n].is(isStart) {
			continue
		}
		f.addresses[n].mark |= isStart | isOutside | isWanted
		f.addresses[n].reach = 0
		f.starts = append(f.starts, n)
		f.consider(n)
	}
	return f
}

// intern returns the id of an address, which may be new. Beyond the bound of what is known only what must be is added, else the id is noID.
func (f *Frontier) intern(u *weburl.URL, must bool) id {
	text := u.String()
	key := keyOf(text)
	if n, ok := f.ids[key]; ok {
		return n
	}
	if !must && len(f.addresses) >= max(leastKnown, knownByPage*f.options.MaxPages) {
		f.left.unknown++
		return noID
	}
	n := id(len(f.addresses))
	a := address{url: text, reach: unreached, parent: noID}
	if !f.scope.holds(u) {
		a.mark |= isForeign
	} else {
		a.shape = f.shapes.of(u, n)
	}
	f.addresses = append(f.addresses, a)
	f.ids[key] = n
	return n
}

// lookup returns the id of an address as a visit writes it, or adds it.
func (f *Frontier) lookup(address string, must bool) id {
	if n, ok := f.ids[keyOf(address)]; ok {
		return n
	}
	return f.intern(weburl.Restore(address), must)
}

// consider queues an address that was not asked for, where nothing keeps us from it.
func (f *Frontier) consider(n id) {
	a := &f.addresses[n]
	if a.state != known && a.state != trapped || a.is(isForeign) || !a.is(isWanted) {
		return
	}
	if !a.is(isStart) && a.reach > int32(f.mostReach()) {
		return
	}
	u := weburl.Restore(a.url)
	if u.Check() != nil || !a.is(isStart) && !f.scope.wants(u) {
		return
	}
	if f.isTrap(n) {
		a.state = trapped
		return
	}
	o := f.originOf(u)
	switch {
	case !o.known:
		a.state = waiting
		o.waiting = append(o.waiting, n)
		f.count.Queued++
	default:
		f.count.Queued++
		f.admit(n, o, u)
	}
}

// mostReach returns how many steps from the start are followed.
func (f *Frontier) mostReach() int {
	if f.options.MaxDepth > 0 && f.options.Mode == Links {
		return f.options.MaxDepth
	}
	return int(unreached)
}

// admit queues an address whose robots.txt is known, unless that forbids it.
func (f *Frontier) admit(n id, o *origin, u *weburl.URL) {
	a := &f.addresses[n]
	if !o.allows(u) {
		a.state = forbidden
		f.count.Queued--
		f.count.Done++
		return
	}
	a.state = queued
	if a.is(isLinked) || a.is(isStart) || !a.is(isListed) {
		f.next.push(n)
	} else {
		f.listed.push(n)
	}
}

// Next returns an address to ask for at the time now, and true. With false it says when to ask again: after wait, or where that is 0, when
// a visit was handed back; Finished tells whether there is anything left to ask for. An address that was given out has to be handed back
// by Done, whatever came of it.
func (f *Frontier) Next(now time.Time) (next Address, wait time.Duration, ok bool) {
	if f.underWay >= mostAtOnce || !f.hasNext() {
		return Address{}, 0, false
	}
	if at := later(f.restTill, f.nextAt); now.Before(at) {
		return Address{}, at.Sub(now), false
	}
	f.underWay++
	f.nextAt = now.Add(f.delay)
	return f.take(), 0, true
}

func later(a, b time.Time) time.Time {
	if a.Before(b) {
		return b
	}
	return a
}

// hasNext reports whether an address can be given out now.
func (f *Frontier) hasNext() bool {
	if f.hasRobots() || f.hasSitemap() || len(f.again) > 0 {
		return true
	}
	return !f.sitemaps.areOpen() && f.asked() < f.options.MaxPages && f.hasPage()
}

// asked returns how many addresses were asked for, beside robots.txt and sitemaps.
func (f *Frontier) asked() int {
	return f.count.UnderWay + f.visited + len(f.again)
}

func (f *Frontier) hasPage() bool {
	if _, ok := f.peek(&f.next); ok {
		return true
	}
	_, ok := f.peek(&f.listed)
	return ok
}

// take takes the address that hasNext found: what says where the others are and what is forbidden comes first.
func (f *Frontier) take() Address {
	if u, ok := f.takeRobots(); ok {
		return Address{URL: u, Kind: Robots}
	}
	if u, ok := f.takeSitemap(); ok {
		return Address{URL: u, Kind: Sitemap}
	}
	var n id
	if len(f.again) > 0 {
		n, f.again = f.again[0], f.again[1:]
	} else if first, ok := f.peek(&f.next); ok {
		n = first
	} else {
		n, _ = f.peek(&f.listed)
	}
	f.addresses[n].state = underWay
	f.count.Queued--
	f.count.UnderWay++
	return Address{URL: weburl.Restore(f.addresses[n].url), Kind: Page}
}

// Return takes back an address that was given out and not asked for, since whoever drives the crawl is to stop. It comes again in its turn.
func (f *Frontier) Return(a Address) {
	f.underWay = max(0, f.underWay-1)
	switch a.Kind {
	case Robots:
		f.originOf(a.URL).taken = false
	case Sitemap:
		f.sitemaps.files[a.URL.String()].taken = false
	default:
		n := f.lookup(a.URL.String(), true)
		if f.addresses[n].state == underWay {
			f.addresses[n].state = queued
			f.count.UnderWay--
			f.count.Queued++
			f.again = append(f.again, n)
		}
	}
}

// Finished reports whether nothing is left to ask for.
func (f *Frontier) Finished() bool { return f.underWay == 0 && !f.hasNext() && len(f.asking) == 0 }

// Progress returns how far the crawl is.
func (f *Frontier) Progress() Progress {
	p := f.count
	p.Queued = min(p.Queued, len(f.again)+max(0, f.options.MaxPages-f.asked()))
	p.Found = p.Queued + p.Done + p.Failed + p.UnderWay
	return p
}
