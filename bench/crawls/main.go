// Crawls measures a crawl by a server: it serves a site of pages of 30 kB from a process of its own, has a server of the given program crawl it, and
// tells how long that took, and the most memory and the processor time that the server has used.
package main

import (
	"flag"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	"sitegrade/bench/served"
)

const words = "A site has pages, and a page has words, links to the pages that come next, and a picture or two where they help to see what is meant. "

func main() {
	log.SetFlags(0)
	program := flag.String("program", "./sitegrade", "the `program` that is measured")
	pages := flag.Int("pages", 10_000, "`number` of pages")
	database := flag.String("database", "", "`address` of an empty PostgreSQL database that the server keeps its data in; empty: a file")
	site := flag.Bool("site", false, "serve the site and nothing else")
	flag.Parse()
	if *site {
		serveSite(*pages)
	}
	if err := measure(*program, *pages, *database); err != nil {
		log.Fatal(err)
	}
}

// serveSite serves the site until the process is killed, and prints its address.
func serveSite(pages int) {
	text := "<p>" + strings.Repeat(words, 26_000/len(words)) + "</p>"
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n, err := strconv.Atoi(strings.Trim(strings.TrimPrefix(r.URL.Path, "/page/"), "/"))
		if r.URL.Path == "/style.css" {
			w.Header().Set("Content-Type", "text/css")
			fmt.Fprint(w, "body{margin:0}")
			return
		}
		if r.URL.Path != "/" && (err != nil || n >= pages) {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Page %d of a site that is crawled</title>
<meta name="description" content="What there is to say of page %d, in a sentence of the usual length."><link rel="stylesheet" href="/style.css"></head>
<body><h1>Page %d</h1><nav>`, n, n, n)
		for i := range 40 {
			fmt.Fprintf(w, `<a href="/page/%d/">Page %d</a> `, (10*n+i)%pages, (10*n+i)%pages)
		}
		fmt.Fprint(w, `</nav><main>`, text, `</main></body></html>`)
	}))
	fmt.Println(s.URL)
	select {}
}

func measure(program string, pages int, database string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	site, address, err := served.Start("http://", self, "-site", "-pages", strconv.Itoa(pages))
	if err != nil {
		return err
	}
	defer site.Process.Kill()
	dir, err := os.MkdirTemp("", "crawls-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	server, api, err := served.Server(program, dir, "-database", database)
	if err != nil {
		return err
	}
	defer server.Process.Kill()
	began := time.Now()
	var shown struct{ Data shownCrawl }
	made := &shown.Data
	if err := api.Do("POST", "/crawls", url.Values{"url": {address + "/"}, "max_pages": {strconv.Itoa(pages)}}, &shown); err != nil {
		return err
	}
	for told := time.Now(); made.Status == "queued" || made.Status == "running"; {
		time.Sleep(100 * time.Millisecond)
		if err := api.Do("GET", "/crawls/"+made.ID, nil, &shown); err != nil {
			return err
		}
		if time.Since(told) > time.Minute {
			told = time.Now()
			log.Printf("%v: %+v", time.Since(began).Round(time.Second), made.Progress)
		}
	}
	took := time.Since(began)
	fmt.Printf("%d pages: %s after %.1f s, %.0f pages a second; %s\n", made.Progress.Done, made.Status, took.Seconds(), float64(made.Progress.Done)/took.Seconds(), used(server.Process.Pid))
	return nil
}

// used tells what Linux says that a process has used.
func used(pid int) string {
	status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	var memory string
	for line := range strings.Lines(string(status)) {
		if strings.HasPrefix(line, "VmHWM:") || strings.HasPrefix(line, "RssAnon:") {
			memory += strings.Join(strings.Fields(line), " ") + ", "
		}
	}
	stat, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	fields := strings.Fields(string(stat))
	if len(fields) < 15 {
		return memory
	}
	user, _ := strconv.Atoi(fields[13])
	system, _ := strconv.Atoi(fields[14])
	return fmt.Sprintf("%sprocessor %d s", memory, (user+system)/100)
}

// shownCrawl is what is looked at of a crawl.
type shownCrawl struct {
	ID, Status string
	Progress   struct{ Found, Done, Failed int }
}
