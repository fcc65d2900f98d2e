package web

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"sitegrade/db"
)

var (
	tile  = regexp.MustCompile(`<div><dt>([A-Z][a-z]+)</dt><dd[^>]*>(\d+)</dd></div>`)
	issue = regexp.MustCompile(`<li class="issue (\w+)">[^·]*?( · warning)?</span></div>`)
)

// TestTilesAgreeWithTheList counts what the page of a report lists, for its owner and for a stranger, who does not see what it has in common with
// other pages of the project.
func TestTilesAgreeWithTheList(t *testing.T) {
	s := newServer(t, Options{})
	s.create(db.NewReport{URL: s.site.URL + "/rye"})
	r := s.create(db.NewReport{URL: s.site.URL + "/bread"})
	owner, stranger := s.signedIn(s.key).page("/reports/"+r.ID.String()), s.visitor().page("/r/"+r.Share)
	contains(t, owner, "Across the project")
	for who, page := range map[string]string{"owner": owner, "stranger": stranger} {
		said := map[string]int{}
		for _, found := range tile.FindAllStringSubmatch(page, -1) {
			said[strings.ToLower(found[1])], _ = strconv.Atoi(found[2])
		}
		listed := map[string]int{"passed": strings.Count(page[strings.Index(page, "<h2>Passed checks"):], "<li><strong>")}
		toFix, _, _ := strings.Cut(page[strings.Index(page, "<h2>What to fix"):], `<details class="fold">`)
		for _, found := range issue.FindAllStringSubmatch(toFix, -1) {
			if found[2] != "" {
				listed["warnings"]++
			} else {
				listed[found[1]]++
			}
		}
		for _, kind := range []string{"high", "medium", "low", "warnings", "passed"} {
			if said[kind] != listed[kind] {
				t.Errorf("%s: the tile of %s says %d, and %d are listed", who, kind, said[kind], listed[kind])
			}
		}
	}
}

func TestRedirectStandsWithTheAddress(t *testing.T) {
	s := newServer(t, Options{})
	r := s.create(db.NewReport{URL: s.site.URL + "/moved"})
	hero, _, _ := strings.Cut(s.visitor().page("/r/"+r.Share), "Categories")
	contains(t, hero, "It redirects to", s.site.URL+"/bread")
}

// TestOneNoticeWhileAPageIsAuditedAgain has a page say one thing at a time, and something at the end.
func TestOneNoticeWhileAPageIsAuditedAgain(t *testing.T) {
	s := newServer(t, Options{})
	r := s.create(db.NewReport{URL: s.site.URL + "/bread"})
	s.site.good.Store(true)
	v := s.signedIn(s.key)
	path := "/reports/" + r.ID.String()
	after := v.use(path, path+"/regenerate").Header.Get("Location")
	if page := v.page(after); strings.Contains(page, "data-events") {
		lacks(t, page, "was audited again")
	}
	s.finished(r.ID)
	contains(t, v.page(after), "The page was audited again.")
}
