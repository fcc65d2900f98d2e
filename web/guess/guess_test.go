package guess

import (
	"context"
	"errors"
	"net/netip"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"sitegrade/db/bolt"
)

// addressNumber returns one of many IPv4 addresses.
func addressNumber(n int) netip.Addr {
	return netip.AddrFrom4([4]byte{10, byte(n >> 16), byte(n >> 8), byte(n)})
}

// guesser guesses at a moment of its own.
type guesser struct {
	*Limits
	t   *testing.T
	now time.Time
}

func newGuesser(t *testing.T) *guesser {
	g := &guesser{t: t, now: time.Now()}
	store, err := bolt.Open(filepath.Join(t.TempDir(), "sitegrade.db"), bolt.Options{Now: func() time.Time { return g.now }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	g.Limits = New(store)
	return g
}

// guess makes a guess, and returns how many seconds it would have had to wait.
func (g *guesser) guess(client netip.Addr, share string, right bool) int {
	g.t.Helper()
	attempt, wait, err := g.Start(g.t.Context(), client, share)
	if err == nil && wait == 0 && right {
		err = g.Right(g.t.Context(), attempt)
	} else if err == nil && wait == 0 {
		err = g.Wrong(g.t.Context(), attempt)
	}
	if err != nil {
		g.t.Fatal(err)
	}
	return wait
}

// TestStrangersLockNobodyOut has many addresses guess at one report. Who then comes with the password gets in with the first attempt, and
// every stranger has one guess in five minutes.
func TestStrangersLockNobodyOut(t *testing.T) {
	g := newGuesser(t)
	tried := 0
	for i := range 1000 {
		for g.guess(addressNumber(i), "report", false) == 0 {
			tried++
		}
	}
	if want := reportGuesses + 1000 - reportGuesses/VisitorGuesses; tried != want {
		t.Errorf("%d guesses were possible, not %d", tried, want)
	}
	if wait := g.guess(addressNumber(999), "report", false); wait != int((VisitorGuesses * VisitorInterval).Seconds()) {
		t.Errorf("a stranger must wait %d seconds", wait)
	}
	for range 3 {
		if wait := g.guess(addressNumber(5000), "report", true); wait != 0 {
			t.Fatalf("who knows the password must wait %d seconds", wait)
		}
	}
	g.now = g.now.Add(VisitorGuesses * VisitorInterval)
	if wait := g.guess(addressNumber(999), "report", false); wait != 0 {
		t.Errorf("after five minutes a stranger must wait %d seconds", wait)
	}
}

// TestGuessesComeBack holds that a guess comes back after a while, and a right one at once.
func TestGuessesComeBack(t *testing.T) {
	g := newGuesser(t)
	client := addressNumber(1)
	for range VisitorGuesses {
		g.guess(client, "report", true)
		g.guess(client, "report", false)
	}
	for _, step := range []struct {
		after time.Duration
		want  time.Duration
	}{{0, VisitorInterval}, {VisitorInterval - time.Second, time.Second}, {time.Second, 0}, {0, VisitorInterval}, {2 * VisitorInterval, 0}, {0, 0}, {0, VisitorInterval}} {
		g.now = g.now.Add(step.after)
		if wait := g.guess(client, "report", false); wait != int(step.want.Seconds()) {
			t.Errorf("after another %v it must wait %d seconds, not %v", step.after, wait, step.want)
		}
	}
}

// TestGuessesOfOneNetwork has it guess at many reports.
func TestGuessesOfOneNetwork(t *testing.T) {
	g := newGuesser(t)
	for i := range networkGuesses {
		if wait := g.guess(netip.MustParseAddr("2001:db8:1::1"), strconv.Itoa(i), false); wait != 0 {
			t.Fatalf("guess %d must wait %d seconds", i, wait)
		}
	}
	if wait := g.guess(netip.MustParseAddr("2001:db8:1:ffff::9"), "another", false); wait != int(networkInterval.Seconds()) {
		t.Errorf("another address of the network must wait %d seconds", wait)
	}
	if wait := g.guess(netip.MustParseAddr("2001:db8:2::1"), "another", false); wait != 0 {
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
	g := New(nil)
	for range maxGuessing {
		g.hashing <- struct{}{}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := g.Hash(ctx, "", "x"); !errors.Is(err, ErrBusy) {
		t.Errorf("the error is %v", err)
	}
}
