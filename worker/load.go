package worker

import "time"

const (
	// silentFor is how long a host that gave no response in time is held back. A server that was down for a moment is back to its full
	// share soon enough, and one that is gone for good costs a few audits of that length in this time.
	silentFor = 5 * time.Minute
	// silentShare is the part of all audits that silent hosts get together: one in so many. The time limit of an audit is some thirty
	// times what most audits take, so that without it a row of dead sites would soon take every place that its account may have.
	silentShare = 4
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
	ofSilent  int                  // audits of hosts that were silent when they began
	silent    map[string]time.Time // until when a host counts as silent
}

func newLoad(limit, perHost int) load {
	return load{
		limit: limit, perHost: perHost,
		accounts: map[string]int{}, hosts: map[string]int{}, addresses: map[string]bool{}, silent: map[string]time.Time{},
	}
}

// allows reports whether an audit of e may begin now.
//
// An account may begin another one while it has fewer under way than there are places left. One that is alone gets half of the places so,
// two get a third each, and there is a place for the next one however much the others want: what buffers in network switches are shared
// by (Choudhury and Hahne, "Dynamic queue length thresholds", 1998). An address is audited by one at a time, so that what is queued
// meanwhile shares the next audit.
func (l *load) allows(e *entry, now time.Time) bool {
	switch {
	case l.accounts[e.account] >= l.limit-l.audits, l.addresses[e.url]:
		return false
	case l.isSilent(e.host, now):
		return l.hosts[e.host] == 0 && l.ofSilent < max(1, l.limit/silentShare)
	}
	return l.hosts[e.host] < l.perHost
}

// prefers reports whether e, which waits no longer than other, goes before it all the same: its account has less under way; or as much,
// and its host answers while the other's does not; or both or neither do, and its host has less under way.
func (l *load) prefers(e, other *entry, now time.Time) bool {
	if mine, others := l.accounts[e.account], l.accounts[other.account]; mine != others {
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
