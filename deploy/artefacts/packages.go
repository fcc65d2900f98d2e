package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/goreleaser/nfpm/v2"
	_ "github.com/goreleaser/nfpm/v2/apk" // makes itself known to nfpm
	_ "github.com/goreleaser/nfpm/v2/deb" // likewise
	"github.com/goreleaser/nfpm/v2/files"
	_ "github.com/goreleaser/nfpm/v2/rpm" // likewise
)

// packageFormat is a kind of package, and what differs between the systems that use it.
type packageFormat struct {
	name       string
	depends    []string
	release    string // of the package itself, where the format wants one beside the version
	userBefore bool   // the user is made before files are unpacked that are its own; else after
	zsh        string // where completions of zsh are
	// How scripts see what happens: lines that set change to install, upgrade or remove, for those after installing and those around removing.
	installs, removes string
}

var packageFormats = []packageFormat{
	{
		name: "deb", depends: []string{"adduser"}, zsh: "/usr/share/zsh/vendor-completions",
		installs: "[ \"$1\" = configure ] || exit 0\nchange=install\n[ -z \"$2\" ] || change=upgrade\n",
		removes:  "change=upgrade\n[ \"$1\" != remove ] || change=remove\n",
	},
	{
		name: "rpm", release: "1", depends: []string{"/usr/sbin/useradd"}, userBefore: true, zsh: "/usr/share/zsh/site-functions",
		installs: "change=install\n[ \"$1\" -le 1 ] || change=upgrade\n",
		removes:  "change=upgrade\n[ \"$1\" -ne 0 ] || change=remove\n",
	},
	{
		name: "apk", userBefore: true, zsh: "/usr/share/zsh/site-functions",
		installs: "change=install\n",
		removes:  "change=remove\n",
	},
}

// packageArch returns what nfpm calls the processor of a target, from which it makes the name that a format has for it.
func packageArch(t target) string {
	if t.arch == "armv7" {
		return "arm7"
	}
	return t.arch
}

const packageMaintainer = "The maintainers of Sitegrade <maintainers@sitegrade.invalid>"

const packageDescription = `Self-hosted analysis of web pages and sites
Sitegrade fetches a page or a whole site, runs its checks, rates it good,
decent or bad, and keeps the report. It serves an HTTP API, a dashboard and
the tools of agents from one file of a database.`

// writePackage writes the package of a format for a target.
func (r *release) writePackage(t target, f packageFormat) error {
	program, err := r.build(t, f.name)
	if err != nil {
		return err
	}
	license, description := "MIT", packageDescription
	switch f.name {
	case "deb":
		license = "" // has no such field, but a file
	case "apk":
		description, _, _ = strings.Cut(packageDescription, "\n") // has a line for it
	}
	s := &staging{dir: filepath.Join(r.work, "packages", t.platform()+"."+f.name), r: r}
	contents, err := s.contents(f, program)
	if err != nil {
		return err
	}
	scripts, upgraded, err := s.scripts(f)
	if err != nil {
		return err
	}
	info := nfpm.WithDefaults(&nfpm.Info{
		Name: "sitegrade", Arch: packageArch(t), Platform: "linux", Version: r.version, Release: f.release, VersionSchema: "semver",
		Section: "web", Priority: "optional", Maintainer: packageMaintainer, Vendor: "Sitegrade",
		Description: description, License: license, MTime: r.source.time, DisableGlobbing: true,
		Overridables: nfpm.Overridables{
			Depends: f.depends, Contents: contents, Scripts: scripts, Umask: 0o022,
			RPM: nfpm.RPM{BuildHost: "localhost", Group: "Applications/Internet", Summary: strings.SplitN(packageDescription, "\n", 2)[0]},
			APK: nfpm.APK{Scripts: nfpm.APKScripts{PostUpgrade: upgraded}},
		},
	})
	if err := nfpm.PrepareForPackager(info, f.name); err != nil {
		return err
	}
	packager, err := nfpm.Get(f.name)
	if err != nil {
		return err
	}
	var content bytes.Buffer
	if err := packager.Package(info, &content); err != nil {
		return err
	}
	return r.write(r.name(t.platform()+"."+f.name), content.Bytes())
}

// staging is the directory in which the files of a package wait, since nfpm reads them from there. All have the time of the commit, which nfpm
// takes for the scripts of an apk.
type staging struct {
	dir    string
	r      *release
	number int
	err    error
}

// put writes a file and returns its path. What fails is kept for the end.
func (s *staging) put(content []byte, err error) string {
	if s.number++; err == nil && s.err == nil {
		path := filepath.Join(s.dir, fmt.Sprint(s.number))
		s.err = writeAt(path, content, 0o644, s.r.source.time)
		return path
	}
	s.err = errors.Join(s.err, err)
	return ""
}

