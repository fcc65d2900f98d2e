package bolt

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/uuid"

	"sitegrade/audit"
)

// TestInconsistentBackupIsRefused makes differences in a database while it is open. A backup of it must not be reported as made, nor stay.
func TestInconsistentBackupIsRefused(t *testing.T) {
	for name, spoil := range map[string]func(*accountTx) error{
		"counts": func(a *accountTx) error { return a.addCounts(wholeAccount, [4]int{0, 1, 0, 0}) },
		"found":  func(a *accountTx) error { return a.bucket(foundBucket).Put(uuid.Max[:], nil) },
		"record": func(a *accountTx) error { return a.bucket(reportsBucket).Put(uuid.Max[:], []byte{9}) },
	} {
		t.Run(name, func(t *testing.T) {
			d := mustOpen(t, filepath.Join(t.TempDir(), "sitegrade.db"))
			defer d.Close()
			finish(t, d, create(t, d, "https://example.com/"), audit.Good)
			if err := d.add(t.Context(), "a", spoil); err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(t.TempDir(), "backup.db")
			if _, err := d.Backup(t.Context(), path); err == nil || !strings.Contains(err.Error(), "not consistent") {
				t.Errorf("the backup gives %v", err)
			}
			if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("the backup stays: %v", err)
			}
		})
	}
}
