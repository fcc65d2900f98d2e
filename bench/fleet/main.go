// Fleet measures what several servers of one PostgreSQL database audit beside one: pages of many hosts, whose responses all take 100 ms.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"strconv"
	"time"

	"sitegrade/bench/served"
	"sitegrade/db/postgres/pgtest"
)

const (
	delay        = 100 * time.Millisecond
	pagesPerHost = 4
	mostAtOnce   = 1000 // addresses of a create
)

func main() {
	log.SetFlags(0)
	program := flag.String("program", "./sitegrade", "the `program` that is measured")
	servers := flag.Int("servers", 3, "`number` of servers that are measured beside one")
	pages := flag.Int("pages", 240, "`number` of pages that one server audits, and each of several")
	workers := flag.Int("workers", 1, "option of the servers: each has eight times as many audits under way")
	site := flag.Bool("site", false, "serve the pages and nothing else")
	flag.Parse()
	if *site {
		log.Fatal(serveSite())
	}
	if err := compare(*program, *servers, *pages, *workers); err != nil {
		log.Fatal(err)
	}
}

// serveSite serves a page on all addresses of the loopback network until the process is killed, and prints its port.
func serveSite() error {
	listener, err := net.Listen("tcp4", "0.0.0.0:0")
	if err != nil {
		return err
	}
	fmt.Println("port", listener.Addr().(*net.TCPAddr).Port)
	return http.Serve(listener, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(delay)
		if r.URL.Path != "/style.css" && len(r.URL.Path) > 4 { // pages have short paths
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, `<!doctype html><html lang="en"><head><title>Page %s of a site far away</title></head><body><h1>A page</h1><p>It takes a while to come.</p></body></html>`, r.URL.Path)
	}))
}

// compare measures one server and several, and prints the ratio.
func compare(program string, servers, pages, workers int) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	site, port, err := served.Start("port ", self, "-site")
	if err != nil {
		return err
	}
	defer site.Process.Kill()
	one, err := measure(program, port[len("port "):], 1, pages, workers)
	if err != nil {
		return err
	}
	several, err := measure(program, port[len("port "):], servers, servers*pages, workers)
	if err != nil {
		return err
	}
	fmt.Printf("1 server: %.1f audits a second; %d servers: %.1f; %.2f times as many\n", one, servers, several, several/one)
	return nil
}

// measure returns how many audits a second servers make together, between the first tenth of the pages and the last.
func measure(program, port string, servers, pages, workers int) (perSecond float64, err error) {
	database, err := pgtest.Start()
	if err != nil {
		return 0, err
	}
	defer database.Remove()
	if err := database.Do(context.Background(), "CREATE EXTENSION pg_trgm"); err != nil {
		return 0, err
	}
	var api served.API
	for n := range servers {
		dir, err := os.MkdirTemp("", "fleet-*")
		if err != nil {
			return 0, err
		}
		defer os.RemoveAll(dir)
		server, own, err := served.Server(program, dir, "-database", database.Address(), "-workers", strconv.Itoa(workers), "-rate-limit", "0")
		if err != nil {
			return 0, err
		}
		defer end(server)
		if n == 0 {
			api = own
		}
	}
	var addresses []string
	for i := range pages {
		host := i / pagesPerHost
		addresses = append(addresses, fmt.Sprintf("http://127.0.%d.%d:%s/%d", 1+host/250, 1+host%250, port, i%pagesPerHost))
	}
	for len(addresses) > 0 {
		some := addresses[:min(mostAtOnce, len(addresses))]
		addresses = addresses[len(some):]
		var ignored any
		if err := api.Do("POST", "/reports", url.Values{"urls[]": some, "project": {"fleet"}}, &ignored); err != nil {
			return 0, err
		}
	}
	return rate(api, pages)
}

func end(server *exec.Cmd) {
	_ = server.Process.Kill()
	_ = server.Wait()
}

// rate returns how many audits a second end between the first tenth of the pages and the last.
func rate(api served.API, pages int) (perSecond float64, err error) {
	var began time.Time
	from := 0
	for {
		time.Sleep(100 * time.Millisecond)
		var shown struct {
			Data struct {
				Reports struct{ Good, Decent, Bad int }
			}
		}
		if err := api.Do("GET", "/projects/fleet", nil, &shown); err != nil {
			return 0, err
		}
		done := shown.Data.Reports.Good + shown.Data.Reports.Decent + shown.Data.Reports.Bad
		if done >= pages/10 && began.IsZero() {
			began, from = time.Now(), done
		}
		if done >= pages-pages/10 {
			return float64(done-from) / time.Since(began).Seconds(), nil
		}
	}
}
