package bolt

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"
	"go.etcd.io/bbolt"

	"sitegrade/auth"
	"sitegrade/db"
	"sitegrade/db/bolt/internal/form"
)

// CreateKey is documented in db.Store.
func (d *DB) CreateKey(ctx context.Context, k auth.Key) (auth.Key, error) {
	if err := db.ValidateKey(k); err != nil {
		return auth.Key{}, err
	}
	var stored auth.Key
	err := d.add(ctx, k.Account, func(a *accountTx) error {
		stored = k
		if stored.CreatedAt.IsZero() {
			stored.CreatedAt = d.options.Now().UTC().Truncate(time.Millisecond)
		}
		if stored.ID == uuid.Nil {
			stored.ID = d.ids.Next(stored.CreatedAt)
		}
		return addKey(a.tx, stored)
	})
	return stored, err
}

// addKey stores a new key. Its id and its hash must be free.
func addKey(tx *bbolt.Tx, k auth.Key) error {
	if tx.Bucket(keyHashesBucket).Get(k.Hash[:]) != nil || tx.Bucket(keysBucket).Get(k.ID[:]) != nil {
		return &db.InvalidError{Fields: []db.FieldError{{Field: "key", Detail: "exists already"}}}
	}
	return errors.Join(putKey(tx, k), tx.Bucket(keyHashesBucket).Put(k.Hash[:], k.ID[:]))
}

func putKey(tx *bbolt.Tx, k auth.Key) error {
	stored, err := json.Marshal(k)
	if err != nil {
		return fmt.Errorf("storing an API key: %w", err)
	}
	return tx.Bucket(keysBucket).Put(k.ID[:], stored)
}

func keyByID(tx *bbolt.Tx, id uuid.UUID) (auth.Key, error) {
	return decodeKey(tx.Bucket(keysBucket).Get(id[:]))
}

func decodeKey(stored []byte) (auth.Key, error) {
	var k auth.Key
	if stored == nil {
		return k, fmt.Errorf("API key: %w", db.ErrNotFound)
	}
	if err := json.Unmarshal(stored, &k); err != nil {
		return k, fmt.Errorf("%w: API key: %v", form.Err, err)
	}
	return k, nil
}

// KeyByHash is documented in db.Store. Every request asks this, so keys that were found are remembered until a key is written.
func (d *DB) KeyByHash(ctx context.Context, hash auth.Hash) (k auth.Key, err error) {
	k, known, generation := d.keys.get(hash)
	if known {
		return k, nil
	}
	err = d.file.Read(ctx, func(tx *bbolt.Tx) error {
		id := tx.Bucket(keyHashesBucket).Get(hash[:])
		if id == nil {
			return fmt.Errorf("API key: %w", db.ErrNotFound)
		}
		k, err = keyByID(tx, uuid.UUID(id))
		return err
	})
	if err == nil {
		d.keys.put(k, generation)
	}
	return k, err
}

// keyCache remembers API keys. A key that was read before the last write is not taken.
type keyCache struct {
	mu         sync.RWMutex
	keys       map[auth.Hash]auth.Key
	generation uint64 // how often keys were written
}

// maxCachedKeys bounds the memory that remembered keys take.
const maxCachedKeys = 10_000

func (c *keyCache) get(hash auth.Hash) (k auth.Key, known bool, generation uint64) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	k, known = c.keys[hash]
	return k, known, c.generation
}

func (c *keyCache) put(k auth.Key, generation uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if generation != c.generation || len(c.keys) >= maxCachedKeys {
		return
	}
	if c.keys == nil {
		c.keys = map[auth.Hash]auth.Key{}
	}
	c.keys[k.Hash] = k
}

func (c *keyCache) forget() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.keys = nil
	c.generation++
}

// Keys is documented in db.Store.
func (d *DB) Keys(ctx context.Context, account string) ([]auth.Key, error) {
	var keys []auth.Key
	err := d.file.Read(ctx, func(tx *bbolt.Tx) error {
		return tx.Bucket(keysBucket).ForEach(func(_, stored []byte) error {
			k, err := decodeKey(stored)
			if err == nil && (account == "" || account == k.Account) {
				keys = append(keys, k)
			}
			return err
		})
	})
	slices.SortStableFunc(keys, func(x, y auth.Key) int { return strings.Compare(x.Account, y.Account) })
	return keys, err
}

// RevokeKey is documented in db.Store.
func (d *DB) RevokeKey(ctx context.Context, id uuid.UUID) (k auth.Key, err error) {
	defer d.keys.forget()
	err = d.file.Remove(ctx, func(tx *bbolt.Tx) error {
		if k, err = keyByID(tx, id); err != nil {
			return err
		}
		if k.RevokedAt.IsZero() {
			k.RevokedAt = d.options.Now().UTC().Truncate(time.Millisecond)
		}
		return putKey(tx, k)
	})
	return k, err
}

// TouchKeys is documented in db.Store.
func (d *DB) TouchKeys(ctx context.Context, used map[uuid.UUID]time.Time) error {
	defer d.keys.forget()
	return d.file.Add(ctx, func(tx *bbolt.Tx) error {
		for id, at := range used {
			k, err := keyByID(tx, id)
			if errors.Is(err, db.ErrNotFound) || err == nil && !at.After(k.LastUsed) {
				continue
			} else if err != nil {
				return err
			}
			k.LastUsed = at.UTC().Truncate(time.Minute)
			if err := putKey(tx, k); err != nil {
				return err
			}
		}
		return nil
	})
}
