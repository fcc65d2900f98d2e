// Package bearer finds the API key that a request was made with, for every interface that programs use, and notes when keys were last used.
package bearer

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

// Challenge is what WWW-Authenticate says with every 401 (RFC 6750, section 3): the same whatever is wrong with the key.
const Challenge = `Bearer realm="sitegrade"`

// ErrNoKey says that a request has no good key. It is the same for a key that is missing, malformed, unknown, expired or revoked.
var ErrNoKey = errors.New("no valid API key")

// Keys finds the keys of requests. It is safe for concurrent use. Close it after the server has stopped.
type Keys struct {
	store db.Store
	usage *usage
}

// New returns what finds the keys of a database.
func New(store db.Store, log *slog.Logger) *Keys { return &Keys{store, newUsage(store, log)} }

// Close stores what is still in memory: the last uses of keys.
func (k *Keys) Close(ctx context.Context) error { return k.usage.storeAll(ctx) }

// Of returns the key that the header of a request has, and notes its use. The error is ErrNoKey or one of the database.
func (k *Keys) Of(ctx context.Context, h http.Header, now time.Time) (auth.Key, error) {
	secret := token(h)
	if !auth.WellFormed(secret) {
		return auth.Key{}, ErrNoKey
	}
	key, err := k.store.KeyByHash(ctx, auth.HashSecret(secret))
	switch {
	case errors.Is(err, db.ErrNotFound):
		return auth.Key{}, ErrNoKey
	case err != nil:
		return auth.Key{}, err
	case !key.Usable(now):
		return auth.Key{}, ErrNoKey
	}
	k.usage.note(key, now)
	return key, nil
}

// token returns that of the Authorization header; "" where there is none, or more than one.
func token(h http.Header) string {
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
