package bolt

import (
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"
)

// TestFirstOpenings opens a database that does not exist from many sides at once: one gets it, and the others are told that it is in use.
func TestFirstOpenings(t *testing.T) {
	for range 2 {
		path := filepath.Join(t.TempDir(), "sitegrade.db")
		if err := os.WriteFile(path+".new-1", nil, 0o600); err != nil { // of a start that was killed
			t.Fatal(err)
		}
		var opened []*DB
		var mu sync.Mutex
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				d, err := Open(path, Options{})
				mu.Lock()
				defer mu.Unlock()
				switch {
				case err == nil:
					opened = append(opened, d)
				case !errors.Is(err, ErrInUse):
					t.Error(err)
				}
			})
		}
		all.Wait()
		if len(opened) != 1 {
			t.Errorf("%d have it open", len(opened))
		}
		for _, d := range opened {
			if err := d.Close(); err != nil {
				t.Error(err)
			}
		}
		if left, err := filepath.Glob(path + ".new-*"); err != nil || left != nil {
			t.Errorf("%q is left, %v", left, err)
		}
	}
}
