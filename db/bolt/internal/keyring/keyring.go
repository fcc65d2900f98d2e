// Package keyring keeps the API keys of all accounts. They stand beside the accounts, since a request names its key and not its account.
package keyring

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"go.etcd.io/bbolt"

	"sitegrade/auth"
	"sitegrade/db"
	"sitegrade/db/bolt/internal/bucket"
	"sitegrade/db/internal/tenant"
	"sitegrade/sortfilter"
)

// The buckets of the file that this package keeps; the schema tells what is in them.
const (
	Keys   = "keys"
	Hashes = "key_hashes"
)

// Ring keeps keys. It has the methods of db.Store for them. Functions that write return once what they wrote is on disk, and may run twice.
type Ring struct {
	Engine tenant.Engine
	Tx     func(tenant.Account) *bbolt.Tx // that an account is in
	Read   func(ctx context.Context, read func(*bbolt.Tx) error) error
	Add    func(ctx context.Context, write func(*bbolt.Tx) error) error
	Remove func(ctx context.Context, write func(*bbolt.Tx) error) error // may use the room that is kept for deletions

	cache cache
}

func keys(tx *bbolt.Tx) bucket.Bucket   { return bucket.Of(tx.Bucket([]byte(Keys))) }
func hashes(tx *bbolt.Tx) bucket.Bucket { return bucket.Of(tx.Bucket([]byte(Hashes))) }

// CreateKey is documented in db.Store.
func (s *Ring) CreateKey(ctx context.Context, k auth.Key) (auth.Key, error) {
	if err := db.ValidateKey(k); err != nil {
		return auth.Key{}, err
	}
	var stored auth.Key
	err := s.Engine.Add(ctx, k.Account, func(a tenant.Account) (err error) {
		stored = s.completed(k)
		return Add(s.Tx(a), stored)
	})
	return stored, err
}

// completed returns a key with what is not given.
func (s *Ring) completed(k auth.Key) auth.Key {
	if k.CreatedAt.IsZero() {
		k.CreatedAt = s.Engine.Now()
	}
	if k.ID == uuid.Nil {
		k.ID = s.Engine.NextID()
	}
	return k
}

// IssueKey is documented in db.Store.
func (s *Ring) IssueKey(ctx context.Context, account string, n db.NewKey) (made auth.Key, again bool, err error) {
	wanted, err := n.Validate(account, s.Engine.Now())
	if err != nil {
		return auth.Key{}, false, err
	}
	err = s.Engine.Add(ctx, account, func(a tenant.Account) (err error) {
		tx := s.Tx(a)
		var id uuid.UUID
		id, again, err = s.Engine.Once(a, n.IdempotencyKey, keys(tx), n, func() (uuid.UUID, error) {
			k := s.completed(wanted)
			return k.ID, Add(tx, k)
		})
		if err != nil {
			return err
		}
		made, err = byID(tx, id)
		return err
	})
	return made, again, err
}

// Add stores a new key. The error is *db.InvalidError unless its id and its hash are free.
func Add(tx *bbolt.Tx, k auth.Key) error {
	if hashes(tx).Get(k.Hash[:]) != nil || keys(tx).Get(k.ID[:]) != nil {
		return &db.InvalidError{Fields: []db.FieldError{{Field: "key", Detail: "exists already"}}}
	}
	return errors.Join(put(tx, k), hashes(tx).Put(k.Hash[:], k.ID[:]))
}

// Import stores a key of an export unless there is one with its id or secret, and reports whether it did. What its line does not say is
// filled in.
func Import(tx *bbolt.Tx, k auth.Key, now time.Time, next func(time.Time) uuid.UUID) (bool, error) {
	if k.CreatedAt.IsZero() {
		k.CreatedAt = now
	}
	if k.ID == uuid.Nil {
		k.ID = next(now)
	}
	err := Add(tx, k)
	if errors.As(err, new(*db.InvalidError)) {
		return false, nil
	}
	return err == nil, err
}

func put(tx *bbolt.Tx, k auth.Key) error { return tenant.Put(keys(tx), k.ID[:], k) }

func byID(tx *bbolt.Tx, id uuid.UUID) (auth.Key, error) {
	k, err := tenant.Get[auth.Key](keys(tx), id[:])
	if err != nil {
		return k, fmt.Errorf("API key: %w", err)
	}
	return k, nil
}

// KeyByHash is documented in db.Store. Every request asks this, so keys that were found are remembered until a key is written.
func (s *Ring) KeyByHash(ctx context.Context, hash auth.Hash) (k auth.Key, err error) {
	k, known, generation := s.cache.get(hash)
	if known {
		return k, nil
	}
	err = s.Read(ctx, func(tx *bbolt.Tx) error {
		id := hashes(tx).Get(hash[:])
		if id == nil {
			return fmt.Errorf("API key: %w", db.ErrNotFound)
		}
		k, err = byID(tx, uuid.UUID(id))
		return err
	})
	if err == nil {
		s.cache.put(k, generation)
	}
	return k, err
}

