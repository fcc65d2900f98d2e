package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// target is a system and a processor that a release is made for.
type target struct {
	system string // as Go calls it: "linux"
	arch   string // as the names of artefacts have it: "amd64", "armv7"
	goarch string // as Go calls it
}

func (t target) String() string { return t.system + "/" + t.arch }

// platform returns what the names of artefacts call it: "linux_amd64".
func (t target) platform() string { return t.system + "_" + t.arch }

// program returns what the program is called there.
func (t target) program() string {
	if t.system == "windows" {
		return "sitegrade.exe"
	}
	return "sitegrade"
}

// everyTarget is what a release is made for.
var everyTarget = []target{
	{"linux", "amd64", "amd64"}, {"linux", "arm64", "arm64"}, {"linux", "armv7", "arm"}, {"linux", "riscv64", "riscv64"},
	{"darwin", "amd64", "amd64"}, {"darwin", "arm64", "arm64"},
	{"windows", "amd64", "amd64"}, {"windows", "arm64", "arm64"},
	{"freebsd", "amd64", "amd64"}, {"freebsd", "arm64", "arm64"},
}

// parseTargets returns the targets that a list names, in the order of everyTarget; all of them for an empty list.
func parseTargets(list string) ([]target, error) {
	if list == "" {
		return everyTarget, nil
	}
	named := map[string]bool{}
	for name := range strings.SplitSeq(list, ",") {
		named[strings.TrimSpace(name)] = true
	}
	var chosen []target
	var known []string
	for _, t := range everyTarget {
		known = append(known, t.String())
		if named[t.String()] {
			chosen = append(chosen, t)
			delete(named, t.String())
		}
	}
	for name := range named {
		return nil, fmt.Errorf("there is no target %q, but %s", name, strings.Join(known, ", "))
	}
	return chosen, nil
}

// build builds the program for a target and returns its path. owner says who replaces it: "deb", "image" and so on; "" for its user.
func (r *release) build(t target, owner string) (string, error) {
	path := filepath.Join(r.work, "programs", t.platform()+"_"+owner, t.program())
	return path, r.goBuild(path, owner, "GOOS="+t.system, "GOARCH="+t.goarch)
}

func (r *release) goBuild(path, owner string, environment ...string) error {
	linked := []string{"-s", "-w", "-buildid=", "-X sitegrade/cli.releaseVersion=" + r.version, "-X sitegrade/release.packaged=" + owner}
	if r.public != nil {
		linked = append(linked, "-X sitegrade/release.publicKey="+base64.StdEncoding.EncodeToString(r.public))
	}
	c, err := r.goCommand(environment, "build", "-trimpath", "-buildvcs=false", "-mod=readonly", "-ldflags", strings.Join(linked, " "), "-o", path, ".")
	if err != nil {
		return err
	}
	if output, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("go build: %w\n%s", err, output)
	}
	return os.Chmod(path, 0o755)
}

// goSettings are what Go may take from the machine: where modules come from and what it has built already. Neither changes the result.
var goSettings = []string{"GOPROXY", "GOSUMDB", "GONOSUMDB", "GOPRIVATE", "GONOPROXY", "GOMODCACHE", "GOCACHE", "GOPATH", "GOTOOLCHAIN"}

// goCommand returns a command of Go on the source, with an environment in which nothing of this machine changes what is built.
func (r *release) goCommand(environment []string, args ...string) (*exec.Cmd, error) {
	output, err := exec.Command("go", append([]string{"env", "-json"}, goSettings...)...).Output()
	if err != nil {
		return nil, fmt.Errorf("go env: %w", err)
	}
	settings := map[string]string{}
	if err := json.Unmarshal(output, &settings); err != nil {
		return nil, err
	}
	c := exec.Command("go", args...)
	c.Dir = r.source.tree
	c.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + os.Getenv("HOME"), "TMPDIR=" + r.work, "LC_ALL=C", "TZ=UTC", "CGO_ENABLED=0", "GOENV=off",
		"GOWORK=off", "GOFLAGS=", "GOEXPERIMENT=", "GODEBUG=", "GOAMD64=v1", "GOARM64=v8.0", "GOARM=7", "GORISCV64=rva20u64", "GOFIPS140=off"}
	for _, name := range goSettings {
		c.Env = append(c.Env, name+"="+settings[name])
	}
	c.Env = append(c.Env, environment...)
	return c, nil
}

// run returns what the program of this machine prints for these arguments.
func (r *release) run(args ...string) ([]byte, error) {
	path := filepath.Join(r.work, "here", "sitegrade")
	if _, err := os.Stat(path); err != nil {
		if err := r.goBuild(path, "", "GOOS="+runtime.GOOS, "GOARCH="+runtime.GOARCH); err != nil {
			return nil, err
		}
	}
	var complaint bytes.Buffer
	c := exec.Command(path, args...)
	c.Env = []string{"NO_COLOR=1"}
	c.Stderr = &complaint
	output, err := c.Output()
	if err != nil {
		return nil, fmt.Errorf("sitegrade %s: %w\n%s", strings.Join(args, " "), err, complaint.String())
	}
	return output, nil
}
