package release

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/ed25519"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

var testKey = ed25519.NewKeyFromSeed(bytes.Repeat([]byte{7}, ed25519.SeedSize))

// writeRelease makes a release of these files.
func writeRelease(t *testing.T, files map[string][]byte) (dir string) {
	t.Helper()
	dir = t.TempDir()
	var sums strings.Builder
	for name, content := range files {
		fmt.Fprintf(&sums, "%x  %s\n", sha256.Sum256(content), name)
		write(t, filepath.Join(dir, name), content)
	}
	write(t, filepath.Join(dir, sumsName), []byte(sums.String()))
	write(t, filepath.Join(dir, signatureName), ed25519.Sign(testKey, []byte(sums.String())))
	return dir
}

func write(t *testing.T, path string, content []byte) {
	t.Helper()
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
}

// read returns the newest archive of a release, fetched and unpacked.
func read(t *testing.T, where string) (Archive, string, error) {
	t.Helper()
	folder, err := Open(where)
	if err != nil {
		return Archive{}, "", err
	}
	sums, err := folder.Sums(t.Context(), testKey.Public().(ed25519.PublicKey))
	if err != nil {
		return Archive{}, "", err
	}
	archive, err := sums.Newest()
	if err != nil {
		return Archive{}, "", err
	}
	path := filepath.Join(t.TempDir(), archive.Name())
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(folder.Fetch(t.Context(), archive, file, nil), file.Close()); err != nil {
		return archive, "", err
	}
	var program strings.Builder
	err = Unpack(path, archive, &program)
	return archive, program.String(), err
}

// entry is a part of an archive.
type entry struct {
	name    string
	kind    byte // of tar; 0: a file
	content string
}

