package dbtest

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/google/uuid"

	"sitegrade/db"
)

func (s suite) testConcurrentWritersShareCommitsAndLoseNothing(t *testing.T) {
	d := s.open(t, Options{})
	var wg sync.WaitGroup
	for client := range 16 {
		wg.Go(func() {
			for i := range 40 {
				r, err := d.CreateReport(context.Background(), "a", db.NewReport{URL: fmt.Sprintf("https://example.com/%d/%d", client, i)})
				if err != nil {
					t.Error(err)
					return
				}
				if i%2 == 0 {
					if err := d.DeleteReport(context.Background(), "a", r.ID, nil); err != nil {
						t.Error(err)
					}
				}
				if err := d.DeleteReport(context.Background(), "a", uuid.Max, nil); !errors.Is(err, db.ErrNotFound) {
					t.Errorf("a failing write beside others gives %v", err)
				}
			}
		})
	}
	wg.Wait()
	if page, err := d.Reports(t.Context(), "a", Query(nil)); err != nil || page.Total != 320 {
		t.Errorf("%d reports, %v", page.Total, err)
	}
}

func (s suite) testWritesAfterCloseAreRefused(t *testing.T) {
	d, err := s.engine(Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := d.CreateReport(t.Context(), "a", db.NewReport{URL: "https://example.com/"}); !errors.Is(err, db.ErrClosed) {
		t.Errorf("writing gives %v", err)
	}
	if _, err := d.Reports(t.Context(), "a", Query(nil)); !errors.Is(err, db.ErrClosed) {
		t.Errorf("reading gives %v", err)
	}
}
