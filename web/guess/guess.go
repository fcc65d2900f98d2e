// Package guess limits how often the passwords of shared pages are tried.
package guess

import (
	"context"
	"errors"
	"math"
	"net/netip"
	"time"

	"sitegrade/auth"
	"sitegrade/db"
)

// How many passwords may be wrong at once, and how long it takes until another may be: of one report by one visitor, of all reports by one
// network, and of one report by everybody together, beyond which each visitor may try only once at a time.
const (
	VisitorGuesses  = 10
	VisitorInterval = 30 * time.Second
	networkGuesses  = 50
	networkInterval = 5 * time.Second
	reportGuesses   = 50
	reportInterval  = 10 * time.Second
)

var (
	visitors = allowance{"guesses of visitors", VisitorGuesses, VisitorInterval}
	networks = allowance{"guesses of networks", networkGuesses, networkInterval}
	reports  = allowance{"guesses at reports", reportGuesses, reportInterval}
)

// allowance is so many guesses at once, one of which comes back each interval.
type allowance struct {
	kind     string
	most     int
	interval time.Duration
}

// of returns the allowance of one of its kind.
func (a allowance) of(name string) db.Allowance { return db.Allowance{Kind: a.kind, Of: name} }

// wait returns how long it takes until n guesses are there, where all are back after so long.
func (a allowance) wait(back time.Duration, n int) time.Duration {
	return max(0, back-time.Duration(a.most-n)*a.interval)
}

// maxGuessing is how many guesses are hashed at once, so that most places for hashing are left to those who set passwords. The others
// wait for theirs, up to guessPatience.
const (
	maxGuessing   = 1
	guessPatience = 20 * time.Second
)

// ErrBusy says that too many guesses wait to be hashed.
var ErrBusy = errors.New("too many passwords are tried at once")

// Limits bound how often passwords are tried, so that strangers neither find one nor keep those out who know it: what counts are wrong
// guesses, and each visitor pays for its own. A report that many guess at is not closed, but each visitor then pays all its guesses for a wrong
// one, and needs all to try. They hold for all servers together.
type Limits struct {
	store   db.Store
	hashing chan struct{} // has an element for each guess that is being hashed
}

// New returns the limits of a store.
func New(store db.Store) *Limits {
	return &Limits{store: store, hashing: make(chan struct{}, maxGuessing)}
}

// Attempt is one that has been counted.
type Attempt struct{ visitor, network, report db.Allowance }

func attemptOf(client netip.Addr, share string) Attempt {
	return Attempt{visitors.of(prefix(client, 64).String() + " " + share), networks.of(prefix(client, 48).String()), reports.of(share)}
}

// Start counts an attempt before the password is looked at, so that many at the same time count too. When there were too many, wait is how
// many seconds it takes until another may be made.
func (g *Limits) Start(ctx context.Context, client netip.Addr, share string) (attempt Attempt, wait int, err error) {
	attempt = attemptOf(client, share)
	var longest time.Duration
	err = g.store.UseAllowances(ctx, []db.Allowance{attempt.visitor, attempt.network, attempt.report}, func(back []time.Duration) {
		needed := 1
		if reports.wait(back[2], 1) > 0 {
			needed = VisitorGuesses
		}
		longest = max(visitors.wait(back[0], needed), networks.wait(back[1], 1))
		if longest == 0 {
			back[0] += VisitorInterval
			back[1] += networkInterval
		}
	})
	return attempt, int(math.Ceil(longest.Seconds())), err
}

// Right takes back that an attempt was counted: its password was the report's.
func (g *Limits) Right(ctx context.Context, attempt Attempt) error {
	return g.store.UseAllowances(ctx, []db.Allowance{attempt.visitor, attempt.network}, func(back []time.Duration) {
		back[0] -= VisitorInterval
		back[1] -= networkInterval
	})
}

// Wrong counts an attempt against its report.
func (g *Limits) Wrong(ctx context.Context, attempt Attempt) error {
	return g.store.UseAllowances(ctx, []db.Allowance{attempt.visitor, attempt.report}, func(back []time.Duration) {
		if reports.wait(back[1], 1) == 0 {
			back[1] += reportInterval
		} else if visitors.wait(back[0], 0) == 0 {
			back[0] += (VisitorGuesses - 1) * VisitorInterval
		}
	})
}

// prefix returns what a client cannot leave easily: its IPv4 address, or as many bits of its IPv6 address, of which a single machine may have
// the rest as it likes. Clients whose address is unknown share one.
func prefix(client netip.Addr, bits int) netip.Prefix {
	if client.Is4() {
		bits = 32
	}
	network, _ := client.Prefix(bits) // the zero prefix for the zero address
	return network
}

// Hash reports whether a guess is the password of a stored hash. One that is longer than any password is not even hashed. The error is ErrBusy when too many
// others wait.
func (g *Limits) Hash(ctx context.Context, stored, password string) (bool, error) {
	if password == "" || len(password) > 4*db.MaxPassword {
		return false, nil
	}
	ctx, cancel := context.WithTimeout(ctx, guessPatience)
	defer cancel()
	select {
	case g.hashing <- struct{}{}:
		defer func() { <-g.hashing }()
	case <-ctx.Done():
		return false, ErrBusy
	}
	return auth.VerifyPassword(ctx, stored, password)
}
