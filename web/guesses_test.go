package web

import (
	"context"
	"errors"
	"net/http"
	"net/netip"
	"strconv"
	"testing"
	"time"

	"sitegrade/db"
)

// TestGuessesAreLimited guesses from one address, behind a proxy that hands on a header that it does not know, as the guesser made it up.
func TestGuessesAreLimited(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	s := newServer(t, Options{Now: func() time.Time { return now }, Origins: behindProxy})
	locked := s.create(db.NewReport{URL: s.site.URL + "/bread", Privacy: db.Password, Password: "x"})
	path := "/r/" + locked.Share
	v := s.visitor()
	v.header.Set("X-Forwarded-For", "192.0.2.1")
	for i := range visitorGuesses {
		v.header.Set("Forwarded", "for="+addressNumber(i).String())
		v.must(http.StatusForbidden, v.submit(path, "password", "y"))
	}
	refused := v.must(http.StatusTooManyRequests, v.submit(path, "password", "x"))
	if got := refused.Header.Get("Retry-After"); got != strconv.Itoa(int(visitorInterval.Seconds())) {
		t.Errorf("Retry-After is %q", got)
	}
	contains(t, refused.body, `name="password"`, "Too many attempts")

	v.header.Set("X-Forwarded-For", "192.0.2.2")
	v.must(http.StatusSeeOther, v.submit(path, "password", "x"))
	v.header.Set("X-Forwarded-For", "192.0.2.1")
	v.page(path)
	v.must(http.StatusSeeOther, v.submit(path, "password", "whatever")) // has the cookie

	now = now.Add(visitorInterval)
	v = s.visitor()
	v.header.Set("X-Forwarded-For", "192.0.2.1")
	v.must(http.StatusSeeOther, v.submit(path, "password", "x"))
}

// TestRightPasswordsDoNotCount has an office of many people behind one address.
func TestRightPasswordsDoNotCount(t *testing.T) {
	s := newServer(t, Options{Origins: behindProxy})
	locked := s.create(db.NewReport{URL: s.site.URL + "/bread", Privacy: db.Password, Password: "x"})
	for range 3 * visitorGuesses {
		v := s.visitor()
		v.must(http.StatusSeeOther, v.submit("/r/"+locked.Share, "password", "x"))
	}
}

// guessWrongly makes a wrong guess, and returns how many seconds it would have had to wait.
func (g *guesses) guessWrongly(client netip.Addr, share string, now time.Time) int {
	attempt, wait := g.start(client, share, now)
	if wait == 0 {
		g.wrong(attempt, now)
	}
	return wait
}

// TestStrangersLockNobodyOut has many addresses guess at one report. Who then comes with the password gets in with the first attempt, and
// every stranger has one guess in five minutes.
func TestStrangersLockNobodyOut(t *testing.T) {
	g, now := newGuesses(), time.Now()
	tried := 0
	for i := range 1000 {
		for g.guessWrongly(addressNumber(i), "report", now) == 0 {
			tried++
		}
	}
	if want := reportGuesses + 1000 - reportGuesses/visitorGuesses; tried != want {
		t.Errorf("%d guesses were possible, not %d", tried, want)
	}
	if wait := g.guessWrongly(addressNumber(999), "report", now); wait != int((visitorGuesses * visitorInterval).Seconds()) {
		t.Errorf("a stranger must wait %d seconds", wait)
	}
	owner := addressNumber(5000)
	for range 3 {
		attempt, wait := g.start(owner, "report", now)
		if wait != 0 {
			t.Fatalf("who knows the password must wait %d seconds", wait)
		}
		g.right(attempt, now)
	}
}

// TestGuessesOfOneNetwork has it guess at many reports.
func TestGuessesOfOneNetwork(t *testing.T) {
	g, now := newGuesses(), time.Now()
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
	g := newGuesses()
	for range maxGuessing {
		g.hashing <- struct{}{}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := g.hash(ctx, "", "x"); !errors.Is(err, busyGuessing) {
		t.Errorf("the error is %v", err)
	}
}
