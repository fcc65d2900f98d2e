package web

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"sitegrade/db"
	"sitegrade/db/bolt"
)

// TestHistoryIsThatOfTheReport looks at a report before and after its second audit, beside another report of the same address.
func TestHistoryIsThatOfTheReport(t *testing.T) {
	s := newServer(t, Options{})
	s.create(db.NewReport{URL: s.site.URL + "/changing", Privacy: db.Private})
	public := s.changing(false)
	v := s.signedIn(s.reader)
	for _, page := range []string{v.page("/reports/" + public.ID.String()), s.visitor().page("/r/" + public.Share)} {
		lacks(t, page, "What changed", "the oldest first", "generation=")
	}
	s.site.good.Store(true)
	s.again(public.ID)
	for _, page := range []string{v.page("/reports/" + public.ID.String()), s.visitor().page("/r/" + public.Share)} {
		contains(t, page, "What changed", "the oldest first", `href="?generation=1"`, ">Fixed", "The page has a title")
		if !regexp.MustCompile(`>\d+ to \d+: \d+ fixed`).MatchString(page) {
			t.Error("the page does not say what was fixed")
		}
		lacks(t, page, ">Back again")
	}
}

// TestComparisonOfTwo chooses generations by the address of a page.
func TestComparisonOfTwo(t *testing.T) {
	s := newServer(t, Options{})
	r := s.changing(true, false, true, false)
	for _, path := range []string{"/reports/" + r.ID.String(), "/r/" + r.Share} {
		v := s.signedIn(s.reader)
		contains(t, v.page(path), "Back again", `<option value="3" selected>`, `<option value="4" selected>`)
		contains(t, v.page(path+"?from=1&to=2"), ">New ")
		contains(t, v.page(path+"?from=2&to=3"), ">Fixed ")
		contains(t, v.page(path+"?from=2&to=4"), "nothing fixed, nothing new", "Still")
		contains(t, v.must(http.StatusUnprocessableEntity, v.get(path+"?from=3&to=2")).body, "From: must come before to, which is 2")
		v.must(http.StatusUnprocessableEntity, v.get(path+"?from=1&to=9"))
		v.must(http.StatusNotFound, v.get(path+"?from=x"))
	}
}

// TestEarlierGenerations shows what a report was before.
func TestEarlierGenerations(t *testing.T) {
	s := newServerOn(t, Options{}, bolt.Options{KeepFindings: 2})
	r := s.changing(false, true, true)
	for _, path := range []string{"/reports/" + r.ID.String(), "/r/" + r.Share} {
		v := s.signedIn(s.reader)
		old := v.page(path + "?generation=1")
		contains(t, old, "audit 1 of 3", "only scores and outcomes are kept", "The page has no title", `href="?generation=2"`, "What to fix")
		lacks(t, old, "How others show the page", `href="?generation=0"`, "<h2>Timing")
		kept := v.page(path + "?generation=2")
		contains(t, kept, "audit 2 of 3", "How others show the page", `href="?generation=3"`)
		lacks(t, kept, "only scores")
		lacks(t, v.page(path), "audit 3 of 3")
		for _, none := range []string{"4", "0", "-1", "x", "99999999999999999999"} {
			if got := v.must(http.StatusNotFound, v.get(path+"?generation="+none)); !strings.Contains(got.body, "Page not found") {
				t.Errorf("%s: %s", none, got.body)
			}
		}
	}
}

// TestPastOfProtectedReports asks strangers' questions about reports that are not theirs to see.
func TestPastOfProtectedReports(t *testing.T) {
	s := newServer(t, Options{})
	r := s.changing(false, true)
	unknown := s.visitor().must(http.StatusNotFound, s.visitor().get("/r/aaaaaaaaaaaaaaaaaaaaaaaaaa")).body
	for privacy, status := range map[db.Privacy]int{db.Private: http.StatusNotFound, db.Password: http.StatusOK} {
		password := "rye & oats"
		change := db.Change{Privacy: &privacy}
		if privacy == db.Password {
			change.Password = &password
		}
		if _, _, err := s.Store.UpdateReport(t.Context(), "default", r.ID, change, nil); err != nil {
			t.Fatal(err)
		}
		for _, query := range []string{"?generation=1", "?generation=9", "?from=1&to=2", "?from=9"} {
			got := s.visitor().must(status, s.visitor().get("/r/"+r.Share+query)).body
			lacks(t, got, "What changed", "audit 1", "fixed")
			if privacy == db.Private && got != unknown {
				t.Errorf("%s of a private report is told from an unknown one", query)
			}
		}
	}
}
