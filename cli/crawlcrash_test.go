package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"
)

// keptWithin is how long after it came a page may be asked for again because of a kill. A crawl keeps what it has seen each second.
const keptWithin = 2500 * time.Millisecond

// askedPage is one request for a page of a crashSite.
type askedPage struct{ began, ended time.Time }

// crashSite is a site whose every page takes a moment, with what was asked of it.
type crashSite struct {
	*httptest.Server
	mu    sync.Mutex
	asked map[string][]*askedPage
}

func newCrashSite(t *testing.T, pages int) *crashSite {
	t.Helper()
	s := &crashSite{asked: map[string][]*askedPage{}}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		this := s.note(r)
		defer func() { s.mu.Lock(); this.ended = time.Now(); s.mu.Unlock() }()
		var i int
		if _, err := fmt.Sscanf(r.URL.Path, "/p%d", &i); r.URL.Path != "/" && (err != nil || i >= pages || i%17 == 16) {
			http.NotFound(w, r)
			return
		}
		<-time.After(40 * time.Millisecond)
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, `<!doctype html><html lang="en"><head><title>Page %d</title></head><body><h1>Page %d</h1><p>%d</p>`, i/3, i, i)
		for _, to := range []int{i + 1, 2 * i, 3*i + 1} {
			fmt.Fprintf(w, `<a href="/p%d">To %d</a> `, to%pages, to)
		}
		fmt.Fprint(w, `</body></html>`)
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *crashSite) note(r *http.Request) *askedPage {
	s.mu.Lock()
	defer s.mu.Unlock()
	this := &askedPage{began: time.Now()}
	s.asked[r.URL.Path] = append(s.asked[r.URL.Path], this)
	return this
}

// crawlResult returns all that a crawl tells in the end, without what differs from run to run.
func (p *program) crawlResult(id string) string {
	p.t.Helper()
	var result bytes.Buffer
	for _, list := range []string{"pages", "links"} {
		for page := 1; ; page++ {
			var body struct {
				Data []map[string]any
				Meta struct{ Total int }
			}
			if status := p.do("GET", fmt.Sprintf("/crawls/%s/%s?per_page=100&page=%d", id, list, page), "", nil, &body); status != http.StatusOK {
				p.t.Fatalf("the %s are answered by %d", list, status)
			}
			for _, row := range body.Data {
				delete(row, "report")
				text, _ := json.Marshal(row)
				fmt.Fprintf(&result, "%s\n", text)
			}
			if page*100 >= body.Meta.Total {
				break
			}
		}
	}
	var crawl struct {
		Data struct {
			Status   string
			Progress json.RawMessage
			Score    int
			Summary  json.RawMessage
		}
	}
	p.do("GET", "/crawls/"+id, "", nil, &crawl)
	fmt.Fprintf(&result, "%s %s %s %d", crawl.Data.Status, crawl.Data.Progress, crawl.Data.Summary, crawl.Data.Score)
	return result.String()
}

func (p *program) startCrawl(address, project string) (id string) {
	p.t.Helper()
	var made struct{ Data struct{ ID string } }
	if status := p.do("POST", "/crawls", "", url.Values{"url": {address}, "project": {project}}, &made); status != http.StatusAccepted {
		p.t.Fatalf("the crawl is answered by %d", status)
	}
	return made.Data.ID
}

// crawlEnds reports whether a crawl ends within a time.
func (p *program) crawlEnds(id string, within time.Duration) bool {
	p.t.Helper()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for deadline := time.After(within); ; {
		var crawl struct{ Data struct{ Status string } }
		if p.do("GET", "/crawls/"+id, "", nil, &crawl); crawl.Data.Status != "queued" && crawl.Data.Status != "running" {
			return true
		}
		select {
		case <-deadline:
			return false
		case <-tick.C:
		}
	}
}

// TestKilledCrawlGoesOn kills the server again and again while it crawls. The result is that of a crawl which nobody disturbed, and no page was asked
// for again but those that were under way or came just before.
func TestKilledCrawlGoesOn(t *testing.T) {
	p := newProgram(t)
	s := newCrashSite(t, 200)
	p.start()
	calm := p.startCrawl(s.URL+"/", "calm")
	if !p.crawlEnds(calm, time.Minute) {
		t.Fatal("the crawl does not end")
	}
	want := p.crawlResult(calm)
	s.mu.Lock()
	clear(s.asked)
	s.mu.Unlock()
	id := p.startCrawl(s.URL+"/", "killed")
	var kills []time.Time
	for len(kills) < *crashRounds && !p.crawlEnds(id, time.Duration(200+rand.IntN(1800))*time.Millisecond) {
		p.kill()
		kills = append(kills, time.Now())
		p.start()
	}
	if !p.crawlEnds(id, time.Minute) {
		t.Fatal("the crawl does not end")
	}
	if got := p.crawlResult(id); got != want {
		t.Errorf("killed it gives\n%s\nand otherwise\n%s", linesBeside(got, want), linesBeside(want, got))
	}
	s.holdRepeats(t, kills)
	p.kill()
	p.check()
}

// linesBeside returns the lines of a text that another lacks.
func linesBeside(text, other string) (lines string) {
	for line := range strings.Lines(text) {
		if !strings.Contains(other, line) {
			lines += line
		}
	}
	return lines
}

// holdRepeats holds that what was asked for again had been under way, or come shortly before, when the server was killed.
func (s *crashSite) holdRepeats(t *testing.T, kills []time.Time) {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	repeats := 0
	for path, requests := range s.asked {
		for i, r := range requests[:len(requests)-1] {
			repeats++
			lost := false
			for _, kill := range kills {
				lost = lost || r.began.Before(kill) && kill.Before(requests[i+1].began) && (r.ended.IsZero() || kill.Sub(r.ended) < keptWithin)
			}
			if !lost {
				t.Errorf("%s was asked for again at %v, after it came at %v; kills at %v", path, requests[i+1].began, r.ended, kills)
			}
		}
	}
	t.Logf("%d kills, %d pages, %d requests repeated", len(kills), len(s.asked), repeats)
}