func tarball(t *testing.T, entries ...entry) []byte {
	t.Helper()
	var b bytes.Buffer
	zipped := gzip.NewWriter(&b)
	w := tar.NewWriter(zipped)
	for _, e := range entries {
		header := &tar.Header{Name: e.name, Typeflag: e.kind, Mode: 0o755, Size: int64(len(e.content))}
		if e.kind == tar.TypeSymlink || e.kind == tar.TypeLink {
			header.Linkname, header.Size, e.content = e.content, 0, ""
		}
		if err := w.WriteHeader(header); err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(w, e.content); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(w.Close(), zipped.Close()); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestReleaseIsRead(t *testing.T) {
	name := func(version string) string { return ArchiveName(version, Platform()) }
	dir := writeRelease(t, map[string][]byte{
		name("0.9.0"):                                 tarball(t, entry{name: "sitegrade", content: "old"}),
		name("0.10.0"):                                tarball(t, entry{name: "sitegrade-0.10.0/", kind: tar.TypeDir}, entry{name: "sitegrade-0.10.0/LICENSE", content: "MIT"}, entry{name: "sitegrade-0.10.0/sitegrade", content: "new"}),
		name("0.10.0-rc.1"):                           tarball(t, entry{name: "sitegrade", content: "nearly"}),
		"sitegrade_9.0.0_plan9_mips.tar.gz":           []byte("of another platform"),
		"sitegrade_9.9_" + Platform() + ".tar.gz":     []byte("not a version"),
		"sitegrade_0.10.0_" + Platform() + ".deb":     []byte("a package"),
		"other_9.0.0_" + Platform() + ".tar.gz":       []byte("another program"),
		"sitegrade_0.10.0_" + Platform() + "_img.tar": []byte("an image"),
	})
	server := httptest.NewTLSServer(http.StripPrefix("/releases/", http.FileServer(http.Dir(dir))))
	t.Cleanup(server.Close)
	trust(t, server)
	for _, where := range []string{dir, "file://" + filepath.ToSlash(dir), "file:" + filepath.ToSlash(dir), server.URL + "/releases", server.URL + "/releases/?token=x"} {
		archive, program, err := read(t, where)
		if err != nil || archive.Version() != "0.10.0" || program != "new" {
			t.Errorf("%s: %s %q %v", where, archive.Version(), program, err)
		}
	}
}

// trust has the client of this package trust the certificate of a test's server.
func trust(t *testing.T, server *httptest.Server) {
	t.Helper()
	before := http.DefaultTransport
	http.DefaultTransport = server.Client().Transport
	t.Cleanup(func() { http.DefaultTransport = before })
}

func TestPlacesOfReleases(t *testing.T) {
	for _, where := range []string{"", "http://example.com/releases", "ftp://example.com/", "https:///releases", "file:releases", "file://elsewhere/releases"} {
		if _, err := Open(where); err == nil {
			t.Errorf("%q is accepted", where)
		}
	}
	folder, err := Open("https://user:secret@example.com/releases")
	if err != nil || strings.Contains(folder.String(), "secret") {
		t.Errorf("%v, %v", folder, err)
	}
}

// TestForged holds that nothing of a release is used that its makers did not sign: neither sums, nor an archive by them.
func TestForged(t *testing.T) {
	name := ArchiveName("1.0.0", Platform())
	tests := []struct {
		what  string
		alter func(dir string)
		want  string
	}{
		{"another key", func(dir string) {
			sums, _ := os.ReadFile(filepath.Join(dir, sumsName))
			other := ed25519.NewKeyFromSeed(bytes.Repeat([]byte{8}, ed25519.SeedSize))
			write(t, filepath.Join(dir, signatureName), ed25519.Sign(other, sums))
		}, ErrForged.Error()},
		{"altered sums", func(dir string) {
			sums, _ := os.ReadFile(filepath.Join(dir, sumsName))
			write(t, filepath.Join(dir, sumsName), append(sums, "\n"...))
		}, ErrForged.Error()},
		{"an empty signature", func(dir string) { write(t, filepath.Join(dir, signatureName), nil) }, ErrForged.Error()},
		{"a long signature", func(dir string) {
			signature, _ := os.ReadFile(filepath.Join(dir, signatureName))
			write(t, filepath.Join(dir, signatureName), append(signature, 0))
		}, ErrForged.Error()},
		{"no signature", func(dir string) { os.Remove(filepath.Join(dir, signatureName)) }, signatureName},
		{"endless sums", func(dir string) { write(t, filepath.Join(dir, sumsName), make([]byte, maxSums+1)) }, "larger than"},
		{"another archive", func(dir string) { write(t, filepath.Join(dir, name), []byte("forged")) }, "another sum"},
		{"half an archive", func(dir string) { os.Truncate(filepath.Join(dir, name), 20) }, "another sum"},
		{"no archive", func(dir string) { os.Remove(filepath.Join(dir, name)) }, name},
	}
	for _, test := range tests {
		dir := writeRelease(t, map[string][]byte{name: tarball(t, entry{name: "sitegrade", content: "signed"})})
		test.alter(dir)
		_, program, err := read(t, dir)
		if err == nil || !strings.Contains(err.Error(), test.want) || program != "" {
			t.Errorf("%s: %q, %v; want %s", test.what, program, err, test.want)
		}
	}
}

func TestSignedSumsAreHeldToTheirForm(t *testing.T) {
	sum := strings.Repeat("ab", 32)
	for _, text := range []string{"x  a\n", sum + " a\n", sum + "  \n", sum + "  ../a\n", sum + "  a/b\n", sum + `  a\b` + "\n", sum[1:] + "  a\n", "\n"} {
		if _, err := parseSums([]byte(text), ed25519.Sign(testKey, []byte(text)), testKey.Public().(ed25519.PublicKey)); err == nil {
			t.Errorf("%q is taken for sums", text)
		}
	}
}

// TestHostileArchives holds the unpacking against archives that their makers signed by mistake.
func TestHostileArchives(t *testing.T) {
	program := entry{name: "sitegrade", content: "program"}
	var many []entry
	for i := range maxEntries + 1 {
		many = append(many, entry{name: fmt.Sprintf("f%d", i)})
	}
	tests := []struct {
		what    string
		archive []byte
		want    string
	}{
		{"leads up", tarball(t, program, entry{name: "../../etc/passwd"}), "leads out"},
		{"leads up inside", tarball(t, program, entry{name: "a/../../b"}), "leads out"},
		{"starts at the root", tarball(t, program, entry{name: "/etc/passwd"}), "leads out"},
		{"a path of Windows", tarball(t, program, entry{name: `..\evil`}), "leads out"},
		{"a drive", tarball(t, program, entry{name: `C:evil`}), "leads out"},
		{"a symbolic link", tarball(t, entry{"sitegrade", tar.TypeSymlink, "/bin/sh"}), "neither a file nor a folder"},
		{"a hard link", tarball(t, entry{"sitegrade", tar.TypeLink, "/bin/sh"}), "neither a file nor a folder"},
		{"a device", tarball(t, program, entry{name: "null", kind: tar.TypeChar}), "neither a file nor a folder"},
		{"a pipe", tarball(t, program, entry{name: "pipe", kind: tar.TypeFifo}), "neither a file nor a folder"},
		{"two programs", tarball(t, program, program), "twice"},
		{"no program", tarball(t, entry{name: "deep/down/sitegrade"}), "not in it"},
		{"nothing", tarball(t), "not in it"},
		{"too many entries", tarball(t, many...), "entries"},
		{"no archive", []byte("a text and no archive"), "gzip"},
		{"half an archive", tarball(t, program)[:60], "EOF"},
		{"a bomb", bomb(t, "sitegrade", maxProgram>>20+1), "larger than any"},
		{"a bomb beside it", bomb(t, "readme", maxUnpacked>>20+1), "larger than any"},
	}
	for _, test := range tests {
		path := filepath.Join(t.TempDir(), "archive")
		write(t, path, test.archive)
		var written countingWriter
		err := Unpack(path, Archive{name: "sitegrade_1.0.0_linux_amd64.tar.gz"}, &written)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v; want %s", test.what, err, test.want)
		}
		if written > maxProgram {
			t.Errorf("%s: %d bytes were written", test.what, written)
		}
	}
}

type countingWriter int64

func (w *countingWriter) Write(b []byte) (int, error) {
	*w += countingWriter(len(b))
	return len(b), nil
}

// bomb is an archive of one file with so many MiB of zeros, each of them a member of the gzip file.
func bomb(t *testing.T, name string, size int64) []byte {
	t.Helper()
	zip := func(content []byte) []byte {
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		if _, err := w.Write(content); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	var head bytes.Buffer
	if err := tar.NewWriter(&head).WriteHeader(&tar.Header{Name: name, Mode: 0o755, Size: size << 20}); err != nil {
		t.Fatal(err)
	}
	return append(zip(head.Bytes()), bytes.Repeat(zip(make([]byte, 1<<20)), int(size))...)
}

func TestZipArchives(t *testing.T) {
	zipped := func(name string, mode fs.FileMode) string {
		path := filepath.Join(t.TempDir(), "archive.zip")
		var b bytes.Buffer
		w := zip.NewWriter(&b)
		header := &zip.FileHeader{Name: name}
		header.SetMode(mode)
		file, err := w.CreateHeader(header)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(file, "program"); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		write(t, path, b.Bytes())
		return path
	}
	windows := Archive{name: ArchiveName("1.0.0", "windows_amd64")}
	var program strings.Builder
	if err := Unpack(zipped("sitegrade_1.0.0/sitegrade.exe", 0o755), windows, &program); err != nil || program.String() != "program" {
		t.Errorf("%q, %v", program.String(), err)
	}
	for _, path := range []string{zipped("../sitegrade.exe", 0o755), zipped("sitegrade.exe", fs.ModeSymlink|0o777), zipped("other.exe", 0o755)} {
		if err := Unpack(path, windows, io.Discard); err == nil {
			t.Error("a hostile archive is unpacked")
		}
	}
}

// TestServersOfReleases holds the client against servers that break off, fall silent, or lead elsewhere.
func TestServersOfReleases(t *testing.T) {
	name := ArchiveName("1.0.0", Platform())
	dir := writeRelease(t, map[string][]byte{name: tarball(t, entry{name: "sitegrade", content: "signed"})})
	files := http.FileServer(http.Dir(dir))
	plain := httptest.NewServer(files)
	t.Cleanup(plain.Close)
	tests := []struct {
		what   string
		handle http.HandlerFunc
		want   string
	}{
		{"breaks off", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "1000")
			fmt.Fprint(w, "half")
		}, "unexpected EOF"},
		{"falls silent", func(w http.ResponseWriter, r *http.Request) {
			fmt.Fprint(w, "half")
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		}, "nothing came for"},
		{"never responds", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, "nothing came for"},
		{"leaves https", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, plain.URL+r.URL.Path, http.StatusFound)
		}, "not https"},
		{"goes in a circle", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, r.URL.Path, http.StatusFound) }, "more than 10 times"},
		{"has lost it", func(w http.ResponseWriter, r *http.Request) { http.NotFound(w, r) }, "404"},
	}
	for _, test := range tests {
		server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/"+name {
				test.handle(w, r)
				return
			}
			files.ServeHTTP(w, r)
		}))
		u, err := url.Parse(server.URL)
		if err != nil {
			t.Fatal(err)
		}
		folder := &Folder{where: server.URL, open: onServer(u, server.Client().Transport.(*http.Transport).Clone(), time.Second)}
		sums, err := folder.Sums(t.Context(), testKey.Public().(ed25519.PublicKey))
		if err != nil {
			t.Fatal(err)
		}
		archive, err := sums.Newest()
		if err != nil {
			t.Fatal(err)
		}
		if err := folder.Fetch(t.Context(), archive, io.Discard, nil); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("a server that %s: %v; want %s", test.what, err, test.want)
		}
		server.Close()
	}
	if _, _, err := read(t, httptest.NewTLSServer(files).URL); err == nil || !strings.Contains(err.Error(), "certificate") {
		t.Errorf("a certificate of nobody: %v", err)
	}
}

