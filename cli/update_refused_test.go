package cli

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"sitegrade/release"
)

// script writes a program that is a shell script, in which $NEW is the real program of the newer version and $RAN a file that the test finds if
// it was ever run.
func script(t *testing.T, ran, body string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "script")
	text := "#!/bin/sh\nNEW=" + shellWord(programOf(t, newer)) + "\ntouch " + shellWord(ran) + "\n" + body + "\nexec \"$NEW\" \"$@\"\n"
	if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestUpdatesThatAreRefused holds that a release which is not what it should be changes nothing: the program, the data and the folders are what
// they were, and what was not signed was neither run nor unpacked.
func TestUpdatesThatAreRefused(t *testing.T) {
	needsUnix(t)
	name := release.ArchiveName(newer, release.Platform())
	alter := func(dir, name string, content []byte) {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	tests := []struct {
		what  string
		body  string // of the script that is the program
		alter func(dir string)
		flags []string
		want  string
		runs  bool // the program of the release, after its signature has held
	}{
		{what: "wrong signature", alter: func(dir string) { alter(dir, "SHA256SUMS.sig", make([]byte, 64)) }, want: "the signature of SHA256SUMS is not"},
		{what: "altered sums", alter: func(dir string) { alter(dir, "SHA256SUMS", []byte("altered")) }, want: "the signature of SHA256SUMS is not"},
		{what: "no signature", alter: func(dir string) { os.Remove(filepath.Join(dir, "SHA256SUMS.sig")) }, want: "SHA256SUMS.sig"},
		{what: "wrong sum", alter: func(dir string) { alter(dir, name, pack(t, script(t, filepath.Join(dir, "forged"), ""))) }, want: "another sum"},
		{what: "cut archive", alter: func(dir string) { os.Truncate(filepath.Join(dir, name), 100) }, want: "another sum"},
		{what: "no release", alter: func(dir string) { os.RemoveAll(dir) }, want: "no such file"},
		{what: "plain HTTP", flags: []string{"-from", "http://127.0.0.1:1/"}, want: "neither a folder nor a URL with"},
		{what: "no data", flags: []string{"-data", filepath.Join(t.TempDir(), "nowhere")}, want: "there is no database"},
		{what: "PostgreSQL", flags: []string{"-database", "postgres://u@127.0.0.1:1/x"}, want: "update each server with -no-backup"},
		{what: "another version", body: `[ "$1" = version ] && { echo sitegrade 9.9.9; exit; }`, want: `says that it is "sitegrade 9.9.9"`, runs: true},
		{what: "no program", body: `exit 126`, want: "exit status 126", runs: true},
		{what: "fails to check", body: `[ "$1" = check ] && { echo lost everything; exit 1; }`, want: "lost everything", runs: true},
		{what: "fails to serve", body: `[ "$1" = serve ] && { echo "$@" >&2; kill -9 $$; }`, want: "is not installed: sitegrade serve -try", runs: true},
	}
	p := installed(t)
	exported := p.export()
	before := readAll(t, p.path)
	for _, test := range tests {
		ran := filepath.Join(t.TempDir(), "ran")
		dir := publish(t, newer, script(t, ran, test.body))
		if test.alter != nil {
			test.alter(dir)
		}
		folder, err := os.Stat(filepath.Dir(p.path))
		if err != nil {
			t.Fatal(err)
		}
		output, err := p.run(append([]string{"update", "-from", dir, "-data", p.data}, test.flags...)...)
		if err == nil || !strings.Contains(output, test.want) {
			t.Errorf("%s: %v: %s; want %s", test.what, err, output, test.want)
		}
		if !bytes.Equal(readAll(t, p.path), before) || !bytes.Equal(p.export(), exported) {
			t.Errorf("%s: program or data have changed", test.what)
		}
		if left := p.rooms(); len(left) > 0 {
			t.Errorf("%s: left behind: %v", test.what, left)
		}
		for _, trace := range []string{ran, filepath.Join(dir, "forged")} {
			if _, err := os.Stat(trace); (err == nil) != (test.runs && trace == ran) {
				t.Errorf("%s: %s: %v", test.what, trace, err)
			}
		}
		after, err := os.Stat(filepath.Dir(p.path))
		if untouched := after.ModTime().Equal(folder.ModTime()); err != nil || strings.Contains(test.want, "signature") && !untouched {
			t.Errorf("%s: something was written beside the program, %v", test.what, err)
		}
	}
	p.check()
}

// export returns all that the database has.
func (p *program) export() []byte {
	p.t.Helper()
	output, err := exec.Command(p.path, "export", "-data", p.data).Output()
	if err != nil {
		p.t.Fatal(err)
	}
	return output
}

// TestUpdateBringsBack holds that a version which works with a copy of the data, but does not start on the data itself, leaves nothing behind but
// what it made of the data: program and data are what they were.
func TestUpdateBringsBack(t *testing.T) {
	needsUnix(t)
	tests := []struct{ what, spoils string }{
		{"takes the data to a newer schema and fails", `"$NEW" check -data "$4"; exit 1`},
		{"destroys the data", `echo broken >"$4/sitegrade.db"; exit 1`},
		{"does nothing", `exit 1`},
	}
	for _, test := range tests {
		p := installed(t)
		exported := p.export()
		body := `[ "$1 $2" = "serve -try" ] && [ "$4" = ` + shellWord(p.data) + ` ] && { ` + test.spoils + `; }`
		output, err := p.run("update", "-from", publish(t, newer, script(t, filepath.Join(t.TempDir(), "ran"), body)), "-data", p.data)
		if err == nil || !strings.Contains(output, "Program and data are what they were: sitegrade "+older) {
			t.Errorf("%s: %v: %s", test.what, err, output)
		}
		if got := p.version(); got != older {
			t.Errorf("%s: the program is %s", test.what, got)
		}
		if !bytes.Equal(p.export(), exported) {
			t.Errorf("%s: the data is another", test.what)
		}
		p.check()
		_, err = os.Stat(filepath.Join(p.data, databaseName+".failed-"+newer))
		if spoiled := err == nil; spoiled == (test.what == "does nothing") {
			t.Errorf("%s: what was made of the data: %v", test.what, err)
		}
	}
}

// TestUpdateIsOff holds that nothing is replaced that this program could not verify, or that somebody else owns.
func TestUpdateIsOff(t *testing.T) {
	needsUnix(t)
	dir := publish(t, newer, script(t, filepath.Join(t.TempDir(), "ran"), ""))
	p := installed(t)
	cellar := filepath.Join(t.TempDir(), "Cellar", "sitegrade")
	if err := os.MkdirAll(filepath.Dir(cellar), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := linkOrCopy(cellar, p.path); err != nil {
		t.Fatal(err)
	}
	if output, err := exec.Command(cellar, "update", "-from", dir, "-data", p.data).CombinedOutput(); err == nil || !strings.Contains(string(output), "To upgrade: brew upgrade sitegrade") {
		t.Errorf("Homebrew's: %v: %s", err, output)
	}
	if output, err := p.run("update", "-data", p.data); err == nil || !strings.Contains(output, "update_url") {
		t.Errorf("no release: %v: %s", err, output)
	}
}