// Keys is documented in db.Store.
func (s *Ring) Keys(ctx context.Context, account string) (all []auth.Key, err error) {
	err = s.Read(ctx, func(tx *bbolt.Tx) error {
		all, err = of(tx, account)
		return err
	})
	slices.SortStableFunc(all, func(x, y auth.Key) int { return strings.Compare(x.Account, y.Account) })
	return all, err
}

// of returns the keys of an account, or of all if account is "", by id.
func of(tx *bbolt.Tx, account string) ([]auth.Key, error) {
	all, err := tenant.All[auth.Key](keys(tx))
	return slices.DeleteFunc(all, func(k auth.Key) bool { return account != "" && account != k.Account }), err
}

// ListKeys is documented in db.Store.
func (s *Ring) ListKeys(ctx context.Context, account string, q sortfilter.Query) (page db.Page[auth.Key], err error) {
	all, err := s.Keys(ctx, account)
	slices.SortStableFunc(all, func(x, y auth.Key) int { return x.CreatedAt.Compare(y.CreatedAt) })
	return tenant.Page(all, q, func(k auth.Key) string { return k.Name }), err
}

// RevokeKey is documented in db.Store.
func (s *Ring) RevokeKey(ctx context.Context, id uuid.UUID) (auth.Key, error) {
	return s.revoke(ctx, id, func(*bbolt.Tx, auth.Key) error { return nil })
}

// RevokeKeyOf is documented in db.Store.
func (s *Ring) RevokeKeyOf(ctx context.Context, account string, id uuid.UUID) (auth.Key, error) {
	return s.revoke(ctx, id, func(tx *bbolt.Tx, k auth.Key) error {
		if k.Account != account {
			return fmt.Errorf("API key: %w", db.ErrNotFound)
		}
		return s.leavesAdmin(tx, k)
	})
}

// leavesAdmin returns ErrLastAdmin if a key is the only one of its account that can be used and has the scope admin.
func (s *Ring) leavesAdmin(tx *bbolt.Tx, k auth.Key) error {
	administers := func(k auth.Key) bool { return k.Usable(s.Engine.Now()) && k.Scopes.Has(auth.Admin) }
	if !administers(k) {
		return nil
	}
	all, err := of(tx, k.Account)
	if err == nil && !slices.ContainsFunc(all, func(other auth.Key) bool { return other.ID != k.ID && administers(other) }) {
		err = db.ErrLastAdmin
	}
	return err
}

// revoke revokes a key that allowed lets pass.
func (s *Ring) revoke(ctx context.Context, id uuid.UUID, allowed func(*bbolt.Tx, auth.Key) error) (k auth.Key, err error) {
	defer s.cache.forget()
	err = s.Remove(ctx, func(tx *bbolt.Tx) error {
		if k, err = byID(tx, id); err != nil {
			return err
		}
		if err := allowed(tx, k); err != nil {
			return err
		}
		if k.RevokedAt.IsZero() {
			k.RevokedAt = s.Engine.Now()
		}
		return put(tx, k)
	})
	return k, err
}

// TouchKeys is documented in db.Store.
func (s *Ring) TouchKeys(ctx context.Context, used map[uuid.UUID]time.Time) error {
	defer s.cache.forget()
	return s.Add(ctx, func(tx *bbolt.Tx) error {
		for id, at := range used {
			k, err := byID(tx, id)
			if errors.Is(err, db.ErrNotFound) || err == nil && !at.After(k.LastUsed) {
				continue
			} else if err != nil {
				return err
			}
			k.LastUsed = at.UTC().Truncate(time.Minute)
			if err := put(tx, k); err != nil {
				return err
			}
		}
		return nil
	})
}

// Check compares what is derived from the keys with them, calls differ for each difference, and returns how many keys there are.
func Check(tx *bbolt.Tx, hasAccount func(name string) bool, differ func(format string, args ...any)) (n int, err error) {
	err = keys(tx).ForEach(func(id, stored []byte) error {
		n++
		k, err := tenant.Decode[auth.Key](stored)
		switch {
		case err != nil:
			differ("API key %x: %v", id, err)
		case !bytes.Equal(k.ID[:], id) || !bytes.Equal(hashes(tx).Get(k.Hash[:]), id):
			differ("API key %s: its secret does not lead to it", k.ID)
		case !hasAccount(k.Account):
			differ("API key %s: its account %q is missing", k.ID, k.Account)
		}
		return nil
	})
	if found := tenant.Count(hashes(tx)); found != n {
		differ("key_hashes: %d entries for %d keys", found, n)
	}
	return n, err
}