func TestOwners(t *testing.T) {
	t.Cleanup(func() { packaged = "" })
	for name := range managers {
		packaged = name
		if owner, owned := Owner("/usr/bin/sitegrade"); !owned || owner.Upgrade == "" || owner.Verify == "" {
			t.Errorf("%s: %+v", name, owner)
		}
	}
	packaged = ""
	if owner, owned := Owner("/opt/homebrew/Cellar/sitegrade/1.0.0/bin/sitegrade"); !owned || owner.Upgrade != "brew upgrade sitegrade" || owner.Verify != "" {
		t.Errorf("Homebrew: %+v", owner)
	}
	if owner, owned := Owner("/usr/local/bin/sitegrade"); owned {
		t.Errorf("a program out of an archive belongs to %+v", owner)
	}
	firstProcess = filepath.Join(t.TempDir(), "exe")
	if err := os.Symlink("/usr/local/bin/sitegrade", firstProcess); err != nil {
		t.Fatal(err)
	}
	if _, owned := Owner("/usr/local/bin/sitegrade"); !owned {
		t.Error("a program in a container may be replaced")
	}
}

func TestKey(t *testing.T) {
	t.Cleanup(func() { publicKey = "" })
	if _, err := Key(); !errors.Is(err, ErrNoKey) {
		t.Error(err)
	}
	for _, text := range []string{"x", "c2hvcnQ="} {
		publicKey = text
		if _, err := Key(); err == nil || errors.Is(err, ErrNoKey) {
			t.Errorf("%q: %v", text, err)
		}
	}
}
