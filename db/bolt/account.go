package bolt

import (
	"bytes"
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"encoding/base32"
	"errors"
	"fmt"

	"github.com/google/uuid"
	"go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"

	"sitegrade/db"
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

// get returns the value of a key, nil for none, as Get of the bucket does. It uses one cursor again and again, where that makes one each time.
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

// makeAccount returns an account and makes it where there is none.
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
	for _, bucket := range accountBuckets {
		if _, err := root.CreateBucket([]byte(bucket)); err != nil {
			return nil, err
		}
	}
	a := openAccount(tx, name, root)
	shareKey := make([]byte, 16)
	_, _ = rand.Read(shareKey) // never fails (crypto/rand)
	return a, a.bucket(settingsBucket).Put(shareKeyKey, shareKey)
}

// view runs read over one account in a read transaction.
func (d *DB) view(name string, read func(*accountTx) error) error {
	return d.read(func(tx *bbolt.Tx) error {
		a, err := readAccount(tx, name)
		if err != nil {
			return err
		}
		return read(a)
	})
}

// read runs a read transaction. After Close it gives ErrClosed, and where the file is damaged ErrDamaged.
func (d *DB) read(read func(*bbolt.Tx) error) error {
	err := guarded(d.path, func() error { return d.bolt.View(read) })
	if errors.Is(err, bolterrors.ErrDatabaseNotOpen) {
		return db.ErrClosed
	}
	return err
}

// add runs write over one account, made where there is none, and returns when that is on disk. write may run twice. It is for what
// makes the database grow, and gives ErrFull while there is still room for deletions.
func (d *DB) add(ctx context.Context, name string, write func(*accountTx) error) error {
	return d.writer.add(ctx, func(tx *bbolt.Tx) error {
		a, err := makeAccount(tx, name)
		if err != nil {
			return err
		}
		return write(a)
	})
}

// remove is add for deletions, in an account that exists. They may use the room that is kept for them.
func (d *DB) remove(ctx context.Context, name string, write func(*accountTx) error) error {
	return d.writer.remove(ctx, func(tx *bbolt.Tx) error {
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

// shareEncoding is base32 in lower case: 26 letters and digits that can be read out, and that no check of addresses minds.
var shareEncoding = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)

// errShare says that an address is not one of a shared page.
var errShare = errors.New("not the address of a shared page")

// shareCipher returns what turns a report's id into the address part of its shared page and back.
func (a *accountTx) shareCipher() (cipher.Block, error) {
	if a.shares == nil {
		block, err := aes.NewCipher(a.bucket(settingsBucket).Get(shareKeyKey))
		if err != nil {
			return nil, fmt.Errorf("the share key of account %q: %w", a.name, err)
		}
		a.shares = block
	}
	return a.shares, nil
}

// share returns the address part of a report's shared page: its id, encrypted under a key that only this account has. To
// everybody else that is 128 random bits, and no index is needed to find the report again.
func (a *accountTx) share(id uuid.UUID) (string, error) {
	block, err := a.shareCipher()
	if err != nil {
		return "", err
	}
	var out [16]byte
	block.Encrypt(out[:], id[:])
	return shareEncoding.EncodeToString(out[:]), nil
}

// shared returns the id that share was made from, if it was made in this account; otherwise an id that does not exist.
func (a *accountTx) shared(share string) (uuid.UUID, error) {
	var id uuid.UUID
	in, err := shareEncoding.DecodeString(share)
	if err != nil || len(in) != len(id) || shareEncoding.EncodeToString(in) != share { // one address, one spelling
		return id, errShare
	}
	block, err := a.shareCipher()
	if err != nil {
		return id, err
	}
	block.Decrypt(id[:], in)
	return id, nil
}
