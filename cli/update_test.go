package cli

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"

	"sitegrade/release"
)

// The versions of these tests, and the key that signs them. The newer one has a newer schema of the database.
const (
	older = "0.1.0"
	newer = "0.2.0"
)

var signingKey = ed25519.NewKeyFromSeed(bytes.Repeat([]byte{7}, ed25519.SeedSize))

// versions returns the paths of the real program in both versions, built once for all tests.
var versions = sync.OnceValues(func() (map[string]string, error) {
	dir, err := buildRoom()
	if err != nil {
		return nil, err
	}
	overlay, err := withNewerSchema(dir)
	if err != nil {
		return nil, err
	}
	built := map[string]string{}
	for version, flags := range map[string][]string{older: nil, newer: {"-overlay", overlay}} {
		built[version] = filepath.Join(dir, version)
		link := fmt.Sprintf("-s -w -X sitegrade/cli.releaseVersion=%s -X sitegrade/release.publicKey=%s", version,
			base64.StdEncoding.EncodeToString(signingKey.Public().(ed25519.PublicKey)))
		if err := build(append(flags, "-ldflags", link, "-o", built[version], "sitegrade")...); err != nil {
			return nil, err
		}
	}
	return built, nil
})

var schemaLine = regexp.MustCompile(`(?m)^const schemaVersion = (\d+)$`)

// withNewerSchema writes what has go build take a source whose database has the next schema, and returns its path.
func withNewerSchema(dir string) (overlay string, err error) {
	replaced := map[string]string{}
	for name, alter := range map[string]func(string) string{
		"migrate.go": func(source string) string {
			return source + "\nfunc init() { migrations = append(migrations, func(*bbolt.Tx) error { return nil }) }\n"
		},
		"schema.go": func(source string) string { return schemaLine.ReplaceAllString(source, "const schemaVersion = $1 + 1") },
	} {
		path, err := filepath.Abs(filepath.Join("../db/bolt", name))
		if err != nil {
			return "", err
		}
		source, err := os.ReadFile(path)
		if err != nil {
			return "", err
		}
		later := alter(string(source))
		if later == string(source) {
			return "", fmt.Errorf("%s says nothing of the schema", name)
		}
		replaced[path] = filepath.Join(dir, name)
		if err := os.WriteFile(replaced[path], []byte(later), 0o600); err != nil {
			return "", err
		}
	}
	list, err := json.Marshal(map[string]any{"Replace": replaced})
	if err != nil {
		return "", err
	}
	overlay = filepath.Join(dir, "overlay.json")
	return overlay, os.WriteFile(overlay, list, 0o600)
}

// programOf returns the path of the real program in a version.
func programOf(t *testing.T, version string) string {
	t.Helper()
	built, err := versions()
	if err != nil {
		t.Fatal(err)
	}
	return built[version]
}

// packed are archives by the path of the program in them, since packing takes longer than most tests.
var packed sync.Map

