package worker

import "time"

const (
	// silentFor is how long a host that gave no response in time is held back. A server that was down for a moment is back to its full
	// share soon enough, and one that is gone for good costs a few audits of that length in this time.
	silentFor = 5 * time.Minute
	// silentShare is the part of all audits that silent hosts get together: one in so many. The time limit of an audit is some thirty
	// times what most audits take, so that without it a row of dead sites would soon take every place that its account may have.
	silentShare = 4
	// peopleShare is the part of all audits that stays free of what schedules asked for: one in so many.
	peopleShare = 4
	// maxSilent bounds how many silent hosts are remembered. Those beyond it are treated as any other.
	maxSilent = 10_000
)

// load is what is under way, by everything that has a share of it. It decides what may begin, and what goes first.
type load struct {
	limit   int // audits under way at once
	perHost int // of them, those of one host

	audits    int
	accounts  map[string]int
	hosts     map[string]int
	addresses map[string]bool

	background         int            // audits that schedules asked for
	backgroundAccounts map[string]int // of them, those of an account
	backgroundHosts    map[string]int

	ofSilent int                  // audits of hosts that were silent when they began
	silent   map[string]time.Time // until when a host counts as silent
}

func newLoad(limit, perHost int) load {
	return load{
		limit: limit, perHost: perHost,
		accounts: map[string]int{}, hosts: map[string]int{}, addresses: map[string]bool{}, silent: map[string]time.Time{},
		backgroundAccounts: map[string]int{}, backgroundHosts: map[string]int{},
	}
}

// allows reports whether an audit of e may begin now.
//
// An account may begin another one while it has fewer under way than there are places left. One that is alone gets half of the places so,
// two get a third each, and there is a place for the next one however much the others want: what buffers in network switches are shared
// by (Choudhury and Hahne, "Dynamic queue length thresholds", 1998). An address is audited by one at a time, so that what is queued
// meanwhile shares the next audit.
//
// What schedules asked for leaves a quarter of all places, and one of each host's, to people. It has no part in how many audits of an account
// are under way for people, so that nobody waits for the schedules of their own.
func (l *load) allows(e *entry, now time.Time) bool {
	switch {
	case e.isBackground() && !l.allowsBackground(e), l.audits >= l.limit:
		return false
	case !e.isBackground() && l.ofAccount(e) >= l.limit-l.audits, l.addresses[e.url]:
		return false
	case l.isSilent(e.host, now):
		return l.hosts[e.host] == 0 && l.ofSilent < max(1, l.limit/silentShare)
	}
	return l.hosts[e.host] < l.perHost
}

// ofAccount returns how many audits of an entry's account are under way: those that people asked for, or for an entry of a schedule those of schedules.
func (l *load) ofAccount(e *entry) int {
	if e.isBackground() {
		return l.backgroundAccounts[e.account]
	}
	return l.accounts[e.account] - l.backgroundAccounts[e.account]
}

// allowsBackground is the part of allows that is about entries which schedules asked for.
func (l *load) allowsBackground(e *entry) bool {
	free := min(l.limit-l.audits, max(1, l.limit-l.limit/peopleShare)-l.background)
	return l.ofAccount(e) < free && l.backgroundHosts[e.host] < max(1, l.perHost-1)
}

// prefers reports whether e, which waits no longer than other, goes before it all the same: people asked for it and not for the other; or for
// both or neither, and its account has less under way; or as much, and its host answers while the other's does not; or both or neither do,
// and its host has less under way.
func (l *load) prefers(e, other *entry, now time.Time) bool {
	if mine, others := e.isBackground(), other.isBackground(); mine != others {
		return others
	}
	if mine, others := l.ofAccount(e), l.ofAccount(other); mine != others {
		return mine < others
	}
	if mine, others := l.isSilent(e.host, now), l.isSilent(other.host, now); mine != others {
		return others
	}
	return l.hosts[e.host] < l.hosts[other.host]
}

// begin counts the audit of an entry as under way.
func (l *load) begin(e *entry, now time.Time) {
	l.audits++
	l.accounts[e.account]++
	l.hosts[e.host]++
	l.addresses[e.url] = true
	if e.isBackground() {
		l.background++
		l.backgroundAccounts[e.account]++
		l.backgroundHosts[e.host]++
	}
	if e.silent = l.isSilent(e.host, now); e.silent {
		l.ofSilent++
	}
}

// end takes back what begin counted.
func (l *load) end(e *entry) {
	l.audits--
	decrement(l.accounts, e.account)
	decrement(l.hosts, e.host)
	delete(l.addresses, e.url)
	if e.isBackground() {
		l.background--
		decrement(l.backgroundAccounts, e.account)
		decrement(l.backgroundHosts, e.host)
	}
	if e.silent {
		l.ofSilent--
	}
}

// decrement counts down without leaving zeros behind.
func decrement(counts map[string]int, key string) {
	if counts[key]--; counts[key] == 0 {
		delete(counts, key)
	}
}

// note remembers whether a host gave a response in time.
func (l *load) note(host string, answered bool, now time.Time) {
	delete(l.silent, host)
	if answered {
		return
	}
	if len(l.silent) >= maxSilent {
		for other, until := range l.silent {
			if !now.Before(until) {
				delete(l.silent, other)
			}
		}
	}
	if len(l.silent) < maxSilent {
		l.silent[host] = now.Add(silentFor)
	}
}

func (l *load) isSilent(host string, now time.Time) bool { return now.Before(l.silent[host]) }
