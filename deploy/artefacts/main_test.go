package main

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestNewestVersion(t *testing.T) {
	for changes, want := range map[string]string{
		"# Changelog\n\n## [Unreleased]\n\n## [0.2.0] - 2027-01-31\n\n## [0.1.0] - 2026-12-01\n": "0.2.0",
		"# Changelog\n\n## [Unreleased]\n": "",
		"## [1.0.0-rc.1]\n":                "1.0.0-rc.1",
	} {
		if got := newestVersion(changes); got != want {
			t.Errorf("newestVersion(%q) = %q, want %q", changes, got, want)
		}
	}
	for version, want := range map[string]bool{"0.1.0": true, "1.0.0-rc.1": true, "v0.1.0": false, "0.1": false, "0.1.0/..": false, "01.0.0": false} {
		if got := versionForm.MatchString(version); got != want {
			t.Errorf("%q is a version: %v, want %v", version, got, want)
		}
	}
}

func TestParseTargets(t *testing.T) {
	all, err := parseTargets("")
	if err != nil || len(all) != len(everyTarget) {
		t.Errorf("no targets: %v, %v", all, err)
	}
	two, err := parseTargets("windows/arm64, linux/armv7")
	if err != nil || len(two) != 2 || two[0].platform() != "linux_armv7" || two[1].program() != "sitegrade.exe" {
		t.Errorf("two targets: %v, %v", two, err)
	}
	if _, err := parseTargets("linux/amd64,plan9/amd64"); err == nil || !strings.Contains(err.Error(), "plan9/amd64") {
		t.Errorf("a target that there is not: %v", err)
	}
}

// ofThisTree returns a release of the files as they are here.
func ofThisTree(t *testing.T) *release {
	return &release{version: "0.1.0", out: t.TempDir(), source: source{tree: "../..", time: time.Unix(1795302488, 0)}}
}

// linesOnlyIn returns the lines of a text that another one lacks.
func linesOnlyIn(text, other []byte) []string {
	var only []string
	has := strings.Split(string(other), "\n")
	for line := range strings.SplitSeq(string(text), "\n") {
		if !slices.Contains(has, line) {
			only = append(only, line)
		}
	}
	return only
}

// TestPackagesDifferInPathsAlone holds that unit and configuration of a package are those that stand beside them, but for their places and the user.
func TestPackagesDifferInPathsAlone(t *testing.T) {
	r := ofThisTree(t)
	unit, err := r.unit()
	if err != nil {
		t.Fatal(err)
	}
	original, err := r.document("deploy/sitegrade.service")
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"Documentation=man:sitegrade(1)", "ExecStart=/usr/bin/sitegrade serve -config /etc/sitegrade/sitegrade.toml",
		"EnvironmentFile=-/etc/sitegrade/environment", "User=sitegrade", "Group=sitegrade"}
	if got := linesOnlyIn(unit, original); !slices.Equal(got, want) {
		t.Errorf("the unit has the lines %q of its own, want %q", got, want)
	}
	for _, gone := range linesOnlyIn(original, unit) {
		if !strings.HasPrefix(gone, "#") && !slices.ContainsFunc([]string{"Documentation", "ExecStart", "Environment", "DynamicUser"}, func(name string) bool { return strings.HasPrefix(gone, name) }) {
			t.Errorf("the unit of packages lacks %q", gone)
		}
	}
	configuration, err := r.configuration()
	if err != nil {
		t.Fatal(err)
	}
	example, err := r.document("config.example.toml")
	if err != nil {
		t.Fatal(err)
	}
	if got := linesOnlyIn(configuration, example); !slices.Equal(got, []string{"#   systemctl restart sitegrade", `data = "/var/lib/sitegrade"`}) {
		t.Errorf("the configuration has the lines %q of its own", got)
	}
}

func TestReplaceEachWantsEachOnce(t *testing.T) {
	for _, text := range []string{"b", "a a"} {
		if _, err := replaceEach("the file", text, "a", "c"); err == nil {
			t.Errorf("%q was taken", text)
		}
	}
}

