package crawl

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"sitegrade/audit/sitemap"
	"sitegrade/weburl"
)

const fakeBase = "https://example.com"

// fakeSite is a site in memory: what is seen at each path.
type fakeSite map[string]Visit

// visit returns what is seen at an address: 404 where there is nothing.
func (s fakeSite) visit(a Address, now time.Time) Visit {
	v, ok := s[a.URL.Target()]
	if !ok {
		v.Status = 404
	}
	v.URL, v.Kind, v.At = a.URL.String(), a.Kind, now
	return v
}

// page adds a page with links to paths.
func (s fakeSite) page(path string, links ...string) {
	v := Visit{Status: 200, IsPage: true, Title: path, TextHash: path, Report: "r" + path, Score: 90}
	for i, to := range links {
		v.Links = append(v.Links, Link{Target: fakeBase + to, Text: to, Line: i + 1})
	}
	s[path] = v
}

func (s fakeSite) redirect(path, to string) {
	s[path] = Visit{Status: 301, Redirect: weburl.Resolve(weburl.Restore(fakeBase+"/"), to).String()}
}

// run is a crawl of a fake site as it runs: what was given out and not handed back, and what was asked for.
type run struct {
	*Frontier
	site  fakeSite
	now   time.Time
	under []Address
	kept  []Visit
	asked map[string]int
}

func (s fakeSite) start(o Options) *run {
	return &run{Frontier: New(o, weburl.Restore(fakeBase+"/")), site: s, now: time.Unix(1e9, 0).UTC(), asked: map[string]int{}}
}

// step gives out an address or hands one back; pick chooses among n. It returns false when the crawl is over.
func (r *run) step(pick func(n int) int) bool {
	next, wait, ok := r.Next(r.now)
	switch {
	case ok:
		r.asked[next.URL.String()]++
		r.under = append(r.under, next)
	case len(r.under) > 0:
		i := pick(len(r.under))
		v := r.site.visit(r.under[i], r.now)
		r.under = slices.Delete(r.under, i, i+1)
		r.kept = append(r.kept, v)
		r.Done(v)
	case wait > 0:
		r.now = r.now.Add(wait)
	default:
		return false
	}
	return true
}

func first(int) int { return 0 }

// crawl runs to the end.
func (s fakeSite) crawl(o Options) *run {
	r := s.start(o)
	for r.step(first) {
	}
	return r
}

// result is what a crawl says in the end.
func (r *run) result() (rows []Row, issues []Issue, links []LinkRow) {
	f := r.Findings()
	return slices.Collect(f.Rows()), slices.Collect(f.Issues()), slices.Collect(f.Links())
}

// restart returns the crawl as it goes on after the process was killed.
func (r *run) restart(o Options) (*run, error) {
	again := r.site.start(o)
	again.now = r.now
	text, err := json.Marshal(r.kept)
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(text, &again.kept); err != nil {
		return nil, err
	}
	for _, v := range again.kept {
		again.Done(v)
	}
	return again, nil
}

// drawSite returns a random site.
func drawSite(t *rapid.T) fakeSite {
	s := fakeSite{}
	n := rapid.IntRange(2, 40).Draw(t, "n")
	path := func(i int) string {
		if i == 0 {
			return "/"
		}
		if i%7 == 3 {
			return fmt.Sprintf("/private/%c", 'a'+i)
		}
		return fmt.Sprintf("/%c%c", 'a'+i%26, 'a'+i/26)
	}
	someone := rapid.IntRange(0, n-1)
	for i := range n {
		var links []string
		for range rapid.IntRange(0, 5).Draw(t, "links") {
			links = append(links, path(someone.Draw(t, "link")))
		}
		switch kind := rapid.IntRange(0, 9).Draw(t, "kind"); {
		case kind == 0 && i > 0:
			s.redirect(path(i), path(someone.Draw(t, "to")))
		case kind == 1 && i > 0:
			s[path(i)] = Visit{Status: 500}
		case kind == 2:
			s[path(i)] = Visit{Status: 503, RetryAfter: "3"}
		case kind == 3:
			s[path(i)] = Visit{Failure: "timeout"}
		default:
			s.page(path(i), links...)
			v := s[path(i)]
			v.Title = rapid.SampledFrom([]string{"", "a", "b", path(i)}).Draw(t, "title")
			if kind == 4 {
				v.Canonical = fakeBase + path(someone.Draw(t, "canonical"))
			}
			if kind == 5 {
				v.Versions = []string{fakeBase + path(someone.Draw(t, "version"))}
			}
			s[path(i)] = v
		}
	}
	s["/robots.txt"] = Visit{Status: 200, Robots: "User-agent: *\nDisallow: /private/\nCrawl-delay: 1\n"}
	if rapid.Bool().Draw(t, "listed") {
		listing := &Listing{Contents: sitemap.Contents{Kind: sitemap.URLs}}
		for i := range n {
			listing.Listed = append(listing.Listed, fakeBase+path(i))
		}
		s["/sitemap.xml"] = Visit{Status: 200, Sitemap: listing}
	}
	return s
}

// A crawl that is killed at any moment ends as one that is not, and asks for nothing again but what was under way.
func TestReplay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSite(t)
		o := Options{MaxDepth: rapid.IntRange(0, 4).Draw(t, "depth")}
		rows, issues, links := s.crawl(o).result()
		pick := func(n int) int { return rapid.IntRange(0, n-1).Draw(t, "pick") }
		r := s.start(o)
		for r.step(pick) {
			if rapid.IntRange(0, 20).Draw(t, "kill") > 0 {
				continue
			}
			again, err := r.restart(o)
			if err != nil {
				t.Fatal(err)
			}
			before, after := r.Progress(), again.Progress()
			if before.Found != after.Found || before.Done != after.Done || before.Failed != after.Failed || after.UnderWay != 0 {
				t.Fatalf("%+v, and %+v after the restart", before, after)
			}
			for _, a := range r.under {
				r.asked[a.URL.String()]--
			}
			again.asked = r.asked
			r = again
		}
		for address, n := range r.asked {
			most := 1
			if v := s[weburl.Restore(address).Target()]; v.isTryAgain() {
				most = mostTries
			}
			if n > most {
				t.Errorf("%s was asked for %d times", address, n)
			}
		}
		gotRows, gotIssues, gotLinks := r.result()
		if !reflect.DeepEqual(gotRows, rows) || !reflect.DeepEqual(gotIssues, issues) || !reflect.DeepEqual(gotLinks, links) {
			t.Errorf("after restarts:\n%v\n%v\n%v\nwithout:\n%v\n%v\n%v", gotRows, gotIssues, gotLinks, rows, issues, links)
		}
		if p := r.Progress(); p.Queued != 0 || p.UnderWay != 0 || p.Found != p.Done+p.Failed {
			t.Errorf("in the end: %+v", p)
		}
	})
}
