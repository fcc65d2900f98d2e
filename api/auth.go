package api

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"

	"sitegrade/auth"
	"sitegrade/db"
)

// challenge is what WWW-Authenticate says with every 401 (RFC 6750, section 3): the same whatever is wrong with the key.
const challenge = `Bearer realm="sitegrade"`

// authenticate finds the key of a request. The problem is the same for a key that is missing, malformed, unknown, expired or revoked.
func (a *API) authenticate(x *request) error {
	secret := bearer(x.r.Header)
	if !auth.WellFormed(secret) {
		return unauthorized
	}
	key, err := a.store.KeyByHash(x.r.Context(), auth.HashSecret(secret))
	if errors.Is(err, db.ErrNotFound) {
		return unauthorized
	}
	if err != nil {
		return err
	}
	now := a.Now()
	if !key.Usable(now) {
		return unauthorized
	}
	x.key, x.Key = key, key.ID
	a.usage.note(key, now)
	return nil
}

// bearer returns the token of the Authorization header; "" where there is none, or more than one.
func bearer(h http.Header) string {
	values := h.Values("Authorization")
	if len(values) != 1 {
		return ""
	}
	scheme, token, _ := strings.Cut(values[0], " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return ""
	}
	return strings.TrimLeft(token, " ")
}

// usageDelay is how long the last use of a key stays in memory alone.
const usageDelay = 10 * time.Second

// usage gathers the last uses of keys, at minute grain, and stores many at once: a write for each request would cost more than
// most requests do.
type usage struct {
	store db.Store
	log   *slog.Logger
	mu    sync.Mutex
	used  map[uuid.UUID]time.Time
	timer *time.Timer // runs while used is not empty
}

func newUsage(store db.Store, log *slog.Logger) *usage {
	return &usage{store: store, log: log, used: map[uuid.UUID]time.Time{}}
}

// note remembers that a key was used, unless that minute is stored already.
func (u *usage) note(key auth.Key, now time.Time) {
	minute := now.UTC().Truncate(time.Minute)
	if !key.LastUsed.Before(minute) {
		return
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.timer == nil {
		u.timer = time.AfterFunc(usageDelay, u.flush)
	}
	u.used[key.ID] = minute
}

// flush stores what was gathered. What could not be stored is not worth another attempt: the next use comes soon.
func (u *usage) flush() {
	if err := u.storeAll(context.Background()); err != nil {
		u.log.Warn("the last uses of keys could not be stored", slog.Any("cause", err))
	}
}

func (u *usage) storeAll(ctx context.Context) error {
	u.mu.Lock()
	used := maps.Clone(u.used)
	clear(u.used)
	if u.timer != nil {
		u.timer.Stop()
		u.timer = nil
	}
	u.mu.Unlock()
	if len(used) == 0 {
		return nil
	}
	return u.store.TouchKeys(ctx, used)
}

func (u *usage) close(ctx context.Context) error { return u.storeAll(ctx) }
