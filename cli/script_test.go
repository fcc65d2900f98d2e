package cli

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"sitegrade/db/postgres/pgtest"
)

func TestMain(m *testing.M) {
	testscript.Main(&cleaning{m}, map[string]func(){
		"sitegrade": func() { os.Exit(Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) },
	})
}

// cleaning removes what all tests shared when the last has ended.
type cleaning struct{ *testing.M }

func (c *cleaning) Run() int {
	status := c.M.Run()
	pgtest.Stop()
	_ = os.RemoveAll(builtIn) // a temporary folder
	return status
}

// TestScripts runs one script for each command. Beside the commands of testscript they know
//
//	exits STATUS COMMAND...            run it and hold its exit status, also another than 0 and 1
//	serve [OPTION...]                  start a server on a free port and wait until it serves
//	stop                               end it with SIGTERM and hold that it ends well; its output is in serve.stdout and serve.stderr
//	crash                              end it with SIGKILL
//	request STATUS METHOD PATH [FORM]  a request of the API with the key of the file "key"; the answer's body is stdout
//	page STATUS PATH                   a page of the server, without a key; its HTML is stdout
//	setkey FILE                        put the key of the file into SITEGRADE_API_KEY
//	fetched                            wait until somebody has fetched the site's page /queued
//
// and $SITE, the address of a site with pages to audit, and $MINE, that of a site with the files of the
// script's own directory, of which $PREVIEW is another host, and $ACTION, the script of the GitHub action.
func TestScripts(t *testing.T) {
	site := httptest.NewServer(testSite())
	t.Cleanup(site.Close)
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		Setup: func(env *testscript.Env) error {
			action, err := filepath.Abs("../deploy/action/run")
			if err != nil {
				return err
			}
			env.Setenv("ACTION", action)
			mine := httptest.NewServer(http.FileServer(http.Dir(env.WorkDir)))
			env.Defer(mine.Close)
			env.Setenv("MINE", mine.URL)
			env.Setenv("PREVIEW", strings.Replace(mine.URL, "127.0.0.1", "localhost", 1))
			env.Setenv("SITE", site.URL)
			env.Setenv("NO_COLOR", "")
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits":   exitsCommand,
			"serve":   serveCommand,
			"stop":    stopCommand,
			"crash":   crashCommand,
			"request": requestCommand,
			"page":    pageCommand,
			"setkey":  setKeyCommand,
			"fetched": fetchedCommand,
		},
	})
}

// testSite serves the pages of testdata/site and some answers that are no pages.
func testSite() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/", http.FileServer(http.Dir("testdata/site")))
	mux.HandleFunc("/feed", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/rss+xml")
		fmt.Fprint(w, "<rss/>")
	})
	mux.HandleFunc("/queued", func(w http.ResponseWriter, r *http.Request) {
		queuedOnce.Do(func() { close(queuedFetched) })
		http.ServeFile(w, r, "testdata/site/good.html")
	})
	mux.HandleFunc("/copy.html", func(w http.ResponseWriter, r *http.Request) { http.ServeFile(w, r, "testdata/site/good.html") })
	mux.Handle("/moved", http.RedirectHandler("/good.html", http.StatusMovedPermanently))
	return mux
}

// queuedFetched is closed when /queued was fetched.
var (
	queuedFetched = make(chan struct{})
	queuedOnce    sync.Once
)

func fetchedCommand(*testscript.TestScript, bool, []string) { <-queuedFetched }

func setKeyCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: setkey FILE")
	}
	ts.Setenv(keyVariable, strings.TrimSpace(ts.ReadFile(args[0])))
}

func exitsCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits STATUS COMMAND...")
	}
	err := ts.Exec(args[1], args[2:]...)
	got := 0
	if exit, ok := err.(*exec.ExitError); ok {
		got = exit.ExitCode()
	} else if err != nil {
		ts.Fatalf("%v", err)
	}
	if strconv.Itoa(got) != args[0] {
		ts.Fatalf("the exit status is %d, not %s", got, args[0])
	}
}

