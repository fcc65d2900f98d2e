package worker

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"sitegrade/db"
	"sitegrade/weburl"
)

const (
	// windowSize is how many entries are read ahead of the audits, some 300 bytes each beside their addresses. Accounts beyond that number
	// add one entry each.
	windowSize = 1000
	// hostShare is how many of them an account's host has at most, where nobody else needs the room. It is what two audits at a time take
	// minutes for: enough to read the queue seldom.
	hostShare = 100
	// maxSharing bounds how many jobs beyond the first of their entries the window holds.
	maxSharing = 10_000
)

// entry is an address that reports of an account wait for. One audit of it serves all of them.
type entry struct {
	account, host, url string

	jobs   []db.Job // at least one; those that wait longest first
	silent bool     // its audit is under way, and its host was silent when it began
}

// isBackground reports whether nobody but schedules asked for the entry.
func (e *entry) isBackground() bool { return e.jobs[0].IsBackground() }

// window is what was read of the queue and has not begun.
type window struct {
	entries   []*entry  // those that wait longest first
	read      int       // entries when it was read
	isPart    bool      // the queue had more than that
	readAfter time.Time // when the queue may be read again
}

// next returns the place of the entry to begin with, or -1 when none may begin.
func (v *window) next(l *load, now time.Time) int {
	best := -1
	for i, e := range v.entries {
		if l.allows(e, now) && (best < 0 || l.prefers(e, v.entries[best], now)) {
			best = i
		}
	}
	return best
}

// take takes an entry out of the window, and with it all others of the same address: their reports share its audit.
func (v *window) take(i int) *entry {
	taken := v.entries[i]
	v.entries = slices.DeleteFunc(v.entries, func(e *entry) bool {
		if e.url != taken.url {
			return false
		}
		if e != taken {
			taken.jobs = append(taken.jobs, e.jobs...)
		}
		return true
	})
	return taken
}

// hasRoom reports whether the queue has more than the window, of which something was taken.
func (v *window) hasRoom() bool { return v.isPart && len(v.entries) < v.read }

// isHalfEmpty reports whether the queue has more than the window, of which half was taken.
func (v *window) isHalfEmpty() bool { return v.hasRoom() && len(v.entries) <= v.read/2 }

// selection chooses what the window holds of the queue of one account. Jobs are offered in the order in which they wait.
type selection struct {
	size, hostShare int
	sharing         int // jobs that may still be added to entries which have one

	entries []*entry
	byURL   map[string]*entry
	ofHost  map[string]int
	closed  map[string]bool // hosts of which no more is wanted: the window has their share
	isPart  bool            // something was left out
}

func newSelection(size, hostShare, sharing int) *selection {
	return &selection{
		size: size, hostShare: hostShare, sharing: sharing,
		byURL: map[string]*entry{}, ofHost: map[string]int{}, closed: map[string]bool{},
	}
}

// offer takes a job, or leaves it out.
func (s *selection) offer(j db.Job) {
	if e := s.byURL[j.URL]; e != nil {
		s.share(e, j)
		return
	}
	host := weburl.Restore(j.URL).HostKey()
	if s.closed[host] {
		s.isPart = true
		return
	}
	if s.ofHost[host] == s.hostShare {
		s.close(host)
		return
	}
	e := &entry{account: j.Account, host: host, url: j.URL, jobs: []db.Job{j}}
	s.entries = append(s.entries, e)
	s.byURL[j.URL] = e
	s.ofHost[host]++
	if len(s.entries) >= 2*s.size {
		s.trim()
	}
}

// share adds a job to an entry of its address.
func (s *selection) share(e *entry, j db.Job) {
	if s.sharing == 0 {
		s.isPart = true
		return
	}
	s.sharing--
	j.URL = e.url // the same text in less memory
	e.jobs = append(e.jobs, j)
}

// close leaves out what else comes of a host, so that of one host always the first are chosen.
func (s *selection) close(host string) {
	s.isPart = true
	s.closed[strings.Clone(host)] = true // a part of an address keeps all of it in memory
}

// trim leaves the fairest choice.
func (s *selection) trim() {
	kept, left := fairest(s.entries, s.size)
	s.entries = kept
	for _, e := range left {
		s.close(e.host)
		delete(s.byURL, e.url)
		decrement(s.ofHost, e.host)
	}
}

// compareBackground puts what people asked for first.
func compareBackground(x, y *entry) int {
	switch mine, others := x.isBackground(), y.isBackground(); {
	case mine == others:
		return 0
	case mine:
		return 1
	}
	return -1
}

// fairest divides entries, which come in the order in which they wait, into those that are kept and those that are left. Kept are size of
// them, and at least as many as there are accounts, by turns: one of each account, then another of each, and so on; and of an account's
// likewise one of each host, then another of each. What people asked for comes before what schedules did. Both parts are in the order in which
// they came.
func fairest(entries []*entry, size int) (kept, left []*entry) {
	type ranked struct {
		*entry
		place, turn int
	}
	type host struct{ account, name string }
	ofHost := map[host]int{}
	all := make([]ranked, len(entries))
	for i, e := range entries {
		key := host{e.account, e.host}
		all[i] = ranked{entry: e, place: i, turn: ofHost[key]}
		ofHost[key]++
	}
	byTurn := func(x, y ranked) int { return cmp.Or(cmp.Compare(x.turn, y.turn), cmp.Compare(x.place, y.place)) }
	slices.SortFunc(all, byTurn)
	ofAccount := map[string]int{}
	for i := range all {
		all[i].turn = ofAccount[all[i].account]
		ofAccount[all[i].account]++
	}
	byPeople := func(x, y ranked) int { return cmp.Or(compareBackground(x.entry, y.entry), byTurn(x, y)) }
	slices.SortFunc(all, byPeople)
	size = min(max(size, len(ofAccount)), len(all))
	for _, part := range [][]ranked{all[:size], all[size:]} {
		slices.SortFunc(part, func(x, y ranked) int { return cmp.Compare(x.place, y.place) })
	}
	for _, r := range all[:size] {
		kept = append(kept, r.entry)
	}
	for _, r := range all[size:] {
		left = append(left, r.entry)
	}
	return kept, left
}
