package release

import (
	"crypto/ed25519"
	"encoding/hex"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/mod/semver"
)

// The files that speak of the others.
const (
	sumsName      = "SHA256SUMS"
	signatureName = "SHA256SUMS.sig"
)

// ErrForged says that the sums of a release are not those that its makers signed.
var ErrForged = errors.New("the signature of " + sumsName + " is not that of the makers of this program: the release was altered, or is somebody else's")

// Archive is the file of a release that has the program for one platform. Only signed sums give one.
type Archive struct {
	name    string
	version string
	sum     [32]byte
}

// Name returns the name of the file: "sitegrade_1.2.3_linux_amd64.tar.gz".
func (a Archive) Name() string { return a.name }

// Version returns the version of the program in it: "1.2.3".
func (a Archive) Version() string { return a.version }

// Sums are the files of a release and their SHA-256, as its makers signed them.
type Sums struct {
	files map[string][32]byte
}

// parseSums returns the sums of a text that this key signed. Without that signature it reads nothing of the text.
func parseSums(text, signature []byte, key ed25519.PublicKey) (*Sums, error) {
	if len(signature) != ed25519.SignatureSize || !ed25519.Verify(key, text, signature) {
		return nil, ErrForged
	}
	s := &Sums{files: map[string][32]byte{}}
	for line := range strings.Lines(string(text)) {
		digits, name, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "  ")
		sum, err := hex.DecodeString(digits)
		if err != nil || len(sum) != 32 || name == "" || strings.ContainsAny(name, `/\`) {
			return nil, fmt.Errorf("%s has a line that is not a sum, two spaces and the name of a file: %q", sumsName, line)
		}
		s.files[name] = [32]byte(sum)
	}
	return s, nil
}

// Newest returns the archive of the newest version that the release has for this platform.
func (s *Sums) Newest() (Archive, error) {
	var found []Archive
	for name, sum := range s.files {
		if version, ok := versionOf(name, Platform()); ok {
			found = append(found, Archive{name, version, sum})
		}
	}
	if len(found) == 0 {
		return Archive{}, fmt.Errorf("the release has no program for this platform (%s)", Platform())
	}
	return slices.MaxFunc(found, func(a, b Archive) int { return Compare(a.version, b.version) }), nil
}

// Of returns the archive of a version for this platform. The error says which version the release has.
func (s *Sums) Of(version string) (Archive, error) {
	name := ArchiveName(version, Platform())
	if sum, ok := s.files[name]; ok {
		return Archive{name, version, sum}, nil
	}
	newest, err := s.Newest()
	if err != nil {
		return Archive{}, err
	}
	return Archive{}, fmt.Errorf("this is the release of %s, without the archive of %s: name the folder of that release with -from", newest.version, version)
}

// Platform returns what the names of archives call this system and processor: "linux_amd64", "linux_armv7".
func Platform() string {
	arch := runtime.GOARCH
	if arch == "arm" {
		arch = "armv7"
	}
	return runtime.GOOS + "_" + arch
}

// ArchiveName returns the name of the archive of a version for a platform.
func ArchiveName(version, platform string) string {
	return archivePrefix + version + "_" + platform + archiveEnding(platform)
}

const archivePrefix = "sitegrade_"

func archiveEnding(platform string) string {
	if strings.HasPrefix(platform, "windows_") {
		return ".zip"
	}
	return ".tar.gz"
}

// versionOf returns the version in the name of an archive for the platform; ok is false for every other name.
func versionOf(name, platform string) (version string, ok bool) {
	rest, isOurs := strings.CutPrefix(name, archivePrefix)
	version, ok = strings.CutSuffix(rest, "_"+platform+archiveEnding(platform))
	return version, ok && isOurs && IsVersion(version)
}

// IsVersion reports whether a text is a version of Semantic Versioning in full: "1.2.3", "1.2.3-rc.1".
func IsVersion(version string) bool {
	return semver.Canonical("v"+version) == "v"+version
}

// Compare returns -1 where version a is older than b, 0 where they are equal, and 1 where it is newer. What is no version is older than any.
func Compare(a, b string) int {
	return semver.Compare("v"+a, "v"+b)
}
