package main

import (
	"archive/tar"
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// source is the commit that is released.
type source struct {
	checkout string    // the directory of the checkout
	commit   string    // its hash
	time     time.Time // when it was committed
	tree     string    // the files of the commit, once they are unpacked
}

// openCheckout returns the last commit of a checkout.
func openCheckout(dir string) (source, error) {
	top, err := git(dir, "rev-parse", "--show-toplevel")
	if err != nil {
		return source{}, err
	}
	s := source{checkout: top}
	if s.commit, err = git(top, "rev-parse", "HEAD"); err != nil {
		return source{}, err
	}
	seconds, err := git(top, "log", "-1", "--format=%ct")
	if err != nil {
		return source{}, err
	}
	unix, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil {
		return source{}, err
	}
	s.time = time.Unix(unix, 0).UTC()
	changed, err := git(top, "status", "--porcelain")
	if err != nil {
		return source{}, err
	}
	if changed != "" {
		tell("the last commit is released, without what has changed in the checkout since")
	}
	return s, nil
}

// git returns what a command of git prints, without the line break at the end.
func git(dir string, args ...string) (string, error) {
	var complaint bytes.Buffer
	c := exec.Command("git", append([]string{"-C", dir}, args...)...)
	c.Stderr = &complaint
	output, err := c.Output()
	if err != nil {
		return "", fmt.Errorf("git %s: %w\n%s", args[0], err, complaint.String())
	}
	return strings.TrimRight(string(output), "\n"), nil
}

var (
	versionForm    = regexp.MustCompile(`^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?$`)
	versionHeading = regexp.MustCompile(`^## \[(\d[^\]]*)\]`)
)

// version returns the version to release: the one that is wanted or else the newest of the changelog, which a tag of the commit must agree with.
func (s *source) version(wanted string) (string, error) {
	if wanted != "" {
		if !versionForm.MatchString(wanted) {
			return "", fmt.Errorf("%q is not a version such as 0.1.0 or 0.2.0-rc.1", wanted)
		}
		return wanted, nil
	}
	changes, err := git(s.checkout, "show", s.commit+":CHANGELOG.md")
	if err != nil {
		return "", err
	}
	newest := newestVersion(changes)
	if !versionForm.MatchString(newest) {
		return "", errors.New("CHANGELOG.md has no heading with a version, such as \"## [0.1.0] - 2027-01-31\": write one, or name a version with -version")
	}
	tags, err := git(s.checkout, "tag", "--points-at", s.commit, "--list", "v*")
	if err != nil {
		return "", err
	}
	for tag := range strings.Lines(tags) {
		if tag = strings.TrimSpace(tag); tag != "v"+newest {
			return "", fmt.Errorf("the commit has the tag %s, but the newest version of CHANGELOG.md is %s", tag, newest)
		}
	}
	return newest, nil
}

// newestVersion returns the version in the first heading of a changelog that has one; "" if there is no such heading.
func newestVersion(changes string) string {
	for lines := bufio.NewScanner(strings.NewReader(changes)); lines.Scan(); {
		if match := versionHeading.FindStringSubmatch(lines.Text()); match != nil {
			return match[1]
		}
	}
	return ""
}

// unpack writes the files of the commit into a directory, so that nothing else of the checkout takes part.
func (r *release) unpack() error {
	r.source.tree = filepath.Join(r.work, "source")
	c := exec.Command("git", "-C", r.source.checkout, "archive", "--format=tar", r.source.commit)
	c.Stderr = os.Stderr
	files, err := c.StdoutPipe()
	if err != nil {
		return err
	}
	if err := c.Start(); err != nil {
		return err
	}
	err = unpackTree(files, r.source.tree, r.source.time)
	return errors.Join(err, c.Wait())
}

// unpackTree writes the files of a tar archive, all with this time and with modes that no mask changes.
func unpackTree(archive io.Reader, dir string, at time.Time) error {
	for entries := tar.NewReader(archive); ; {
		header, err := entries.Next()
		if err == io.EOF {
			_, err = io.Copy(io.Discard, archive)
			return err
		}
		if err != nil {
			return err
		}
		if header.Typeflag != tar.TypeReg || !filepath.IsLocal(header.Name) {
			continue // directories are made as files need them
		}
		content, err := io.ReadAll(entries)
		if err != nil {
			return err
		}
		if err := writeAt(filepath.Join(dir, header.Name), content, header.FileInfo().Mode().Perm()|0o644, at); err != nil {
			return err
		}
	}
}

// writeAt writes a file with a mode and a time.
func writeAt(path string, content []byte, mode fs.FileMode, at time.Time) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(path, content, mode); err != nil {
		return err
	}
	return errors.Join(os.Chmod(path, mode), os.Chtimes(path, at, at))
}
