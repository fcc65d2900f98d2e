package bolt

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"

	"go.etcd.io/bbolt"

	"sitegrade/db"
	"sitegrade/db/bolt/internal/form"
	"sitegrade/db/internal/record"
)

func keptKey(idempotencyKey string) []byte {
	hash := sha256.Sum256([]byte(idempotencyKey))
	return hash[:]
}

func keptTimeKey(stored int64, key []byte) []byte {
	return append(binary.BigEndian.AppendUint64(nil, uint64(stored)), key...)
}

// kept returns what is stored for an idempotency key, or ErrNotFound, also when it has expired or its report is deleted.
func (a *accountTx) kept(idempotencyKey string, now int64) (*record.Kept, error) {
	stored := a.bucket(keptBucket).Get(keptKey(idempotencyKey))
	if stored == nil {
		return nil, fmt.Errorf("kept response: %w", db.ErrNotFound)
	}
	k, err := form.ReadKept(stored)
	if err != nil {
		return nil, err
	}
	if record.Expired(k.Stored, now) {
		return nil, fmt.Errorf("kept response: %w", db.ErrNotFound)
	}
	_, err = a.liveRecord(k.ReportID)
	return k, err
}

// putKept stores k for an idempotency key, in the place of an earlier one.
func (a *accountTx) putKept(idempotencyKey string, k *record.Kept) error {
	key := keptKey(idempotencyKey)
	return errors.Join(
		a.removeKept(key),
		a.bucket(keptBucket).Put(key, form.Kept(k)),
		a.bucket(keptTimesBucket).Put(keptTimeKey(k.Stored, key), nil))
}

func (a *accountTx) removeKept(key []byte) error {
	stored := a.bucket(keptBucket).Get(key)
	if stored == nil {
		return nil
	}
	k, err := form.ReadKept(stored)
	if err != nil {
		return err
	}
	return errors.Join(
		a.bucket(keptBucket).Delete(key),
		a.bucket(keptTimesBucket).Delete(keptTimeKey(k.Stored, key)))
}

// removeKeptOf removes what is kept of a report's create. It was stored at the moment of the create.
func (a *accountTx) removeKeptOf(r *record.Record) error {
	moment := binary.BigEndian.AppendUint64(nil, uint64(r.Created))
	c := a.bucket(keptTimesBucket).Cursor()
	for k, _ := c.Seek(moment); bytes.HasPrefix(k, moment); k, _ = c.Next() {
		key := bytes.Clone(k[len(moment):])
		if bytes.HasPrefix(a.bucket(keptBucket).Get(key), r.ID[:]) {
			return a.removeKept(key)
		}
	}
	return nil
}

// removeExpired removes up to n responses that are kept no longer, and returns how many it removed.
func (a *accountTx) removeExpired(now int64, n int) (removed int, err error) {
	var expired [][]byte
	c := a.bucket(keptTimesBucket).Cursor()
	for k, _ := c.First(); k != nil && len(expired) < n && record.Expired(int64(binary.BigEndian.Uint64(k)), now); k, _ = c.Next() {
		expired = append(expired, bytes.Clone(k[8:]))
	}
	for _, key := range expired {
		if err := a.removeKept(key); err != nil {
			return 0, err
		}
	}
	return len(expired), nil
}

// expiredBatch is how many responses are removed in one transaction, of each account.
const expiredBatch = 500

// DeleteExpired is documented in db.Store.
func (d *DB) DeleteExpired(ctx context.Context) (removed int, err error) {
	for {
		some, err := d.hasExpired(ctx)
		if err != nil || !some {
			return removed, err
		}
		n := 0
		if err := d.file.Remove(ctx, func(tx *bbolt.Tx) error {
			n = 0
			return eachAccount(tx, func(a *accountTx) error {
				m, err := a.removeExpired(record.Milliseconds(d.options.Now()), expiredBatch)
				n += m
				return err
			})
		}); err != nil || n == 0 {
			return removed, err
		}
		removed += n
	}
}

// hasExpired reports whether DeleteExpired would remove something. Most of the time nothing is, and no commit is made for it.
func (d *DB) hasExpired(ctx context.Context) (some bool, err error) {
	err = d.file.Read(ctx, func(tx *bbolt.Tx) error {
		return eachAccount(tx, func(a *accountTx) error {
			k, _ := a.bucket(keptTimesBucket).Cursor().First()
			some = some || k != nil && record.Expired(int64(binary.BigEndian.Uint64(k)), record.Milliseconds(d.options.Now()))
			return nil
		})
	})
	return some, err
}

// KeptResponse is documented in db.Store. A password is compared outside of the transaction, since that takes long.
func (d *DB) KeptResponse(ctx context.Context, account string, n db.NewReport) (db.KeptResponse, error) {
	var k *record.Kept
	if err := d.view(ctx, account, func(a *accountTx) (err error) {
		k, err = a.kept(n.IdempotencyKey, record.Milliseconds(d.options.Now()))
		return err
	}); err != nil {
		return db.KeptResponse{}, err
	}
	if k.Known {
		if err := k.Asked.Matches(ctx, n); err != nil {
			return db.KeptResponse{}, err
		}
	}
	response, err := record.Unpack(k.Packed)
	if err != nil {
		return db.KeptResponse{}, fmt.Errorf("unpacking a kept response: %w", err)
	}
	return db.KeptResponse{ReportID: k.ReportID, Status: k.Status, Response: response}, nil
}

// KeepResponse is documented in db.Store.
func (d *DB) KeepResponse(ctx context.Context, account, key string, status int, response []byte) error {
	packed := record.Pack(response)
	return d.add(ctx, account, func(a *accountTx) error {
		k, err := a.kept(key, record.Milliseconds(d.options.Now()))
		if err != nil || !k.Known { // then the report is shown as it is now
			return err
		}
		k.Status, k.Packed = status, packed
		return a.bucket(keptBucket).Put(keptKey(key), form.Kept(k))
	})
}
