// Package tenant has what the rooms of the engine share that keep records beside the reports: one account's buckets inside a transaction, records
// as JSON under their ids, and lists of the few that an account has.
package tenant

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"go.etcd.io/bbolt"

	"sitegrade/db"
	"sitegrade/db/bolt/internal/form"
	"sitegrade/sortfilter"
)

// Account is one tenant's bucket inside a transaction. Whoever has one cannot reach what is another's.
type Account struct {
	Name string
	Root *bbolt.Bucket
}

// Bucket returns one of the account's buckets by its name in the schema.
func (a Account) Bucket(name string) *bbolt.Bucket { return a.Root.Bucket([]byte(name)) }

// Engine is what a room needs of the engine around it. Functions that write return once what they wrote is on disk, and may run twice.
type Engine struct {
	View   func(ctx context.Context, account string, read func(Account) error) error // ErrNotFound if there is no such account
	Add    func(ctx context.Context, account string, write func(Account) error) error
	Remove func(ctx context.Context, account string, write func(Account) error) error
	// Each runs read over all accounts in one transaction.
	Each func(ctx context.Context, read func(Account) error) error
	// Once runs make, which stores a record among records, unless the idempotency key has made one before that is still there; then it returns
	// the id of that one.
	Once func(a Account, key string, records *bbolt.Bucket, asked any, make func() (uuid.UUID, error)) (id uuid.UUID, again bool, err error)
	// Project returns a project of the account by id or name, or ErrNotFound.
	Project func(a Account, nameOrID string) (db.ProjectRef, error)
	NextID  func() uuid.UUID // while writing
	Now     func() time.Time // in UTC, to the millisecond
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
func Get[T any](b *bbolt.Bucket, key []byte) (T, error) {
	stored := b.Get(key)
	if stored == nil {
		var none T
		return none, db.ErrNotFound
	}
	return Decode[T](stored)
}

// Put stores a record under a key.
func Put[T any](b *bbolt.Bucket, key []byte, record T) error {
	stored, err := json.Marshal(record)
	if err != nil {
		return fmt.Errorf("storing a record: %w", err)
	}
	return b.Put(key, stored)
}

// All returns the records of a bucket, by id. It is for those of which an account has few.
func All[T any](b *bbolt.Bucket) ([]T, error) {
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
	var record T
	if err := json.Unmarshal(stored, &record); err != nil {
		return record, fmt.Errorf("%w: %v", form.Err, err)
	}
	return record, nil
}

// Has reports whether a bucket has a key, whose value may be empty.
func Has(b *bbolt.Bucket, key []byte) bool {
	k, _ := b.Cursor().Seek(key)
	return bytes.Equal(k, key)
}

// Count returns how many records a bucket has.
func Count(b *bbolt.Bucket) int {
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
