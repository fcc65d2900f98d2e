package bolt

import (
	"bytes"
	"context"
	"crypto/cipher"
	"fmt"

	"go.etcd.io/bbolt"

	"sitegrade/db"
	"sitegrade/db/internal/record"
)

// accountTx is one tenant's bucket inside a transaction. All that is below works on it alone, so that one tenant cannot reach
// another's keys.
type accountTx struct {
	name   string
	tx     *bbolt.Tx
	root   *bbolt.Bucket
	opened [len(accountBuckets)]*bbolt.Bucket
	lookup [len(accountBuckets)]*bbolt.Cursor // see get
	shares cipher.Block                       // see share; nil before it is needed
}

func openAccount(tx *bbolt.Tx, name string, root *bbolt.Bucket) *accountTx {
	return &accountTx{name: name, tx: tx, root: root}
}

// bucket returns one of the account's buckets.
func (a *accountTx) bucket(b accountBucket) *bbolt.Bucket {
	if a.opened[b] == nil {
		a.opened[b] = a.root.Bucket([]byte(accountBuckets[b]))
	}
	return a.opened[b]
}

// get returns the value of a key, or nil, as Get of a bucket does. It uses one cursor again and again, where Get makes a new one each time.
func (a *accountTx) get(b accountBucket, key []byte) []byte {
	if a.lookup[b] == nil {
		a.lookup[b] = a.bucket(b).Cursor()
	}
	if found, value := a.lookup[b].Seek(key); bytes.Equal(found, key) {
		return value
	}
	return nil
}

// readAccount returns an account, or ErrNotFound.
func readAccount(tx *bbolt.Tx, name string) (*accountTx, error) {
	root := tx.Bucket(accountsBucket).Bucket([]byte(name))
	if root == nil {
		return nil, fmt.Errorf("account %q: %w", name, db.ErrNotFound)
	}
	return openAccount(tx, name, root), nil
}

// makeAccount returns an account, and makes it if it does not exist.
func makeAccount(tx *bbolt.Tx, name string) (*accountTx, error) {
	if a, err := readAccount(tx, name); err == nil {
		return a, nil
	}
	if err := db.ValidateAccountName(name); err != nil {
		return nil, err
	}
	root, err := tx.Bucket(accountsBucket).CreateBucket([]byte(name))
	if err != nil {
		return nil, err
	}
	if err := makeBuckets(root); err != nil {
		return nil, err
	}
	a := openAccount(tx, name, root)
	return a, a.putShareKey(record.NewShareKey())
}

// makeBuckets makes those buckets of an account that it lacks.
func makeBuckets(root *bbolt.Bucket) error {
	for _, bucket := range accountBuckets {
		if _, err := root.CreateBucketIfNotExists([]byte(bucket)); err != nil {
			return err
		}
	}
	return nil
}

// view runs read over one account in a read transaction.
func (d *DB) view(ctx context.Context, name string, read func(*accountTx) error) error {
	return d.file.Read(ctx, func(tx *bbolt.Tx) error {
		a, err := readAccount(tx, name)
		if err != nil {
			return err
		}
		return read(a)
	})
}

// add runs write over one account, which it makes if need be, and returns when that is on disk. write may run twice. It is for what
// makes the database grow, and returns ErrFull while there is still room for deletions.
func (d *DB) add(ctx context.Context, name string, write func(*accountTx) error) error {
	return d.file.Add(ctx, func(tx *bbolt.Tx) error {
		a, err := makeAccount(tx, name)
		if err != nil {
			return err
		}
		return write(a)
	})
}

// remove is add for deletions, in an account that exists. They may use the room that is kept for them.
func (d *DB) remove(ctx context.Context, name string, write func(*accountTx) error) error {
	return d.file.Remove(ctx, func(tx *bbolt.Tx) error {
		a, err := readAccount(tx, name)
		if err != nil {
			return err
		}
		return write(a)
	})
}

// eachAccount calls visit for every account in the order of their names.
func eachAccount(tx *bbolt.Tx, visit func(*accountTx) error) error {
	accounts := tx.Bucket(accountsBucket)
	return accounts.ForEachBucket(func(name []byte) error {
		return visit(openAccount(tx, string(name), accounts.Bucket(name)))
	})
}
