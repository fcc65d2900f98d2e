package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"mime"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path"
	"strings"
	"sync"
	"testing"
	"time"
)

// keptWithin is how long after it came something may be asked for again because of a kill.
const keptWithin = time.Second

// askedPage is one request to a crashSite.
type askedPage struct{ began, ended time.Time }

// crashOptions have the server ask for all that it asks for by default.
var crashOptions = []string{"-audit-site-requests", "10", "-audit-samples", "60"}

// killing is when a server was killed: at some moment between the two.
type killing struct{ from, until time.Time }

// crashSite is a site whose every page takes a moment and loads a style of all pages and pictures of few, with what was asked of it.
type crashSite struct {
	*httptest.Server
	mu    sync.Mutex
	asked map[string][]*askedPage // by how, what and in whose name
}

func newCrashSite(t *testing.T, pages int) *crashSite {
	t.Helper()
	s := &crashSite{asked: map[string][]*askedPage{}}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		this := s.note(r)
		defer func() { s.mu.Lock(); this.ended = time.Now(); s.mu.Unlock() }()
		var i int
		if file, isFile := strings.CutPrefix(r.URL.Path, "/files/"); isFile {
			w.Header().Set("Content-Type", mime.TypeByExtension(path.Ext(file)))
			fmt.Fprint(w, strings.Repeat("p { color: red }\n\n", 300))
			return
		}
		if _, err := fmt.Sscanf(r.URL.Path, "/p%d", &i); r.URL.Path != "/" && (err != nil || i >= pages || i%17 == 16) {
			http.NotFound(w, r)
			return
		}
		<-time.After(40 * time.Millisecond)
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, `<!doctype html><html lang="en"><head><title>Page %d</title><link rel="stylesheet" href="/files/all.css"><link rel="stylesheet" href="/files/%d.css"></head>
<body><h1>Page %d</h1><p>%d</p><img src="/files/%d.png" alt="A picture">`, i/3, i/20, i, i, i/7)
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
	name := r.Method + " " + r.URL.Path + " " + r.UserAgent() + r.Header.Get("Origin") + r.Header.Get("Accept")
	s.asked[name] = append(s.asked[name], this)
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
	t.Parallel() // it mostly waits
	p := newProgram(t)
	s := newCrashSite(t, 400)
	p.start(crashOptions...)
	calm := p.startCrawl(s.URL+"/", "calm")
	if !p.crawlEnds(calm, time.Minute) {
		t.Fatal("the crawl does not end")
	}
	want := p.crawlResult(calm)
	s.mu.Lock()
	clear(s.asked)
	s.mu.Unlock()
	id := p.startCrawl(s.URL+"/", "killed")
	var kills []killing
	for len(kills) < *crashRounds && !p.crawlEnds(id, time.Duration(200+rand.IntN(2300))*time.Millisecond) {
		from := time.Now()
		p.kill()
		kills = append(kills, killing{from, time.Now()})
		p.start(crashOptions...)
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
func (s *crashSite) holdRepeats(t *testing.T, kills []killing) {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	repeats, oldest := 0, time.Duration(0)
	for name, requests := range s.asked {
		for i, r := range requests[:len(requests)-1] {
			repeats++
			since, lost := r.lostBy(requests[i+1], kills)
			if oldest = max(oldest, since); !lost || since > keptWithin {
				t.Errorf("%s was asked for again, %v after it came; by a kill: %t", name, since, lost)
			}
		}
	}
	t.Logf("%d kills, %d addresses, %d requests repeated, which had come %v before at most", len(kills), len(s.asked), repeats, oldest)
}

// lostBy returns how long after a request the server was killed that made it again, and reports whether it was. It is 0 for a request under
// way.
func (r *askedPage) lostBy(again *askedPage, kills []killing) (since time.Duration, lost bool) {
	for _, kill := range kills {
		if r.began.Before(kill.until) && kill.from.Before(again.began) {
			if r.ended.IsZero() {
				return 0, true
			}
			return max(0, kill.from.Sub(r.ended)), true
		}
	}
	return 0, false
}
