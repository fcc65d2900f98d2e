package cli

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// program is the real binary, serving in a process of its own as people run it.
type program struct {
	apiClient
	path, data string
	process    *exec.Cmd
	log        strings.Builder
}

// builtIn is where the programs are that tests build.
var builtIn string

// buildRoom makes it and returns its path.
var buildRoom = sync.OnceValues(func() (string, error) {
	var err error
	builtIn, err = os.MkdirTemp("", "sitegrade-built-*")
	return builtIn, err
})

// builtProgram returns the path of the program, built once for all tests.
var builtProgram = sync.OnceValues(func() (string, error) {
	dir, err := buildRoom()
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, "sitegrade")
	return path, build("-o", path, "sitegrade")
})

// build runs go build for a program without cgo, as releases are.
func build(args ...string) error {
	build := exec.Command("go", append([]string{"build"}, args...)...)
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if output, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("%w\n%s", err, output)
	}
	return nil
}

// newProgram gives a test the program and an empty directory.
func newProgram(t *testing.T) *program {
	t.Helper()
	p := &program{apiClient: apiClient{t: t}, path: filepath.Join(t.TempDir(), "sitegrade"), data: filepath.Join(t.TempDir(), "data")}
	built, err := builtProgram()
	if err != nil {
		t.Fatal(err)
	}
	if err := linkOrCopy(p.path, built); err != nil {
		t.Fatal(err)
	}
	return p
}

// start starts the server with these options beside those of a test, and returns when it serves. It is killed when the test ends.
func (p *program) start(options ...string) {
	p.t.Helper()
	p.log.Reset()
	p.process = exec.Command(p.path, append([]string{"serve", "-listen", "127.0.0.1:0", "-data", p.data, "-rate-limit", "0",
		"-allow-networks", "127.0.0.0/8", "-audit-site-requests", "0", "-audit-samples", "0", "-log-level", "warn"}, options...)...)
	p.process.Stderr = &p.log
	stdout, err := p.process.StdoutPipe()
	if err != nil {
		p.t.Fatal(err)
	}
	if err := p.process.Start(); err != nil {
		p.t.Fatal(err)
	}
	process := p.process.Process
	p.t.Cleanup(func() { _ = process.Kill() }) // says so when it has ended
	p.address = ""
	lines := bufio.NewScanner(stdout)
	for p.address == "" && lines.Scan() {
		if match := servesLine.FindStringSubmatch(lines.Text()); match != nil {
			p.address = match[1]
		}
	}
	if p.address == "" {
		p.t.Fatalf("the server does not start: %v\n%s", p.process.Wait(), p.log.String())
	}
	go io.Copy(io.Discard, stdout)
	p.key = readKey(p.t, p.data)
}

func (p *program) kill() {
	if err := p.process.Process.Kill(); err != nil {
		p.t.Error(err)
	}
	_ = p.process.Wait() // says that it was killed
}

// terminate asks the server to end, as service managers do, and gives how long it took.
func (p *program) terminate() time.Duration {
	p.t.Helper()
	began := time.Now()
	if err := p.process.Process.Signal(syscall.SIGTERM); err != nil {
		p.t.Error(err)
	}
	if err := p.process.Wait(); err != nil {
		p.t.Errorf("the server ended with %v\n%s", err, p.log.String())
	}
	return time.Since(began)
}

// check runs the command of that name on the database.
func (p *program) check() {
	p.t.Helper()
	if output, err := exec.Command(p.path, "check", "-data", p.data).CombinedOutput(); err != nil {
		p.t.Errorf("check: %v\n%s", err, output)
	}
}

// load has lines of an export imported for an account.
func (p *program) load(account, lines string) {
	p.t.Helper()
	command := exec.Command(p.path, "import", "-data", p.data, "-account", account)
	command.Stdin = strings.NewReader(lines)
	if output, err := command.CombinedOutput(); err != nil {
		p.t.Fatalf("%v\n%s", err, output)
	}
}

// memory returns a line of what Linux says of the memory of the process, in bytes.
func (p *program) memory(name string) int64 {
	p.t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.process.Process.Pid))
	if err != nil {
		p.t.Fatal(err)
	}
	for line := range strings.Lines(string(status)) {
		var kilobytes int64
		if _, err := fmt.Sscanf(line, name+": %d kB", &kilobytes); err == nil {
			return kilobytes << 10
		}
	}
	p.t.Fatalf("no %s in the status of the process", name)
	return 0
}
