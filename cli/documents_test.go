package cli

import (
	"bufio"
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// TestDocumentsCanBeFollowed runs the command blocks of README.md and docs line by line, as somebody does who reads them from the top. Blocks
// that begin with "```sh" are run. "```sh elsewhere" is for those that need another machine, a network or rights that a test has not; every other
// block says which language it is in. What stands for something else is put in first:
//
//	https://example.com, http://localhost:3000     a site on this machine, as other sites that are named
//	http://127.0.0.1:8080                          the server that the document has started with "sitegrade serve"
//	ID behind a path of the API                    the id of the newest record there
func TestDocumentsCanBeFollowed(t *testing.T) {
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("without bash")
	}
	pages, err := filepath.Glob("../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	p := newProgram(t)
	site := httptest.NewServer(http.HandlerFunc(servePage))
	t.Cleanup(site.Close)
	release := makeRelease(t, p.path)
	for _, page := range append(pages, "../README.md") {
		t.Run(filepath.Base(page), func(t *testing.T) {
			follow(t, &follower{t: t, dir: t.TempDir(), program: p.path, site: site.URL}, release, page)
		})
	}
}

// servePage is a site that has a page at every path.
func servePage(w http.ResponseWriter, r *http.Request) {
	if strings.HasSuffix(r.URL.Path, ".txt") || strings.HasSuffix(r.URL.Path, ".xml") {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprintf(w, "<!doctype html><html lang=en><title>The page %s</title><h1>A page</h1><p><a href=/about>About</a> <a href=/shop>Shop</a>", url.PathEscape(r.URL.Path))
}

// block is a block of commands of a document.
type block struct {
	language string // "sh", "sh elsewhere", "yaml"
	line     int    // of the document, counted from 1: the first of the commands
	lines    []string
}

// blocks returns the blocks of a document.
func blocks(t *testing.T, page string) []block {
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	var all []block
	inside := false
	for i, line := range strings.Split(string(text), "\n") {
		language, fence := strings.CutPrefix(line, "```")
		switch {
		case fence && !inside:
			if language == "" {
				t.Errorf("%s:%d: the block does not say what is in it: sh, sh elsewhere, or another language", page, i+1)
			}
			all = append(all, block{language: language, line: i + 2})
			inside = true
		case fence:
			inside = false
		case inside:
			last := &all[len(all)-1]
			last.lines = append(last.lines, line)
		}
	}
	return all
}

// follower is who follows a document.
type follower struct {
	t       *testing.T
	dir     string // where they work
	program string // the path of sitegrade
	site    string // the URL of a site with pages
	server  string // the URL of their server; "" before they have started one
	session string // what has been said that counts for the lines that follow: variables, directories
}

// follow has a document followed, beside the files of a release.
func follow(t *testing.T, f *follower, release, page string) {
	f.prepare(release)
	for _, b := range blocks(t, page) {
		if b.language != "sh" {
			continue
		}
		command := ""
		for i, line := range b.lines {
			command += line
			if rest, continued := strings.CutSuffix(command, `\`); continued {
				command = rest
				continue
			}
			if output, err := f.run(command); err != nil {
				t.Errorf("%s:%d: %s\n%v\n%s", page, b.line+i, command, err, output)
			}
			command = ""
		}
	}
}

// prepare lays out what a reader has before the first line: a release, and a list of pages.
func (f *follower) prepare(release string) {
	files, err := os.ReadDir(release)
	if err != nil {
		f.t.Fatal(err)
	}
	for _, file := range files {
		if err := os.Symlink(filepath.Join(release, file.Name()), filepath.Join(f.dir, file.Name())); err != nil {
			f.t.Fatal(err)
		}
	}
	writeFile(f.t, f.dir, "urls.txt", []byte(f.site+"/\n"+f.site+"/about\n"))
	if err := os.MkdirAll(filepath.Join(f.dir, "usr/local/bin"), 0o755); err != nil {
		f.t.Fatal(err)
	}
}

// makeRelease returns a directory with what install.md takes from a release.
func makeRelease(t *testing.T, program string) string {
	const top = "sitegrade_0.1.0_linux_amd64"
	dir := t.TempDir()
	pack := exec.Command("tar", "-chf", filepath.Join(dir, top+".tar.gz"), "--gzip", "--transform", "s,^,"+top+"/,", "-C", filepath.Dir(program), filepath.Base(program))
	pack.Env = append(os.Environ(), "GZIP=-1")
	if output, err := pack.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	archive, err := os.ReadFile(filepath.Join(dir, top+".tar.gz"))
	if err != nil {
		t.Fatal(err)
	}
	sums := fmt.Appendf(nil, "%x  %s.tar.gz\n%x  not-downloaded.deb\n", sha256.Sum256(archive), top, sha256.Sum256(nil))
	key := ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize))
	public, err := x509.MarshalPKIXPublicKey(key.Public())
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, dir, "SHA256SUMS", sums)
	writeFile(t, dir, "SHA256SUMS.sig", ed25519.Sign(key, sums))
	writeFile(t, dir, "sitegrade.pem", pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: public}))
	return dir
}

func writeFile(t *testing.T, dir, name string, content []byte) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
		t.Fatal(err)
	}
}

// said are the lines that count for those after them.
var said = regexp.MustCompile(`^(\w+=|cd )`)

// startsServer is a line that does not end by itself.
var startsServer = regexp.MustCompile(`^(\./)?sitegrade serve\b`)

// run does what a line says and returns what it printed. A line with a condition may end as one whose condition does not hold.
func (f *follower) run(line string) (output string, err error) {
	line = f.fill(line)
	if startsServer.MatchString(line) {
		return "", f.serve(line)
	}
	c := f.shell(line)
	printed, err := c.CombinedOutput()
	if strings.Contains(line, " -fail-") && c.ProcessState != nil && c.ProcessState.ExitCode() == statusFailed {
		err = nil
	}
	if said.MatchString(line) {
		f.session += line + "\n"
	}
	return string(printed), err
}

// shell returns a command for a line, with what was said before it.
func (f *follower) shell(line string) *exec.Cmd {
	const tools = `set -o pipefail
curl() { command curl --silent --show-error --fail-with-body --max-time 60 "$@"; }
sudo() { "$@"; }
command -v jq >/dev/null || jq() { cat; }
`
	c := exec.Command("bash", "-c", tools+f.session+line)
	c.Dir = f.dir
	c.Env = append(os.Environ(), "PATH="+filepath.Dir(f.program)+":"+os.Getenv("PATH"), "HOME="+f.dir, "SITEGRADE_ALLOW_NETWORKS=127.0.0.0/8",
		"SITEGRADE_SCHEDULE_SPREAD=0", "NO_COLOR=1")
	return c
}

// serve starts a server as the line says, but on a free port, and waits until it serves.
func (f *follower) serve(line string) error {
	c := f.shell("exec " + line + " -listen 127.0.0.1:0")
	printed, err := c.StdoutPipe()
	if err != nil {
		return err
	}
	if err := c.Start(); err != nil {
		return err
	}
	f.t.Cleanup(func() {
		_ = c.Process.Kill() // says so when it has ended
		_ = c.Wait()         // says that it was killed
	})
	for lines := bufio.NewScanner(printed); lines.Scan(); {
		if match := servesLine.FindStringSubmatch(lines.Text()); match != nil {
			f.server = match[1]
			go io.Copy(io.Discard, printed)
			return nil
		}
	}
	return fmt.Errorf("the server does not start: %w", c.Wait())
}

var (
	idOfPath   = regexp.MustCompile(`\$api/([^\s"?]*?)/ID\b`)
	idOfReport = regexp.MustCompile(`\breport=ID\b`)
	idOfKey    = regexp.MustCompile(`\bkeys revoke ID\b`)
)

// fill puts into a line what stands there for something else.
func (f *follower) fill(line string) string {
	host := strings.TrimPrefix(f.site, "http://")
	line = strings.NewReplacer("https://example.com", f.site, "http://localhost:3000", f.site, "https://hooks.slack.com", f.site, "https://staging.example.com", f.site, "example.com", host,
		"http://127.0.0.1:8080", f.server, "/usr/local/", f.dir+"/usr/local/").Replace(line)
	for {
		match := idOfPath.FindStringSubmatch(line)
		if match == nil {
			break
		}
		line = strings.Replace(line, match[0], "$api/"+match[1]+"/"+f.newest(match[1]), 1)
	}
	if idOfReport.MatchString(line) {
		line = idOfReport.ReplaceAllString(line, "report="+f.newest("reports"))
	}
	if idOfKey.MatchString(line) {
		line = idOfKey.ReplaceAllString(line, "keys revoke "+f.newestKey())
	}
	return line
}

// newest returns the id of the newest record of a list of the API, once it has one.
func (f *follower) newest(list string) string {
	ctx, cancel := context.WithTimeout(f.t.Context(), 20*time.Second)
	defer cancel()
	key, err := os.ReadFile(filepath.Join(f.dir, "data", firstKeyName))
	if err != nil {
		f.t.Fatal(err)
	}
	for tick := time.NewTicker(50 * time.Millisecond); ; {
		request, err := http.NewRequestWithContext(ctx, "GET", f.server+"/api/v1/"+list, nil)
		if err != nil {
			f.t.Fatal(err)
		}
		request.Header.Set("Authorization", "Bearer "+strings.TrimSpace(string(key)))
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			f.t.Fatalf("%s has nothing: %v", list, err)
		}
		var found struct{ Data []struct{ ID string } }
		err = json.NewDecoder(response.Body).Decode(&found)
		response.Body.Close()
		if err == nil && len(found.Data) > 0 {
			return found.Data[0].ID
		}
		<-tick.C
	}
}

// newestKey returns the id of the key of any account that was made last.
func (f *follower) newestKey() string {
	list, err := f.shell("sitegrade keys list -format json").Output()
	if err != nil {
		f.t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(list)), "\n")
	var key struct{ ID string }
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &key); err != nil {
		f.t.Fatal(err)
	}
	return key.ID
}
