package cli

import (
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// mountTemporary makes the folder a file system of its own, of this size. It needs root.
func mountTemporary(t *testing.T, dir, size string) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mount("sitegrade-test", dir, "tmpfs", 0, "size="+size); errors.Is(err, syscall.EPERM) || errors.Is(err, syscall.EACCES) {
		t.Skip("mounting needs root")
	} else if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, 0); err != nil {
			t.Error(err)
		}
	})
}

// TestUpdateOnFullDisk has an update run out of room for the data, and for the program, and meet a folder that nobody can write to. It changes
// nothing, and a server that runs serves on.
func TestUpdateOnFullDisk(t *testing.T) {
	root := t.TempDir()
	p := &program{apiClient: apiClient{t: t}, path: filepath.Join(root, "bin", "sitegrade"), data: filepath.Join(root, "data")}
	mountTemporary(t, p.data, "160m")
	mountTemporary(t, filepath.Dir(p.path), "64m")
	if err := linkOrCopy(p.path, programOf(t, older)); err != nil {
		t.Fatal(err)
	}
	p.start("-wait", "0")
	t.Cleanup(p.kill) // before its disks go
	made := p.create(closedPort + "made")
	ballast := filepath.Join(p.data, "ballast")
	filling := script(t, filepath.Join(root, "ran"), `[ "$1" = version ] && dd if=/dev/zero of=`+shellWord(ballast)+` bs=64k 2>/dev/null`)
	refuses := func(what, program, want string) {
		t.Helper()
		output, err := p.run("update", "-data", p.data, "-from", publish(t, newer, program))
		if err == nil || !strings.Contains(output, want) || !strings.Contains(output, "no space left") && !strings.Contains(output, "read-only") && !strings.Contains(output, "free") {
			t.Errorf("%s: %v: %s", what, err, output)
		}
		if version := p.version(); version != older {
			t.Errorf("%s: the program is %s", what, version)
		}
		if left := p.rooms(); len(left) > 0 {
			t.Errorf("%s: left behind: %v", what, left)
		}
	}
	refuses("the data's disk becomes full", filling, "copying the database")
	refuses("the data's disk is full", filling, "an update needs")
	if err := os.Remove(ballast); err != nil {
		t.Fatal(err)
	}
	beside := filepath.Join(filepath.Dir(p.path), "ballast")
	fillDisk(t, beside)
	if err := os.Truncate(beside, 60<<20-int64(len(readAll(t, p.path)))-int64(len(pack(t, programOf(t, newer))))); err != nil {
		t.Fatal(err)
	}
	refuses("the program's disk becomes full", programOf(t, newer), "sitegrade:")
	if err := errors.Join(os.Remove(beside), syscall.Mount("", filepath.Dir(p.path), "", syscall.MS_REMOUNT|syscall.MS_RDONLY, "")); err != nil {
		t.Fatal(err)
	}
	refuses("the program's folder cannot be written to", programOf(t, newer), "cannot be written to")
	if status := p.do("GET", "/reports/"+made, "", nil, nil); status != http.StatusOK {
		t.Errorf("the server that ran responds with %d", status)
	}
	p.check()
}
