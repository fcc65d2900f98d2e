package release

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Manager is who installs, replaces and removes a program in place of its user.
type Manager struct {
	Name    string // for people: "Debian's package manager"
	Upgrade string // what to do for a newer version
	Verify  string // what to do to see whether the program is the one that was installed; "" where the program can tell by itself
}

// managers are those that packages are made for, by the name that the build has for them.
var managers = map[string]Manager{
	"deb":      {"the package manager (dpkg)", "sudo apt-get install ./sitegrade_VERSION_" + Platform() + ".deb", "dpkg --verify sitegrade"},
	"rpm":      {"the package manager (rpm)", "sudo rpm --upgrade sitegrade_VERSION_" + Platform() + ".rpm", "rpm --verify sitegrade"},
	"apk":      {"the package manager (apk)", "sudo apk add --allow-untrusted ./sitegrade_VERSION_" + Platform() + ".apk", "apk audit /usr/bin"},
	"homebrew": {"Homebrew", "brew upgrade sitegrade", "brew reinstall sitegrade"},
	"image":    {"the image of a container", "start a container of the newer image on the same volume", "compare the SHA-256 of the image's file with SHA256SUMS"},
}

// firstProcess leads to the program of the first process, on Linux.
var firstProcess = "/proc/1/exe"

// Owner returns who replaces the program at this path, all links resolved; owned is false where that is its user. A program out of an archive
// is Homebrew's below a folder "Cellar", and goes with its container where the first process of the machine is the same program.
func Owner(program string) (owner Manager, owned bool) {
	if owner, owned = managers[packaged]; owned {
		return owner, true
	}
	if slices.Contains(strings.Split(filepath.ToSlash(program), "/"), "Cellar") {
		return managers["homebrew"].verifiable(), true
	}
	if first, err := os.Readlink(firstProcess); err == nil && first == program {
		return managers["image"].verifiable(), true
	}
	return Manager{}, false
}

// verifiable returns the manager of a program whose bytes are those of an archive.
func (m Manager) verifiable() Manager {
	m.Verify = ""
	return m
}
