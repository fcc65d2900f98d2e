//go:build unix

package cli

import (
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestUpdateWithoutServer upgrades where no server runs, by the configuration, through a link. The data is taken to the newer schema.
func TestUpdateWithoutServer(t *testing.T) {
	p := installed(t)
	const nobody = 65534
	if os.Geteuid() == 0 { // as under a service manager: the program is root's, and the data is not
		for _, path := range append(p.files(), p.data) {
			if err := os.Chown(path, nobody, nobody); err != nil {
				t.Fatal(err)
			}
		}
	}
	from := (&url.URL{Scheme: "file", Path: filepath.ToSlash(publish(t, newer, programOf(t, newer)))}).String()
	config := filepath.Join(t.TempDir(), "sitegrade.toml")
	if err := os.WriteFile(config, fmt.Appendf(nil, "update_url = %q\ndata = %q\n", from, p.data), 0o600); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(t.TempDir(), "sitegrade")
	if err := os.Symlink(p.path, link); err != nil {
		t.Fatal(err)
	}
	output, err := exec.Command(link, "update", "-config", config).CombinedOutput()
	if err != nil || !strings.Contains(string(output), "No server runs on") {
		t.Fatalf("%v: %s", err, output)
	}
	if got := p.version(); got != newer {
		t.Errorf("the program is %s", got)
	}
	if target, err := os.Readlink(link); err != nil || target != p.path {
		t.Errorf("the link leads to %s, %v", target, err)
	}
	for _, path := range p.files() {
		if owner, err := ownerOf(path); err != nil || os.Geteuid() == 0 && owner.user != nobody {
			t.Errorf("%s belongs to %v, %v", path, owner, err)
		}
	}
	p.check()
	if left := p.rooms(); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	if output, err := p.run("update", "-from", publish(t, older, programOf(t, older)), "-data", p.data); err == nil || !strings.Contains(output, "does not go back") {
		t.Errorf("an older release: %v: %s", err, output)
	}
	if err := os.WriteFile(p.path, append(readAll(t, p.path), 0), 0o755); err != nil {
		t.Fatal(err)
	}
	if output, err := p.run("version", "-verify", "-from", from); err == nil || !strings.Contains(output, "is NOT the program that was signed") {
		t.Errorf("an altered program: %v: %s", err, output)
	}
}
