package release

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// What an archive may hold at most.
const (
	maxProgram  = 256 << 20 // bytes of the program
	maxUnpacked = 512 << 20 // bytes of all files together
	maxEntries  = 10_000
)

// Unpack writes the program in the archive a, which lies at this path, to w. It writes no other file, and refuses an archive with names that
// lead out of it, with anything but files and folders, or with more than a release has. What it wrote before an error must not be used.
//
// The archive must be as Fetch wrote it, without an error.
func Unpack(archive string, a Archive, w io.Writer) error {
	unpack := unpackTar
	if strings.HasSuffix(a.name, ".zip") {
		unpack = unpackZip
	}
	if err := unpack(archive, w); err != nil {
		return fmt.Errorf("unpacking %s: %w", a.name, err)
	}
	return nil
}

// contents is what has been seen of an archive.
type contents struct {
	entries int
	found   bool
}

// see takes the next entry of an archive and reports whether it is the program.
func (c *contents) see(name string, mode fs.FileMode) (isProgram bool, err error) {
	c.entries++
	clean := strings.TrimSuffix(name, "/")
	switch {
	case c.entries > maxEntries:
		return false, fmt.Errorf("it has more than %d entries", maxEntries)
	case !filepath.IsLocal(clean) || strings.ContainsAny(clean, `\:`):
		return false, fmt.Errorf("the name %q leads out of it", name)
	case mode.IsDir():
		return false, nil
	case !mode.IsRegular():
		return false, fmt.Errorf("%q is neither a file nor a folder", name)
	case !isProgramName(clean):
		return false, nil
	case c.found:
		return false, fmt.Errorf("it has the program twice, and again as %q", name)
	}
	c.found = true
	return true, nil
}

// isProgramName reports whether a file is the program: sitegrade, or sitegrade.exe on Windows, at the top or in a folder at the top.
func isProgramName(name string) bool {
	base := path.Base(name)
	return strings.Count(path.Clean(name), "/") <= 1 && (base == "sitegrade" || base == "sitegrade.exe")
}

// end returns an error for an archive without the program.
func (c *contents) end() error {
	if !c.found {
		return errors.New("the program is not in it")
	}
	return nil
}

func unpackTar(archive string, w io.Writer) error {
	file, err := os.Open(archive)
	if err != nil {
		return err
	}
	defer file.Close()
	unzipped, err := gzip.NewReader(file)
	if err != nil {
		return err
	}
	bounded := &boundedReader{unzipped, maxUnpacked}
	entries := tar.NewReader(bounded)
	var seen contents
	for {
		header, err := entries.Next()
		if err == io.EOF {
			_, err := io.Copy(io.Discard, bounded) // to the sum at the end
			return errors.Join(err, seen.end())
		}
		if err != nil {
			return err
		}
		mode := header.FileInfo().Mode()
		if header.Typeflag == tar.TypeLink {
			mode |= fs.ModeIrregular // which package tar takes for a file
		}
		isProgram, err := seen.see(header.Name, mode)
		if err != nil {
			return err
		}
		if isProgram {
			if err := copyProgram(w, entries); err != nil {
				return err
			}
		}
	}
}

func unpackZip(archive string, w io.Writer) error {
	entries, err := zip.OpenReader(archive)
	if err != nil {
		return err
	}
	defer entries.Close()
	var seen contents
	for _, entry := range entries.File {
		isProgram, err := seen.see(entry.Name, entry.Mode())
		if err != nil {
			return err
		}
		if !isProgram {
			continue
		}
		file, err := entry.Open()
		if err != nil {
			return err
		}
		if err := errors.Join(copyProgram(w, file), file.Close()); err != nil {
			return err
		}
	}
	return seen.end()
}

// copyProgram writes at most maxProgram bytes.
func copyProgram(w io.Writer, r io.Reader) error {
	_, err := io.Copy(w, &boundedReader{r, maxProgram})
	return err
}

// errTooLarge ends the unpacking of an archive that has more in it than any release.
var errTooLarge = errors.New("it is larger than any release is")

// boundedReader gives an error in place of what is beyond its bound.
type boundedReader struct {
	r    io.Reader
	left int64
}

func (b *boundedReader) Read(p []byte) (int, error) {
	n, err := b.r.Read(p)
	b.left -= int64(n)
	if b.left < 0 {
		return 0, errTooLarge
	}
	return n, err
}
