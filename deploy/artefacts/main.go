// Command artefacts makes a release of the last commit of a checkout: archives, packages, images, what is linked into them, their sums and the
// signature of these. Two machines with the same commit, the same Go and the same key make the same bytes.
//
// deploy/release builds and runs it.
package main

import (
	"crypto/ed25519"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// release is what is being made.
type release struct {
	version string // "0.1.0"
	source  source
	targets []target
	public  ed25519.PublicKey  // what the programs verify later releases with; nil if they verify none
	key     ed25519.PrivateKey // nil for a release without signature
	url     string             // where the release will lie, for the formula
	work    string             // a directory for what is in between
	out     string             // where the artefacts go
	shared  *shared            // what all artefacts have beside the program
}

// wanted is what the command line says.
type wanted struct{ checkout, version, targets, key, out, url string }

func main() {
	var w wanted
	flag.StringVar(&w.checkout, "checkout", ".", "the `directory` whose last commit is released")
	flag.StringVar(&w.version, "version", "", "the `version`, such as 0.1.0 (default the newest one of CHANGELOG.md, which a tag of the commit must agree with)")
	flag.StringVar(&w.targets, "targets", "", "`systems` with commas between them, such as linux/amd64,windows/arm64 (default all)")
	flag.StringVar(&w.key, "key", "", "`file` with the ed25519 key that signs, as \"openssl genpkey -algorithm ed25519\" writes it, or with its public half (sitegrade.pem of a release), to make the same without a signature; without one nothing is signed, and the programs trust no release")
	flag.StringVar(&w.out, "out", "", "`directory` that is made with the artefacts (default dist/VERSION of the checkout)")
	flag.StringVar(&w.url, "url", "https://github.com/OWNER/sitegrade/releases/download/vVERSION", "`URL` of the directory that the release will be published in, for the formula of Homebrew")
	flag.Parse()
	if flag.NArg() > 0 {
		flag.Usage()
		os.Exit(2)
	}
	if err := w.make(); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

// make makes the release in a directory of its own, which takes its place once everything is there.
func (w *wanted) make() (err error) {
	r, err := w.prepare()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(r.work)) }()
	final := r.out
	r.out = filepath.Join(r.work, "out")
	if err := os.Mkdir(r.out, 0o755); err != nil {
		return err
	}
	for _, step := range []func() error{r.unpack, r.share, r.makeAll, r.writeFormula, r.sum} {
		if err := step(); err != nil {
			return err
		}
	}
	if err := publish(r.out, final); err != nil {
		return err
	}
	tell("%s", final)
	return nil
}

// prepare finds what can be wrong before anything is made.
func (w *wanted) prepare() (*release, error) {
	s, err := openCheckout(w.checkout)
	if err != nil {
		return nil, err
	}
	r := &release{source: s, url: w.url}
	if r.version, err = s.version(w.version); err != nil {
		return nil, err
	}
	r.url = strings.ReplaceAll(r.url, "VERSION", r.version)
	if r.targets, err = parseTargets(w.targets); err != nil {
		return nil, err
	}
	if w.key == "" {
		tell("without -key nothing is signed, and the programs can verify no release")
	} else if r.public, r.key, err = readKey(w.key); err != nil {
		return nil, err
	}
	if r.out = w.out; r.out == "" {
		r.out = filepath.Join(s.checkout, "dist", r.version)
	}
	if entries, err := os.ReadDir(r.out); err == nil && len(entries) > 0 {
		return nil, fmt.Errorf("%s is not empty", r.out)
	} else if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Dir(r.out), 0o755); err != nil {
		return nil, err
	}
	// Beside its place, so that it can be renamed there.
	r.work, err = os.MkdirTemp(filepath.Dir(r.out), ".release-*")
	return r, err
}

// makeAll makes the artefacts of each target.
func (r *release) makeAll() error {
	for _, t := range r.targets {
		began := time.Now()
		if err := r.makeTarget(t); err != nil {
			return fmt.Errorf("%s: %w", t, err)
		}
		tell("%s: %s", t, time.Since(began).Round(time.Second))
	}
	return nil
}

func (r *release) makeTarget(t target) error {
	program, err := r.build(t, "")
	if err != nil {
		return err
	}
	if err := r.writeArchive(t, program); err != nil {
		return err
	}
	if err := r.writeComponents(t, program); err != nil {
		return err
	}
	if t.system != "linux" {
		return nil
	}
	for _, format := range packageFormats {
		if err := r.writePackage(t, format); err != nil {
			return fmt.Errorf("%s: %w", format.name, err)
		}
	}
	return r.writeImage(t)
}

// publish puts the artefacts into their place, readable for everybody.
func publish(from, to string) error {
	if err := os.Remove(to); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	if err := os.Chmod(from, 0o755); err != nil {
		return err
	}
	return os.Rename(from, to)
}

// name returns the name of an artefact: "sitegrade_0.1.0_" and what it ends with.
func (r *release) name(ending string) string { return "sitegrade_" + r.version + "_" + ending }

// write writes an artefact.
func (r *release) write(name string, content []byte) error {
	path := filepath.Join(r.out, name)
	if err := os.WriteFile(path, content, 0o644); err != nil {
		return err
	}
	return os.Chmod(path, 0o644) // whatever the mask of the user says
}

// tell says how far it is.
func tell(format string, args ...any) {
	fmt.Fprintf(os.Stderr, "release: "+format+"\n", args...)
}

// fixedGo is the Go that releases are built with. Another one makes programs that are as good, with other bytes.
const fixedGo = "go1.26.8"

// warnOfGo says where the release will differ from those that others make.
func warnOfGo() {
	if v := runtime.Version(); v != fixedGo {
		tell("this is %s: the hashes are those of releases made with %s only if that is used", v, fixedGo)
	}
}
