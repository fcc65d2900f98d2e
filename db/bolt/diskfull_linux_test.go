package bolt

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/uuid"

	"sitegrade/db"
	"sitegrade/db/bolt/internal/file"
)

// TestEmptiedFullDiskTakesReportsAgain fills a small disk with reports and deletes them all, which uses the reserve. The file keeps nearly
// all of the disk, and must be room enough for new reports, also after a restart. It needs root for the mount.
func TestEmptiedFullDiskTakesReportsAgain(t *testing.T) {
	path := filepath.Join(smallDisk(t, 12<<20), "sitegrade.db")
	d := mustOpen(t, path)
	var ids []uuid.UUID
	long := strings.Repeat("x", 1900)
	next := func() error {
		r, err := d.CreateReport(t.Context(), "a", db.NewReport{URL: fmt.Sprintf("https://example.com/%d/%s", len(ids), long)})
		if err == nil {
			ids = append(ids, r.ID)
		}
		return err
	}
	var err error
	for err == nil {
		err = next()
	}
	if !errors.Is(err, db.ErrFull) {
		t.Fatal(err)
	}
	if info, err := os.Stat(path + ".reserve"); err != nil || info.Size() != file.ReserveSize {
		t.Errorf("when the disk is full the reserve is not there: %v", err)
	}
	withoutRoom(t, &d, path, next)
	for _, id := range ids {
		if err := d.DeleteReport(t.Context(), "a", id, nil); err != nil {
			t.Fatal(err)
		}
	}
	<-time.After(time.Second) // the room is looked for once in that time
	if err := next(); err != nil {
		t.Errorf("after everything was deleted: %v", err)
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	d = mustOpen(t, path)
	defer d.Close()
	if err := next(); err != nil {
		t.Errorf("after a restart: %v", err)
	}
	mustCheck(t, d)
}

// withoutRoom gives what the reserve holds to another program, which returns it in the end, and holds that meanwhile nothing can be stored.
func withoutRoom(t *testing.T, d **DB, path string, next func() error) {
	t.Helper()
	other := filepath.Join(filepath.Dir(path), "other")
	if err := errors.Join((*d).Close(), os.Remove(path+".reserve")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(other, make([]byte, 12<<20), 0o600); !errors.Is(err, syscall.ENOSPC) {
		t.Fatal(err)
	}
	*d = mustOpen(t, path)
	if err := next(); !errors.Is(err, db.ErrFull) {
		t.Errorf("without the reserve a create gives %v", err)
	}
	if err := (*d).TouchKeys(t.Context(), map[uuid.UUID]time.Time{uuid.Max: time.Now()}); !errors.Is(err, db.ErrFull) {
		t.Errorf("without the reserve the use of a key gives %v", err)
	}
	if err := os.Remove(other); err != nil {
		t.Fatal(err)
	}
}

// smallDisk mounts a file system of a size, or skips the test where that is not allowed.
func smallDisk(t *testing.T, size int) string {
	t.Helper()
	dir := t.TempDir()
	err := syscall.Mount("sitegrade-test", dir, "tmpfs", 0, fmt.Sprint("size=", size))
	if errors.Is(err, syscall.EPERM) || errors.Is(err, syscall.EACCES) {
		t.Skip("mounting needs root")
	} else if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return dir
}