// running is the server of a script.
type running struct {
	process *exec.Cmd
	stdout  bytes.Buffer
	stderr  bytes.Buffer
	read    chan struct{} // closed when stdout has ended
}

// servers are the running servers by the directory of their script.
var servers sync.Map

var servesLine = regexp.MustCompile(`serves (http\S+), data`)

func serveCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg {
		ts.Fatalf("usage: serve [OPTION...]")
	}
	program, err := exec.LookPath("sitegrade")
	ts.Check(err)
	r := &running{read: make(chan struct{})}
	r.process = exec.Command(program, append([]string{"serve", "-listen", "127.0.0.1:0"}, args...)...)
	r.process.Dir = ts.MkAbs(".")
	r.process.Env = append(os.Environ(), keyVariable+"="+ts.Getenv(keyVariable), "SITEGRADE_ALLOW_NETWORKS=127.0.0.0/8")
	r.process.Stderr = &r.stderr
	stdout, err := r.process.StdoutPipe()
	ts.Check(err)
	ts.Check(r.process.Start())
	servers.Store(ts.MkAbs("."), r)
	ts.Defer(func() { _ = r.process.Process.Kill() })
	address := make(chan string, 1)
	go r.readOutput(stdout, address)
	ts.Setenv("SERVER", <-address)
}

// readOutput keeps what the server prints and sends its address, or "" when it ends without having one.
func (r *running) readOutput(stdout io.Reader, address chan<- string) {
	defer close(r.read)
	defer close(address)
	sent := false
	for lines := bufio.NewScanner(stdout); lines.Scan(); {
		fmt.Fprintln(&r.stdout, lines.Text())
		if match := servesLine.FindStringSubmatch(lines.Text()); match != nil && !sent {
			sent = true
			address <- match[1]
		}
	}
}

func stopCommand(ts *testscript.TestScript, neg bool, args []string) {
	found, ok := servers.LoadAndDelete(ts.MkAbs("."))
	if neg || len(args) > 0 || !ok {
		ts.Fatalf("usage: stop, after serve")
	}
	r := found.(*running)
	ts.Check(r.process.Process.Signal(syscall.SIGTERM))
	<-r.read
	err := r.process.Wait()
	for name, output := range map[string]*bytes.Buffer{"serve.stdout": &r.stdout, "serve.stderr": &r.stderr} {
		ts.Check(os.WriteFile(ts.MkAbs(name), output.Bytes(), 0o600))
	}
	if err != nil {
		ts.Fatalf("the server ended badly: %v\n%s", err, r.stderr.String())
	}
}

func crashCommand(ts *testscript.TestScript, neg bool, args []string) {
	found, ok := servers.LoadAndDelete(ts.MkAbs("."))
	if neg || len(args) > 0 || !ok {
		ts.Fatalf("usage: crash, after serve")
	}
	r := found.(*running)
	ts.Check(r.process.Process.Kill())
	<-r.read
	_ = r.process.Wait() // says that it was killed
}

func requestCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 3 || len(args) > 4 {
		ts.Fatalf("usage: request STATUS METHOD PATH [FORM]")
	}
	request, err := http.NewRequest(args[1], ts.Getenv("SERVER")+"/api/v1"+args[2], strings.NewReader(strings.Join(args[3:], "")))
	ts.Check(err)
	request.Header.Set("Authorization", "Bearer "+strings.TrimSpace(ts.ReadFile("key")))
	if len(args) == 4 {
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	answered(ts, request, args[0])
}

func pageCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: page STATUS PATH")
	}
	request, err := http.NewRequest(http.MethodGet, ts.Getenv("SERVER")+args[1], nil)
	ts.Check(err)
	answered(ts, request, args[0])
}

// answered sends a request, makes the answer's body the script's stdout and holds the status.
func answered(ts *testscript.TestScript, request *http.Request, status string) {
	response, err := http.DefaultClient.Do(request)
	ts.Check(err)
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	ts.Check(err)
	fmt.Fprintf(ts.Stdout(), "%s", body)
	if strconv.Itoa(response.StatusCode) != status {
		ts.Fatalf("the status is %d, not %s: %s", response.StatusCode, status, body)
	}
}
