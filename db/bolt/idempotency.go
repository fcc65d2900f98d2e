package bolt

import (
	"context"
	"errors"
	"fmt"

	"go.etcd.io/bbolt"

	"sitegrade/db"
	"sitegrade/db/bolt/internal/kept"
	"sitegrade/db/internal/record"
)

// kept returns what is stored for an idempotency key, or ErrNotFound, also when it has expired or all its reports are deleted. Where some are,
// there is no response: it would show them.
func (a *accountTx) kept(idempotencyKey string, now int64) (*record.Kept, error) {
	k, err := kept.Get(a.tenant(), idempotencyKey, now)
	if err != nil {
		return nil, err
	}
	live := 0
	for _, id := range k.Made() {
		if _, err = a.liveRecord(id); err == nil {
			live++
		} else if !errors.Is(err, db.ErrNotFound) {
			return nil, err
		}
	}
	if live == 0 {
		return nil, err
	}
	if live <= len(k.Others) {
		k.Status, k.Packed = 0, nil
	}
	return k, nil
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
				m, err := kept.RemoveExpired(a.tenant(), record.Milliseconds(d.options.Now()), expiredBatch)
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
			some = some || kept.HasExpired(a.tenant(), record.Milliseconds(d.options.Now()))
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
		return kept.Respond(a.tenant(), key, k)
	})
}
