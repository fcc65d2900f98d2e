package web

import (
	"math"
	"net/netip"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// How many passwords may be tried at once, and how long it takes until another may be: by one client, and for one report by all
// clients together.
const (
	clientGuesses  = 10
	clientInterval = 30 * time.Second
	reportGuesses  = 50
	reportInterval = 10 * time.Second
)

// maxGuessers is how many clients and reports have a bucket at once. Beyond it, full buckets go first: a new one is full too.
const maxGuessers = 10_000

// guesses limits how often passwords are tried.
type guesses struct {
	mu      sync.Mutex
	buckets map[string]*rate.Limiter
}

func newGuesses() *guesses { return &guesses{buckets: map[string]*rate.Limiter{}} }

// take counts an attempt. When there were too many, it gives the seconds until the next may be made; otherwise 0.
func (g *guesses) take(client netip.Addr, report string, now time.Time) (wait int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	byClient := g.bucket("client "+guesser(client), clientGuesses, clientInterval, now)
	byReport := g.bucket("report "+report, reportGuesses, reportInterval, now)
	longest := max(waitFor(byClient, clientInterval, now), waitFor(byReport, reportInterval, now))
	if longest > 0 {
		return int(math.Ceil(longest.Seconds()))
	}
	byClient.AllowN(now, 1)
	byReport.AllowN(now, 1)
	return 0
}

// guesser names those who share a bucket: an IPv4 address, or the 64 bits of an IPv6 network, within which a single machine may
// have as many addresses as it likes.
func guesser(client netip.Addr) string {
	if client.Is6() {
		network, _ := client.Prefix(64) // an IPv6 address has 64 bits
		return network.String()
	}
	return client.String()
}

// waitFor returns how long it takes until a bucket has a whole token.
func waitFor(b *rate.Limiter, interval time.Duration, now time.Time) time.Duration {
	missing := 1 - b.TokensAt(now)
	return time.Duration(max(0, missing) * float64(interval))
}

func (g *guesses) bucket(name string, burst int, interval time.Duration, now time.Time) *rate.Limiter {
	if b, ok := g.buckets[name]; ok {
		return b
	}
	if len(g.buckets) >= maxGuessers {
		g.makeRoom(now)
	}
	b := rate.NewLimiter(rate.Every(interval), burst)
	g.buckets[name] = b
	return b
}

// makeRoom drops the full buckets, and where that is not enough any, until a tenth is free: a scan for each new client would cost
// more than what it protects.
func (g *guesses) makeRoom(now time.Time) {
	for name, b := range g.buckets {
		if b.TokensAt(now) >= float64(b.Burst()) {
			delete(g.buckets, name)
		}
	}
	for name := range g.buckets {
		if len(g.buckets) <= maxGuessers*9/10 {
			return
		}
		delete(g.buckets, name)
	}
}
