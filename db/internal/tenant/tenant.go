// Package tenant has what the rooms of the engine share that keep records beside the reports: one account's buckets inside a transaction, records
// as JSON under their ids, and lists of the few that an account has.
package tenant

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"sitegrade/db"
	"sitegrade/db/internal/record"
	"sitegrade/sortfilter"
)

// Account is one tenant's buckets inside a transaction. Whoever has one cannot reach what is another's.
type Account struct {
	Name string
	Root Root // what the engine has beside them
}

// Root is an account inside a transaction of an engine.
type Root interface {
	// Bucket returns one of the account's buckets by its name in the schema.
	Bucket(name string) Bucket
}

// Bucket returns one of the account's buckets by its name in the schema.
func (a Account) Bucket(name string) Bucket { return a.Root.Bucket(name) }

// Bucket is a part of what an account has: keys in their order, each with a value. What it gives is valid inside the transaction only, and is not
// changed. Where the engine cannot read, there is nothing to be found, and the transaction fails.
type Bucket interface {
	// Get returns the value of a key, nil where there is not one.
	Get(key []byte) []byte
	// Ahead tells the engine which keys Get will be asked for, so that it may read them together.
	Ahead(keys ...[]byte)
	Put(key, value []byte) error
	Delete(key []byte) error
	Cursor() Cursor
	// ForEach calls visit for each entry, which must not write to the bucket.
	ForEach(visit func(key, value []byte) error) error

	// Bucket returns the bucket of a name within this one, nil where there is not one.
	Bucket(name []byte) Bucket
	CreateBucketIfNotExists(name []byte) (Bucket, error)
	// DeleteBucket removes a bucket that exists.
	DeleteBucket(name []byte) error
	// ForEachBucket calls visit with the name of each bucket within this one.
	ForEachBucket(visit func(name []byte) error) error
}

// Cursor goes through a bucket in the order of its keys. Each method returns a nil key where there is no further entry.
type Cursor interface {
	First() (key, value []byte)
	Last() (key, value []byte)
	Next() (key, value []byte)
	Prev() (key, value []byte)
	// Seek goes to a key, or to the next one where it does not exist.
	Seek(key []byte) (found, value []byte)
}

// Engine is what a room needs of the engine around it. Functions that write return once what they wrote is on disk, and may run twice.
type Engine struct {
	View   func(ctx context.Context, account string, read func(Account) error) error // ErrNotFound if there is no such account
	Add    func(ctx context.Context, account string, write func(Account) error) error
	Remove func(ctx context.Context, account string, write func(Account) error) error
	// Each runs read in one transaction over the accounts that have something in a bucket, or over all where it is "".
	Each func(ctx context.Context, bucket string, read func(Account) error) error
	// Due returns the accounts that have entries in a bucket whose keys, which begin with a moment (MomentKey), have come, or some of them; and the
	// first moment of the others, zero where there is not one.
	Due func(ctx context.Context, bucket string, now time.Time) (accounts []string, next time.Time, err error)
	// Once runs make, which stores a record among records, unless the idempotency key has made one before that is still there; then it returns
	// the id of that one.
	Once func(a Account, key string, records Bucket, asked any, make func() (uuid.UUID, error)) (id uuid.UUID, again bool, err error)
	// Project returns a project of the account by id or name, or ErrNotFound.
	Project func(a Account, nameOrID string) (db.ProjectRef, error)
	NextID  func() uuid.UUID // while writing
	Now     func() time.Time // in UTC, to the millisecond
}

// MomentKey returns the key of a moment, in milliseconds: those of later moments come behind it.
func MomentKey(t time.Time) []byte { return binary.BigEndian.AppendUint64(nil, uint64(t.UnixMilli())) }

// MomentOf returns the moment that a key begins with.
func MomentOf(key []byte) time.Time {
	return time.UnixMilli(int64(binary.BigEndian.Uint64(key))).UTC()
}

// AlsoWrong returns what is wrong with a request beside what was found without looking at the account.
func (e Engine) AlsoWrong(ctx context.Context, account string, wrong error, look func(Account) error) error {
	err := e.View(ctx, account, look)
	if errors.Is(err, db.ErrNotFound) {
		err = nil // an account that has nothing yet
	}
	return db.AlsoInvalid(wrong, err)
}

// Get returns the record of a key, or ErrNotFound.
func Get[T any](b Bucket, key []byte) (T, error) {
	stored := b.Get(key)
	if stored == nil {
		var none T
		return none, db.ErrNotFound
	}
	return Decode[T](stored)
}

// Put stores a record under a key.
func Put[T any](b Bucket, key []byte, record T) error {
	stored, err := json.Marshal(record)
	if err != nil {
		return fmt.Errorf("storing a record: %w", err)
	}
	return b.Put(key, stored)
}

// All returns the records of a bucket, by id. It is for those of which an account has few.
func All[T any](b Bucket) ([]T, error) {
	var all []T
	c := b.Cursor()
	for id, stored := c.First(); id != nil; id, stored = c.Next() {
		record, err := Decode[T](stored)
		if err != nil {
			return nil, err
		}
		all = append(all, record)
	}
	return all, nil
}

// Decode reads what Put stored.
func Decode[T any](stored []byte) (T, error) {
	var read T
	if err := json.Unmarshal(stored, &read); err != nil {
		return read, fmt.Errorf("%w: %v", record.ErrDamaged, err)
	}
	return read, nil
}

// Has reports whether a bucket has a key, whose value may be empty.
func Has(b Bucket, key []byte) bool {
	k, _ := b.Cursor().Seek(key)
	return bytes.Equal(k, key)
}

// Count returns how many records a bucket has.
func Count(b Bucket) int {
	n := 0
	c := b.Cursor()
	for id, _ := c.First(); id != nil; id, _ = c.Next() {
		n++
	}
	return n
}

// Page returns one page of records that come by creation. A search looks at what text returns.
func Page[T any](all []T, q sortfilter.Query, text func(T) string) db.Page[T] {
	if q.Search != "" {
		wanted := sortfilter.Fold(q.Search)
		all = slices.DeleteFunc(all, func(r T) bool { return !strings.Contains(sortfilter.Fold(text(r)), wanted) })
	}
	if !q.Ascending {
		slices.Reverse(all)
	}
	from := min(q.Offset(), len(all))
	return db.Page[T]{Rows: all[from:min(from+q.PerPage, len(all))], Total: len(all)}
}
