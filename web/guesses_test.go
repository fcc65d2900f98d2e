package web

import (
	"net/http"
	"strconv"
	"testing"
	"time"

	"sitegrade/db"
	"sitegrade/db/bolt"
	"sitegrade/web/guess"
)

// TestGuessesAreLimited guesses from one address, behind a proxy that hands on a header that it does not know, as the guesser made it up.
func TestGuessesAreLimited(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	s := newServerOn(t, Options{Now: func() time.Time { return now }, Origins: behindProxy}, bolt.Options{Now: func() time.Time { return now }})
	locked := s.create(db.NewReport{URL: s.site.URL + "/bread", Privacy: db.Password, Password: "x"})
	path := "/r/" + locked.Share
	v := s.visitor()
	v.header.Set("X-Forwarded-For", "192.0.2.1")
	for i := range guess.VisitorGuesses {
		v.header.Set("Forwarded", "for="+addressNumber(i).String())
		v.must(http.StatusForbidden, v.submit(path, "password", "y"))
	}
	refused := v.must(http.StatusTooManyRequests, v.submit(path, "password", "x"))
	if got := refused.Header.Get("Retry-After"); got != strconv.Itoa(int(guess.VisitorInterval.Seconds())) {
		t.Errorf("Retry-After is %q", got)
	}
	contains(t, refused.body, `name="password"`, "Too many attempts")

	v.header.Set("X-Forwarded-For", "192.0.2.2")
	v.must(http.StatusSeeOther, v.submit(path, "password", "x"))
	v.header.Set("X-Forwarded-For", "192.0.2.1")
	v.page(path)
	v.must(http.StatusSeeOther, v.submit(path, "password", "whatever")) // has the cookie

	now = now.Add(guess.VisitorInterval)
	v = s.visitor()
	v.header.Set("X-Forwarded-For", "192.0.2.1")
	v.must(http.StatusSeeOther, v.submit(path, "password", "x"))
}

// TestRightPasswordsDoNotCount has an office of many people behind one address.
func TestRightPasswordsDoNotCount(t *testing.T) {
	s := newServer(t, Options{Origins: behindProxy})
	locked := s.create(db.NewReport{URL: s.site.URL + "/bread", Privacy: db.Password, Password: "x"})
	for range 3 * guess.VisitorGuesses {
		v := s.visitor()
		v.must(http.StatusSeeOther, v.submit("/r/"+locked.Share, "password", "x"))
	}
}
