package bearer

import (
	"context"
	"log/slog"
	"net/http"
	"testing"
	"time"

	"sitegrade/auth"
	"sitegrade/db/bolt"
	"sitegrade/httpx/httpxtest"
)

// TestUsesOfAMinuteAreStoredOnce holds that a use waits to be stored unless that minute is stored already.
func TestUsesOfAMinuteAreStoredOnce(t *testing.T) {
	s := httpxtest.New(t, bolt.Options{})
	secret, _ := s.StoreKey(auth.Key{Account: "default", Scopes: auth.Read})
	keys, header := New(s.Store, slog.New(slog.DiscardHandler)), http.Header{"Authorization": {"Bearer " + secret}}
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for _, waiting := range []int{1, 0} {
		if _, err := keys.Of(context.Background(), header, now); err != nil {
			t.Fatal(err)
		}
		if n := len(keys.usage.used); n != waiting {
			t.Errorf("%d keys wait to be stored, not %d", n, waiting)
		}
		if err := keys.Close(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
}