// TestSums reads sums and signatures as those do who verify them: openssl the one, minisign the other.
func TestSums(t *testing.T) {
	r := ofThisTree(t)
	r.key = ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize))
	r.public = r.key.Public().(ed25519.PublicKey)
	public := r.public
	if err := r.write("b", []byte("b\n")); err != nil {
		t.Fatal(err)
	}
	if err := r.write("a", nil); err != nil {
		t.Fatal(err)
	}
	if err := r.sum(); err != nil {
		t.Fatal(err)
	}
	read := func(name string) []byte {
		content, err := os.ReadFile(filepath.Join(r.out, name))
		if err != nil {
			t.Fatal(err)
		}
		return content
	}
	sums := read("SHA256SUMS")
	const first = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  a\n0263829989b6fd954f72baaf2fc64bc2e2f01d692d4de72986ea808f6e99813f  b\n"
	if !bytes.HasPrefix(sums, []byte(first)) || bytes.Count(sums, []byte("\n")) != 4 {
		t.Errorf("SHA256SUMS is\n%s", sums)
	}
	if !ed25519.Verify(public, sums, read("SHA256SUMS.sig")) {
		t.Error("SHA256SUMS.sig is no signature of SHA256SUMS")
	}
	decode := func(text string) []byte {
		b, err := base64.StdEncoding.DecodeString(text)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	key := decode(strings.Split(string(read("sitegrade.pub")), "\n")[1])
	lines := strings.Split(string(read("SHA256SUMS.minisig")), "\n")
	signature := decode(lines[1])
	if string(key[:2]) != "Ed" || !bytes.Equal(key[10:], public) || !bytes.Equal(key[:10], signature[:10]) || !ed25519.Verify(public, sums, signature[10:]) {
		t.Error("SHA256SUMS.minisig is no signature by sitegrade.pub")
	}
	comment := strings.TrimPrefix(lines[2], "trusted comment: ")
	if !ed25519.Verify(public, append(signature[10:], comment...), decode(lines[3])) {
		t.Errorf("the comment %q is not signed", comment)
	}
}

// TestReadKey reads the keys that "openssl genpkey -algorithm ed25519" and "openssl pkey -pubout" have written, and one of another kind.
func TestReadKey(t *testing.T) {
	for name, c := range map[string]struct {
		text          string
		signs, public bool
	}{
		"private": {"-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIJ1hsZ3v/VpguoRK9JLsLMREScVpezJpGXA7rAMcrn9g\n-----END PRIVATE KEY-----\n", true, true},
		"public":  {"-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=\n-----END PUBLIC KEY-----\n", false, true},
		"X25519":  {"-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VuAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=\n-----END PUBLIC KEY-----\n", false, false},
		"nothing": {"", false, false},
	} {
		path := filepath.Join(t.TempDir(), "key.pem")
		if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		public, private, err := readKey(path)
		if (private != nil) != c.signs || (public != nil) != c.public || (err == nil) != c.public {
			t.Errorf("%s: %x, %d bytes, %v", name, public, len(private), err)
		}
		if c.signs && !private.Public().(ed25519.PublicKey).Equal(public) {
			t.Errorf("%s: the halves do not belong together", name)
		}
	}
}

func TestLicensesAreWhole(t *testing.T) {
	var text bytes.Buffer
	if err := addLicenses(&text, "Sitegrade", "../.."); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(text.String(), "Sitegrade (LICENSE)") || !strings.Contains(text.String(), "Permission is hereby granted") {
		t.Errorf("the terms are\n%s", text.String())
	}
	if err := addLicenses(&text, "nothing", t.TempDir()); err == nil {
		t.Error("a directory without terms was taken")
	}
}

// TestUnpackTreeHasModesOfItsOwn holds that neither the mask of the user nor the time of the day goes into what a release is made of.
func TestUnpackTreeHasModesOfItsOwn(t *testing.T) {
	at := time.Unix(1795302488, 0)
	archive, err := tarOf([]entry{{name: "run", mode: 0o755}, {name: "page", mode: 0o600}}, at.Add(time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := unpackTree(bytes.NewReader(archive), dir, at); err != nil {
		t.Fatal(err)
	}
	for name, mode := range map[string]os.FileMode{"run": 0o755, "page": 0o644} {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if info.Mode() != mode || !info.ModTime().Equal(at) {
			t.Errorf("%s has the mode %v and the time %v", name, info.Mode(), info.ModTime())
		}
	}
}