// pack returns an archive of a release with this program.
func pack(t *testing.T, program string) []byte {
	t.Helper()
	if archive, ok := packed.Load(program); ok {
		return archive.([]byte)
	}
	content, err := os.ReadFile(program)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	zipped, err := gzip.NewWriterLevel(&b, gzip.BestSpeed)
	if err != nil {
		t.Fatal(err)
	}
	w := tar.NewWriter(zipped)
	if err := w.WriteHeader(&tar.Header{Name: "sitegrade", Mode: 0o755, Size: int64(len(content))}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(content); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(w.Close(), zipped.Close()); err != nil {
		t.Fatal(err)
	}
	packed.Store(program, b.Bytes())
	return b.Bytes()
}

// publish makes the folder of a release with this program.
func publish(t *testing.T, version, program string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	archive := pack(t, program)
	name := release.ArchiveName(version, release.Platform())
	sums := fmt.Appendf(nil, "%x  %s\n", sha256.Sum256(archive), name)
	for name, content := range map[string][]byte{name: archive, "SHA256SUMS": sums, "SHA256SUMS.sig": ed25519.Sign(signingKey, sums)} {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// installed is the older version in a folder of its own, as somebody has it, with a database.
func installed(t *testing.T) *program {
	t.Helper()
	root := t.TempDir()
	p := &program{apiClient: apiClient{t: t}, path: filepath.Join(root, "bin", "sitegrade"), data: filepath.Join(root, "data")}
	if err := os.Mkdir(filepath.Dir(p.path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := linkOrCopy(p.path, programOf(t, older)); err != nil {
		t.Fatal(err)
	}
	p.load("default", `{"kind": "report", "url": "`+closedPort+`stored", "status": "done", "result": "good", "score": 90, "generated_at": "2026-01-01T00:00:00Z"}`)
	return p
}

// run runs a command of the program and returns all that it prints.
func (p *program) run(arguments ...string) (string, error) {
	output, err := exec.Command(p.path, arguments...).CombinedOutput()
	return string(output), err
}

// version returns the version of the program that is installed.
func (p *program) version() string {
	p.t.Helper()
	output, err := p.run("version")
	if err != nil {
		p.t.Fatalf("%v: %s", err, output)
	}
	return strings.TrimPrefix(strings.TrimSpace(output), "sitegrade ")
}

// rooms returns what updates have left in the folders of the program and the data.
func (p *program) rooms() []string {
	p.t.Helper()
	var left []string
	for _, pattern := range []string{filepath.Join(filepath.Dir(p.path), roomPattern), filepath.Join(p.data, rehearsalPattern), filepath.Join(p.data, copyPattern), filepath.Join(p.data, ".sitegrade*")} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			p.t.Fatal(err)
		}
		left = append(left, found...)
	}
	return left
}

// files returns the paths of what is in the data directory.
func (p *program) files() []string {
	p.t.Helper()
	found, err := filepath.Glob(filepath.Join(p.data, "*"))
	if err != nil {
		p.t.Fatal(err)
	}
	return found
}

func needsUnix(t *testing.T) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the programs of this test are scripts of a Unix")
	}
}

// TestUpdate upgrades under a server that runs. It serves on with what it has, and the next one is the newer version with everything.
func TestUpdate(t *testing.T) {
	p := installed(t)
	p.start()
	made := p.create(closedPort + "made")
	server := httptest.NewTLSServer(http.FileServer(http.Dir(publish(t, newer, programOf(t, newer)))))
	t.Cleanup(server.Close)
	t.Setenv("SITEGRADE_UPDATE_URL", server.URL)
	t.Setenv("SSL_CERT_FILE", rootOf(t, server))
	if output, err := p.run("version", "-check"); err != nil || !strings.Contains(output, "is newer: "+newer+". To upgrade: sitegrade update") {
		t.Errorf("%v: %s", err, output)
	}
	output, err := p.run("update", "-data", p.data)
	if err != nil || !strings.Contains(output, "is still "+older+" and serves on. To have it replaced: stop it") {
		t.Fatalf("%v: %s", err, output)
	}
	t.Log(output)
	if status := p.do("GET", "/reports/"+made, "", nil, nil); status != http.StatusOK {
		t.Errorf("the server that ran responds with %d", status)
	}
	afterwards := p.create(closedPort + "afterwards")
	if got := p.version(); got != newer {
		t.Errorf("the program is %s", got)
	}
	p.terminate()
	p.start()
	for _, id := range []string{made, afterwards} {
		if status := p.do("GET", "/reports/"+id, "", nil, nil); status != http.StatusOK {
			t.Errorf("the new server responds to %s with %d", id, status)
		}
	}
	p.terminate()
	p.check()
	if left := p.rooms(); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	if output, err := p.run("version", "-verify"); err != nil || !strings.Contains(output, "is the program that was signed") {
		t.Errorf("%v: %s", err, output)
	}
	if output, err := p.run("update", "-data", p.data); err != nil || !strings.Contains(output, newer+" is the version of the release") {
		t.Errorf("%v: %s", err, output)
	}
	old := &program{apiClient: apiClient{t: t}, path: p.path + ".previous", data: p.data}
	if got := old.version(); got != older {
		t.Errorf("the program before is %s", got)
	}
	if output, err := old.run("check", "-data", p.data); err == nil || !strings.Contains(output, "use a newer sitegrade") {
		t.Errorf("the older version opens the newer schema: %v: %s", err, output)
	}
	restored := filepath.Join(t.TempDir(), databaseName)
	if err := copyFile(restored, filepath.Join(p.data, databaseName+".before-"+newer)); err != nil {
		t.Fatal(err)
	}
	if output, err := old.run("check", "-data", filepath.Dir(restored)); err != nil || !strings.Contains(output, "2 reports, 1 key: consistent") {
		t.Errorf("the backup with the older version: %v: %s", err, output)
	}
}

// TestUpdateAlone upgrades a program that only audits from the command line, and says what to do where data is expected.
func TestUpdateAlone(t *testing.T) {
	p := installed(t)
	p.data = filepath.Join(t.TempDir(), "data")
	from := publish(t, newer, programOf(t, newer))
	if output, err := p.run("update", "-from", from, "-data", p.data); err == nil || !strings.Contains(output, "-no-backup says that this machine has none") {
		t.Errorf("%v: %s", err, output)
	}
	if output, err := p.run("update", "-from", from, "-data", p.data, "-no-backup"); err != nil || p.version() != newer {
		t.Errorf("%v: %s", err, output)
	}
	if _, err := os.Stat(p.data); err == nil {
		t.Error("data was made")
	}
}

// rootOf returns a file with the certificate of a server, which programs are to trust.
func rootOf(t *testing.T, server *httptest.Server) string {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("the environment names no certificates here")
	}
	path := filepath.Join(t.TempDir(), "root.pem")
	certificate := base64.StdEncoding.EncodeToString(server.Certificate().Raw)
	if err := os.WriteFile(path, []byte("-----BEGIN CERTIFICATE-----\n"+certificate+"\n-----END CERTIFICATE-----\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func readAll(t *testing.T, path string) []byte {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return content
}
