// Package guess limits how often the passwords of shared pages are tried.
package guess

import (
	"context"
	"errors"
	"math"
	"net/netip"
	"sync"
	"time"

	"sitegrade/auth"
	"sitegrade/db"
	"sitegrade/httpx"
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

// maxGuessing is how many guesses are hashed at once, so that most places for hashing are left to those who set passwords. The others
// wait for theirs, up to guessPatience.
const (
	maxGuessing   = 1
	guessPatience = 20 * time.Second
)

// ErrBusy says that too many guesses wait to be hashed.
var ErrBusy = errors.New("too many passwords are tried at once")

// Limits bound how often passwords are tried, so that strangers neither find one nor keep those out who know it: what counts are wrong
// guesses, and each visitor pays for its own. A report that many guess at is not closed, but each visitor then pays its whole bucket for a
// wrong guess, and needs a full one to try.
type Limits struct {
	mu       sync.Mutex // held while an attempt is held against all buckets
	visitors *httpx.Buckets[guesser]
	networks *httpx.Buckets[netip.Prefix]
	reports  *httpx.Buckets[string]
	hashing  chan struct{} // has an element for each guess that is being hashed
}

// guesser is a visitor of a shared report.
type guesser struct {
	network netip.Prefix
	share   string
}

// New returns limits that nobody has met.
func New() *Limits {
	return &Limits{
		visitors: httpx.NewBuckets[guesser](VisitorGuesses, VisitorInterval),
		networks: httpx.NewBuckets[netip.Prefix](networkGuesses, networkInterval),
		reports:  httpx.NewBuckets[string](reportGuesses, reportInterval),
		hashing:  make(chan struct{}, maxGuessing),
	}
}

// Attempt is one that has been counted.
type Attempt struct {
	visitor guesser
	network netip.Prefix
}

// Start counts an attempt before the password is looked at, so that many at the same time count too. When there were too many, wait is how
// many seconds it takes until another may be made.
func (g *Limits) Start(client netip.Addr, share string, now time.Time) (attempt Attempt, wait int) {
	attempt = Attempt{guesser{prefix(client, 64), share}, prefix(client, 48)}
	g.mu.Lock()
	defer g.mu.Unlock()
	needed := 1
	if g.reports.Tokens(share, now) < 1 {
		needed = VisitorGuesses
	}
	longest := max(g.visitors.Wait(attempt.visitor, needed, now), g.networks.Wait(attempt.network, 1, now))
	if longest == 0 {
		g.visitors.Take(attempt.visitor, 1, now)
		g.networks.Take(attempt.network, 1, now)
	}
	return attempt, int(math.Ceil(longest.Seconds()))
}

// Right takes back that an attempt was counted: its password was the report's.
func (g *Limits) Right(attempt Attempt, now time.Time) {
	g.visitors.GiveBack(attempt.visitor, now)
	g.networks.GiveBack(attempt.network, now)
}

// Wrong counts an attempt against its report.
func (g *Limits) Wrong(attempt Attempt, now time.Time) {
	if !g.reports.TryTake(attempt.visitor.share, now) {
		g.visitors.Take(attempt.visitor, VisitorGuesses-1, now)
	}
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
