package guess

import (
	"context"
	"errors"
	"net/netip"
	"strconv"
	"testing"
	"time"
)

// addressNumber returns one of many IPv4 addresses.
func addressNumber(n int) netip.Addr {
	return netip.AddrFrom4([4]byte{10, byte(n >> 16), byte(n >> 8), byte(n)})
}

// guessWrongly makes a wrong guess, and returns how many seconds it would have had to wait.
func (g *Limits) guessWrongly(client netip.Addr, share string, now time.Time) int {
	attempt, wait := g.Start(client, share, now)
	if wait == 0 {
		g.Wrong(attempt, now)
	}
	return wait
}

// TestStrangersLockNobodyOut has many addresses guess at one report. Who then comes with the password gets in with the first attempt, and
// every stranger has one guess in five minutes.
func TestStrangersLockNobodyOut(t *testing.T) {
	g, now := New(), time.Now()
	tried := 0
	for i := range 1000 {
		for g.guessWrongly(addressNumber(i), "report", now) == 0 {
			tried++
		}
	}
	if want := reportGuesses + 1000 - reportGuesses/VisitorGuesses; tried != want {
		t.Errorf("%d guesses were possible, not %d", tried, want)
	}
	if wait := g.guessWrongly(addressNumber(999), "report", now); wait != int((VisitorGuesses * VisitorInterval).Seconds()) {
		t.Errorf("a stranger must wait %d seconds", wait)
	}
	owner := addressNumber(5000)
	for range 3 {
		attempt, wait := g.Start(owner, "report", now)
		if wait != 0 {
			t.Fatalf("who knows the password must wait %d seconds", wait)
		}
		g.Right(attempt, now)
	}
}

// TestGuessesOfOneNetwork has it guess at many reports.
func TestGuessesOfOneNetwork(t *testing.T) {
	g, now := New(), time.Now()
	for i := range networkGuesses {
		if wait := g.guessWrongly(netip.MustParseAddr("2001:db8:1::1"), strconv.Itoa(i), now); wait != 0 {
			t.Fatalf("guess %d must wait %d seconds", i, wait)
		}
	}
	if wait := g.guessWrongly(netip.MustParseAddr("2001:db8:1:ffff::9"), "another", now); wait != int(networkInterval.Seconds()) {
		t.Errorf("another address of the network must wait %d seconds", wait)
	}
	if wait := g.guessWrongly(netip.MustParseAddr("2001:db8:2::1"), "another", now); wait != 0 {
		t.Errorf("another network must wait %d seconds", wait)
	}
}

func TestGuessers(t *testing.T) {
	for address, want := range map[string]string{
		"192.0.2.1": "192.0.2.1/32", "2001:db8:1:2:ffff::9": "2001:db8:1:2::/64",
	} {
		if got := prefix(netip.MustParseAddr(address), 64).String(); got != want {
			t.Errorf("%s is %s, not %s", address, got, want)
		}
	}
}

// TestGuessesAreHashedOneByOne holds that guesses leave the other places for hashing to those who set passwords.
func TestGuessesAreHashedOneByOne(t *testing.T) {
	g := New()
	for range maxGuessing {
		g.hashing <- struct{}{}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := g.Hash(ctx, "", "x"); !errors.Is(err, ErrBusy) {
		t.Errorf("the error is %v", err)
	}
}
