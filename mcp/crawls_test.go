package mcp

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"sitegrade/db"
	"sitegrade/worker"
)

// startCrawler has the crawls of the server run until the test ends.
func (s *server) startCrawler() {
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	crawler := worker.NewCrawler(s.Store, s.Auditor, slog.New(slog.DiscardHandler))
	go func() {
		crawler.Run(ctx)
		close(ended)
	}()
	s.Cleanup(func() {
		cancel()
		<-ended
	})
}

// crawl crawls the site and returns how the crawl ended.
func (s *server) crawl(args map[string]any) result {
	s.Helper()
	news := make(chan struct{}, 1) // of crawls, of which the end is one
	defer s.Store.Subscribe(func(db.News) {
		select {
		case news <- struct{}{}:
		default:
		}
	})()
	begun := s.must("start_crawl", args)
	if begun.structured["status"] != "queued" || !strings.Contains(begun.text, "get_crawl with crawl "+begun.id()) {
		s.Errorf("a crawl begins as %s", begun.text)
	}
	for {
		if r := s.must("get_crawl", map[string]any{"crawl": begun.id()}); r.structured["status"] != "queued" && r.structured["status"] != "running" {
			return r
		}
		select {
		case <-news:
		case <-time.After(time.Minute):
			s.Fatal("the crawl does not end")
		}
	}
}

// TestCrawl crawls a site and reads all its addresses by cursors, the broken ones first.
func TestCrawl(t *testing.T) {
	s := newServer(t, Options{})
	s.startCrawler()
	var links strings.Builder
	for i := range 60 {
		path := fmt.Sprintf("/page-%d", i)
		fmt.Fprintf(&links, "<a href=%s>%[1]s</a>", path)
		if i%20 > 0 {
			s.site.put(path, fmt.Sprintf("<!doctype html><title>Page %d of the site</title><p>%[1]d", i))
		}
	}
	first := s.crawl(map[string]any{"url": s.site.put("/", links.String()), "project": "shop"})
	if first.structured["status"] != "done" || first.structured["score"] == nil || first.structured["summary"] == nil {
		t.Fatalf("the crawl ends as %s", first.text)
	}
	seen, indexable := map[string]bool{}, false
	for r := first; ; r = s.must("get_crawl", map[string]any{"crawl": first.id(), "cursor": r.cursor()}) {
		for _, p := range r.list("pages") {
			seen[p["untrusted"].(map[string]any)["url"].(string)] = true
			if p["indexable"] == false && indexable {
				t.Errorf("%v comes behind what search engines index", p)
			}
			indexable = p["indexable"].(bool)
		}
		if r.cursor() == "" {
			break
		}
	}
	if len(seen) != 61 || first.list("pages")[0]["reason"] != "client_error" {
		t.Errorf("%d addresses; %s", len(seen), first.text)
	}
	if r := s.must("list_reports", map[string]any{"project": "shop"}); r.structured["total"].(float64) != 58 {
		t.Errorf("the crawl made %v reports", r.structured["total"])
	}
	for _, args := range []map[string]any{{"crawl": first.id(), "cursor": "x"}, {"crawl": "x"}} {
		if r := s.call(s.key, "get_crawl", args); !r.isError {
			t.Errorf("%v: %s", args, r.text)
		}
	}
	if foreign, none := s.call(s.other, "get_crawl", map[string]any{"crawl": first.id()}), s.call(s.other, "get_crawl", map[string]any{"crawl": "x"}); foreign.text != none.text {
		t.Errorf("%q of a foreign crawl, %q of none", foreign.text, none.text)
	}
}

// TestSiteIssues reads what is wrong with a crawled site: all checks by cursors, the worst first, and the pages of a check of pages and of one
// across pages.
func TestSiteIssues(t *testing.T) {
	s := newServer(t, Options{})
	s.startCrawler()
	var links strings.Builder
	for i := range 70 {
		path := fmt.Sprintf("/page-%d", i)
		fmt.Fprintf(&links, "<a href=%s>%[1]s</a>", path)
		s.site.put(path, fmt.Sprintf("<title>The very same title</title><p>%d <a href=/missing-%[1]d>x</a>", i))
	}
	crawled := s.crawl(map[string]any{"url": s.site.put("/", links.String()), "project": "shop"})
	first := s.must("list_site_issues", map[string]any{"project": "shop"})
	if first.score() != crawled.score() || !strings.HasPrefix(string(first.raw), `{"score":`) {
		t.Errorf("the site has %d: %s", crawled.score(), first.text)
	}
	checks := s.readAll(first, "list_site_issues", map[string]any{"project": "shop"}, "issues", func(i map[string]any) string { return i["check"].(string) })
	if len(checks) != int(first.structured["total"].(float64)) {
		t.Errorf("%d checks of %v", len(checks), first.structured["total"])
	}
	for check, pages := range map[string]int{"viewport": 71, "broken-target": 70} {
		args := map[string]any{"project": "shop", "check": check}
		seen := s.readAll(s.must("list_site_issues", args), "list_site_issues", args, "pages", func(p map[string]any) string {
			return p["untrusted"].(map[string]any)["url"].(string)
		})
		if len(seen) != pages {
			t.Errorf("%s: %d pages of %d", check, len(seen), pages)
		}
	}
	if r := s.call(s.key, "list_site_issues", map[string]any{"project": "shop", "check": "viewprt"}); !r.isError || !strings.Contains(r.text, "viewport") {
		t.Errorf("of no check: %s", r.text)
	}
}

// readAll reads a list from cursor to cursor, and returns what name says of each row.
func (s *server) readAll(r result, tool string, args map[string]any, key string, name func(map[string]any) string) map[string]bool {
	s.Helper()
	seen := map[string]bool{}
	for {
		for _, row := range r.list(key) {
			if seen[name(row)] {
				s.Errorf("%s %v: %s comes twice", tool, args, name(row))
			}
			seen[name(row)] = true
		}
		if r.cursor() == "" {
			return seen
		}
		args["cursor"] = r.cursor()
		r = s.must(tool, args)
	}
}
