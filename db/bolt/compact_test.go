package bolt

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"sitegrade/db"
	"sitegrade/db/bolt/internal/file"
)

// TestOpenDuringCompactLosesNothing opens the file at ten moments of a Compact, as servers do that start then. Whatever those are told is
// stored must be in the file that has the name afterwards.
func TestOpenDuringCompactLosesNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sitegrade.db")
	if err := os.WriteFile(path, reportsOf(t, 10, 400), 0o600); err != nil {
		t.Fatal(err)
	}
	begun := time.Now()
	if _, _, err := Compact(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	lasts := time.Since(begun)
	var starting sync.WaitGroup
	made := make(chan db.Report, 20)
	for i := range 10 {
		starting.Go(func() {
			<-time.After(lasts * time.Duration(i) / 10)
			d, err := Open(path, Options{})
			if errors.Is(err, ErrInUse) {
				return
			} else if err != nil {
				t.Error(err)
				return
			}
			r, err := d.CreateReport(t.Context(), "a", db.NewReport{URL: fmt.Sprintf("https://example.com/%d", i)})
			if err := errors.Join(err, d.Close()); err != nil {
				t.Error(err)
			}
			made <- r
		})
	}
	if _, _, err := Compact(t.Context(), path); err != nil && !errors.Is(err, ErrInUse) {
		t.Error(err)
	}
	starting.Wait()
	close(made)
	d := mustOpen(t, path)
	defer d.Close()
	mustCheck(t, d)
	for r := range made {
		if _, _, err := d.Report(t.Context(), "a", r.ID); err != nil {
			t.Errorf("%s: %v", r.URL, err)
		}
	}
}

// TestCompactOfDamagedFile damages a file in several hundred ways. Compact must end well, with everything that was stored, or leave the
// file as it is and nothing beside it.
func TestCompactOfDamagedFile(t *testing.T) {
	whole, _ := wholeDatabase(t)
	path := filepath.Join(t.TempDir(), "sitegrade.db")
	random := rand.New(rand.NewPCG(1, 2))
	refused := 0
	for range 400 {
		content := bytes.Clone(whole)
		for range 1 << random.IntN(8) {
			content[2*4096+random.IntN(len(content)-2*4096)] = byte(random.Uint32())
		}
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		_, _, err := Compact(t.Context(), path)
		if err == nil {
			d := mustOpen(t, path)
			if result := mustCheck(t, d); result.Reports != 60 {
				t.Errorf("%d reports are left", result.Reports)
			}
			if err := d.Close(); err != nil {
				t.Error(err)
			}
			continue
		}
		refused++
		if now, readErr := os.ReadFile(path); readErr != nil || !bytes.Equal(now, content) {
			t.Fatalf("the file changed (%v) by: %v", readErr, err)
		}
		if _, statErr := os.Stat(path + file.CompactSuffix); !errors.Is(statErr, os.ErrNotExist) {
			t.Fatalf("a copy stays after: %v", err)
		}
	}
	if refused == 0 {
		t.Error("no damage was noticed")
	}
	t.Logf("%d of 400 were refused", refused)
}

// TestCutOffCompactLeavesNothing leaves behind what a Compact does that was killed.
func TestCutOffCompactLeavesNothing(t *testing.T) {
	for name, next := range map[string]func(path string) error{
		"open": func(path string) error {
			d, err := Open(path, Options{})
			if err != nil {
				return err
			}
			return d.Close()
		},
		"compact": func(path string) error {
			_, _, err := Compact(t.Context(), path)
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			d := filled(t)
			path := filepath.Join(t.TempDir(), "sitegrade.db")
			if _, err := d.Backup(t.Context(), path); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path+file.CompactSuffix, []byte("half"), 0o600); err != nil {
				t.Fatal(err)
			}
			if err := next(path); err != nil {
				t.Error(err)
			}
			if _, err := os.Stat(path + file.CompactSuffix); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("the copy of the earlier one: %v", err)
			}
		})
	}
}