// contents returns the files of a package.
func (s *staging) contents(f packageFormat, program string) (files.Contents, error) {
	all := files.Contents{s.from(program, "/usr/bin/sitegrade", 0o755)}
	add := func(destination string, content []byte, err error) *files.Content {
		all = append(all, s.from(s.put(content, err), destination, 0o644))
		return all[len(all)-1]
	}
	s.addDocuments(f, add)
	add("/usr/share/bash-completion/completions/sitegrade", s.r.shared.completions["bash"], nil)
	add("/usr/share/fish/vendor_completions.d/sitegrade.fish", s.r.shared.completions["fish"], nil)
	add(f.zsh+"/_sitegrade", s.r.shared.completions["zsh"], nil)
	if f.name == "apk" {
		script, err := s.r.document("deploy/packages/sitegrade.openrc")
		add("/etc/init.d/sitegrade", script, err).FileInfo.Mode = 0o755
	} else {
		unit, err := s.r.unit()
		add("/usr/lib/systemd/system/sitegrade.service", unit, err)
	}
	if f.name == "deb" {
		overrides, err := s.r.document("deploy/packages/lintian-overrides")
		add("/usr/share/lintian/overrides/sitegrade", overrides, err)
	}
	configuration, err := s.r.configuration()
	file := add("/etc/sitegrade/sitegrade.toml", configuration, err)
	file.Type = files.TypeConfigNoReplace
	file.FileInfo.Mode = 0o640 // it may get the password of a mail server
	if f.userBefore {
		file.FileInfo.Group = "sitegrade"
	}
	return all, s.err
}

// addDocuments adds what people read. An rpm marks it, since it can be installed without.
func (s *staging) addDocuments(f packageFormat, add func(destination string, content []byte, err error) *files.Content) {
	document := func(destination string, content []byte, err error) {
		if file := add(destination, content, err); f.name == "rpm" {
			file.Type = files.TypeRPMDoc
		}
	}
	const documents = "/usr/share/doc/sitegrade/"
	for _, name := range s.r.shared.documents {
		if name == "LICENSE" {
			continue // is in the file with those of all modules
		}
		content, err := s.r.document(name)
		document(documents+name, content, err)
	}
	document(documents+"copyright", s.r.shared.licenses, nil)
	manual, err := zipped(s.r.shared.manual)
	document("/usr/share/man/man1/sitegrade.1.gz", manual, err)
	if f.name == "deb" {
		changes, err := zipped(fmt.Appendf(nil, "sitegrade (%s) unstable; urgency=medium\n\n  * CHANGELOG.md tells what has changed.\n\n -- %s  %s\n",
			strings.Replace(s.r.version, "-", "~", 1), packageMaintainer, s.r.source.time.Format(time.RFC1123Z)))
		document(documents+"changelog.gz", changes, err)
	}
}

func (s *staging) from(path, destination string, mode os.FileMode) *files.Content {
	return &files.Content{Source: path, Destination: destination,
		FileInfo: &files.ContentFileInfo{Owner: "root", Group: "root", Mode: mode, MTime: s.r.source.time}}
}

// scripts returns what runs around installing and removing, and what runs after an upgrade where a format has a script of its own for that.
func (s *staging) scripts(f packageFormat) (scripts nfpm.Scripts, upgraded string, err error) {
	after := []string{"installed"}
	if f.userBefore {
		scripts.PreInstall = s.script("", "user")
	} else {
		after = []string{"user", "installed"}
	}
	scripts.PostInstall = s.script(f.installs, after...)
	scripts.PreRemove = s.script(f.removes, "removing")
	scripts.PostRemove = s.script(f.removes, "removed")
	return scripts, s.script("change=upgrade\n", "installed"), s.err
}

// script writes a script of these pieces in deploy/packages, which find what happens in the variable change.
func (s *staging) script(change string, pieces ...string) string {
	text := []byte("#!/bin/sh\nset -e\n" + change)
	for _, piece := range pieces {
		content, err := s.r.document("deploy/packages/" + piece)
		s.err = errors.Join(s.err, err)
		text = append(text, content...)
	}
	return s.put(text, nil)
}

// unit returns the unit of systemd as packages have it. It is that of deploy, so that its hardening is written once, with the paths of a
// package, and with a user that stays, so that its administrator can open the data too.
func (r *release) unit() ([]byte, error) {
	unit, err := r.document("deploy/sitegrade.service")
	if err != nil {
		return nil, err
	}
	_, body, _ := strings.Cut(string(unit), "[Unit]\n") // without the words about installing it by hand
	return replaceEach("deploy/sitegrade.service", "[Unit]\n"+body,
		"Documentation=file:///usr/local/share/doc/sitegrade/README.md", "Documentation=man:sitegrade(1)",
		"ExecStart=/usr/local/bin/sitegrade serve\n", "ExecStart=/usr/bin/sitegrade serve -config /etc/sitegrade/sitegrade.toml\n",
		"Environment=SITEGRADE_DATA=/var/lib/sitegrade\n", "",
		"EnvironmentFile=-/etc/sitegrade.env\n", "EnvironmentFile=-/etc/sitegrade/environment\n",
		"DynamicUser=yes\n", "User=sitegrade\nGroup=sitegrade\n")
}

// configuration returns the file that a package installs: the example, with the place of its data.
func (r *release) configuration() ([]byte, error) {
	example, err := r.document("config.example.toml")
	if err != nil {
		return nil, err
	}
	return replaceEach("config.example.toml", string(example),
		"sitegrade serve -config sitegrade.toml", "systemctl restart sitegrade",
		"#data = \"./data\"", "data = \"/var/lib/sitegrade\"")
}

// replaceEach replaces texts, given in pairs, that must stand in a file exactly once each.
func replaceEach(file, text string, pairs ...string) ([]byte, error) {
	for i := 0; i < len(pairs); i += 2 {
		if n := strings.Count(text, pairs[i]); n != 1 {
			return nil, fmt.Errorf("%s has %q %d times, not once: say in deploy/artefacts what a package has in its place", file, pairs[i], n)
		}
		text = strings.Replace(text, pairs[i], pairs[i+1], 1)
	}
	return []byte(text), nil
}
