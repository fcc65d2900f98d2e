// Crawls measures a crawl by a server: it serves a site of pages of 30 kB from a process of its own, has a server of the given program crawl it, and
// tells how long that took, and the most memory and the processor time that the server has used.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
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

// start starts a program and returns it with the first line that it prints which begins so.
func start(prefix, program string, args ...string) (*exec.Cmd, string, error) {
	command := exec.Command(program, args...)
	command.Stderr = os.Stderr
	out, err := command.StdoutPipe()
	if err != nil {
		return nil, "", err
	}
	if err := command.Start(); err != nil {
		return nil, "", err
	}
	var read []byte
	for b := make([]byte, 1); ; {
		if _, err := out.Read(b); err != nil {
			return command, "", fmt.Errorf("%s: %w", program, err)
		}
		if read = append(read, b[0]); b[0] != '\n' {
			continue
		}
		if line := strings.TrimSpace(string(read)); strings.Contains(line, prefix) {
			return command, line[strings.Index(line, prefix):], nil
		}
		read = read[:0]
	}
}

func measure(program string, pages int, database string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	site, address, err := start("http://", self, "-site", "-pages", strconv.Itoa(pages))
	if err != nil {
		return err
	}
	defer site.Process.Kill()
	dir, err := os.MkdirTemp("", "crawls-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	server, base, err := start("http://", program, "serve", "-listen", "127.0.0.1:0", "-data", dir, "-allow-networks", "127.0.0.0/8", "-log-level", "warn", "-database", database)
	if err != nil {
		return err
	}
	defer server.Process.Kill()
	key, err := os.ReadFile(filepath.Join(dir, "first-key"))
	if err != nil {
		return err
	}
	api := client{strings.TrimRight(strings.Fields(base)[0], "/.,") + "/api/v1", strings.TrimSpace(string(key))}
	began := time.Now()
	made, err := api.do("POST", "/crawls", url.Values{"url": {address + "/"}, "max_pages": {strconv.Itoa(pages)}})
	if err != nil {
		return err
	}
	for shown := time.Now(); made.Status == "queued" || made.Status == "running"; {
		time.Sleep(100 * time.Millisecond)
		if made, err = api.do("GET", "/crawls/"+made.ID, nil); err != nil {
			return err
		}
		if time.Since(shown) > time.Minute {
			shown = time.Now()
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

type client struct{ base, key string }

// shownCrawl is what is looked at of a crawl.
type shownCrawl struct {
	ID, Status string
	Progress   struct{ Found, Done, Failed int }
}

func (c client) do(method, path string, form url.Values) (shownCrawl, error) {
	r, err := http.NewRequest(method, c.base+path, strings.NewReader(form.Encode()))
	if err != nil {
		return shownCrawl{}, err
	}
	r.Header.Set("Authorization", "Bearer "+c.key)
	if form != nil {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		return shownCrawl{}, err
	}
	defer response.Body.Close()
	var body struct{ Data shownCrawl }
	if err := json.NewDecoder(response.Body).Decode(&body); err != nil || response.StatusCode >= 300 {
		return shownCrawl{}, fmt.Errorf("%s %s is answered by %s, %v", method, path, response.Status, err)
	}
	return body.Data, nil
}
