// Package kept keeps, for each idempotency key of an account, which reports or which other record its create made, and the response to it.
package kept

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/google/uuid"

	"sitegrade/db"
	"sitegrade/db/bolt/internal/form"
	"sitegrade/db/internal/record"
	"sitegrade/db/internal/tenant"
)

// The buckets of an account that this package keeps; the schema tells what is in them.
const (
	Responses = "answers"
	Times     = "answer_times"
)

// Key returns what an idempotency key is stored under.
func Key(idempotencyKey string) []byte {
	hash := sha256.Sum256([]byte(idempotencyKey))
	return hash[:]
}

// TimeKey returns the entry of Times for a stored key.
func TimeKey(stored int64, key []byte) []byte {
	return append(binary.BigEndian.AppendUint64(nil, uint64(stored)), key...)
}

// Get returns what is stored for an idempotency key, or ErrNotFound, also when it has expired. now is in ms.
func Get(a tenant.Account, idempotencyKey string, now int64) (*record.Kept, error) {
	stored := a.Bucket(Responses).Get(Key(idempotencyKey))
	if stored == nil {
		return nil, fmt.Errorf("kept response: %w", db.ErrNotFound)
	}
	k, err := form.ReadKept(stored)
	if err == nil && record.Expired(k.Stored, now) {
		err = fmt.Errorf("kept response: %w", db.ErrNotFound)
	}
	return k, err
}

// Put stores k for an idempotency key, in the place of an earlier one.
func Put(a tenant.Account, idempotencyKey string, k *record.Kept) error {
	key := Key(idempotencyKey)
	return errors.Join(
		remove(a, key),
		a.Bucket(Responses).Put(key, form.Kept(k)),
		a.Bucket(Times).Put(TimeKey(k.Stored, key), nil))
}

// Respond stores k, which has its response now, in the place of what Get gave.
func Respond(a tenant.Account, idempotencyKey string, k *record.Kept) error {
	return a.Bucket(Responses).Put(Key(idempotencyKey), form.Kept(k))
}

func remove(a tenant.Account, key []byte) error {
	stored := a.Bucket(Responses).Get(key)
	if stored == nil {
		return nil
	}
	k, err := form.ReadKept(stored)
	if err != nil {
		return err
	}
	return errors.Join(
		a.Bucket(Responses).Delete(key),
		a.Bucket(Times).Delete(TimeKey(k.Stored, key)))
}

// RemoveOf removes what is kept of the create of a report, which was stored at the moment of the create. Where that made others too, it removes
// the response alone, which shows the report, and a repetition is told what is left.
func RemoveOf(a tenant.Account, report uuid.UUID, created int64) error {
	moment := binary.BigEndian.AppendUint64(nil, uint64(created))
	c := a.Bucket(Times).Cursor()
	for t, _ := c.Seek(moment); bytes.HasPrefix(t, moment); t, _ = c.Next() {
		key := bytes.Clone(t[len(moment):])
		k, err := form.ReadKept(a.Bucket(Responses).Get(key))
		switch {
		case err != nil:
			return err
		case !slices.Contains(k.Made(), report):
		case len(k.Others) == 0:
			return remove(a, key)
		default:
			k.Status, k.Packed = 0, nil
			return a.Bucket(Responses).Put(key, form.Kept(k))
		}
	}
	return nil
}

// HasExpired reports whether something is kept that RemoveExpired removes.
func HasExpired(a tenant.Account, now int64) bool {
	t, _ := a.Bucket(Times).Cursor().First()
	return t != nil && record.Expired(int64(binary.BigEndian.Uint64(t)), now)
}

// RemoveExpired removes up to n of what is kept no longer, and returns how many it removed.
func RemoveExpired(a tenant.Account, now int64, n int) (removed int, err error) {
	var expired [][]byte
	c := a.Bucket(Times).Cursor()
	for t, _ := c.First(); t != nil && len(expired) < n && record.Expired(int64(binary.BigEndian.Uint64(t)), now); t, _ = c.Next() {
		expired = append(expired, bytes.Clone(t[8:]))
	}
	for _, key := range expired {
		if err := remove(a, key); err != nil {
			return 0, err
		}
	}
	return len(expired), nil
}
