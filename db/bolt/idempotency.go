package bolt

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/google/uuid"
	"go.etcd.io/bbolt"

	"sitegrade/db"
)

// kept is what is stored for an idempotency key.
type kept struct {
	reportID uuid.UUID
	asked    db.Asked
	known    bool  // whether asked is
	stored   int64 // when the report was created, in ms
	status   int
	packed   []byte // the response
}

// askedForm is added to the status of what is stored since what was asked for is compared without its password. What is older has a sum that a
// password could be guessed from; it is compared with nothing, and gone after a day.
const askedForm = 1000

// encode returns the stored form: the report's id, the sum, the time, the status, the password's hash, the response.
func (k *kept) encode() []byte {
	b := make([]byte, 0, 160+len(k.packed))
	b = append(b, k.reportID[:]...)
	b = append(b, k.asked.Sum[:]...)
	b = binary.AppendVarint(b, k.stored)
	b = binary.AppendUvarint(b, uint64(k.status+askedForm))
	b = appendText(b, k.asked.PasswordHash)
	return append(b, k.packed...)
}

// decodeKept reads what encode wrote, and what an earlier version did, whose responses are not packed.
func decodeKept(stored []byte) (*kept, error) {
	k := new(kept)
	d := decoder{rest: stored}
	copy(k.reportID[:], d.take(16))
	copy(k.asked.Sum[:], d.take(32))
	k.stored, k.status = d.varint(), int(d.uvarint())
	if k.known = k.status >= askedForm; k.known {
		k.status -= askedForm
		k.asked.PasswordHash = d.text()
		k.packed = bytes.Clone(d.rest)
	} else {
		k.packed = findingsEncoder.EncodeAll(d.rest, nil)
	}
	if d.failed {
		return nil, fmt.Errorf("%w: a kept response", errRecord)
	}
	return k, nil
}

func keptKey(idempotencyKey string) []byte {
	hash := sha256.Sum256([]byte(idempotencyKey))
	return hash[:]
}

func keptTimeKey(stored int64, key []byte) []byte {
	return append(binary.BigEndian.AppendUint64(nil, uint64(stored)), key...)
}

func isExpired(stored, now int64) bool { return now-stored >= db.ResponseLife.Milliseconds() }

// kept returns what is stored for an idempotency key, or ErrNotFound, also when it has expired or its report is deleted.
func (a *accountTx) kept(idempotencyKey string, now int64) (*kept, error) {
	stored := a.bucket(keptBucket).Get(keptKey(idempotencyKey))
	if stored == nil {
		return nil, fmt.Errorf("kept response: %w", db.ErrNotFound)
	}
	k, err := decodeKept(stored)
	if err != nil {
		return nil, err
	}
	if isExpired(k.stored, now) {
		return nil, fmt.Errorf("kept response: %w", db.ErrNotFound)
	}
	_, err = a.liveRecord(k.reportID)
	return k, err
}

// putKept stores k for an idempotency key, in the place of an earlier one.
func (a *accountTx) putKept(idempotencyKey string, k *kept) error {
	key := keptKey(idempotencyKey)
	return errors.Join(
		a.removeKept(key),
		a.bucket(keptBucket).Put(key, k.encode()),
		a.bucket(keptTimesBucket).Put(keptTimeKey(k.stored, key), nil))
}

func (a *accountTx) removeKept(key []byte) error {
	stored := a.bucket(keptBucket).Get(key)
	if stored == nil {
		return nil
	}
	k, err := decodeKept(stored)
	if err != nil {
		return err
	}
	return errors.Join(
		a.bucket(keptBucket).Delete(key),
		a.bucket(keptTimesBucket).Delete(keptTimeKey(k.stored, key)))
}

// removeKeptOf removes what is kept of a report's create. It was stored at the moment of the create.
func (a *accountTx) removeKeptOf(r *record) error {
	moment := binary.BigEndian.AppendUint64(nil, uint64(r.created))
	c := a.bucket(keptTimesBucket).Cursor()
	for k, _ := c.Seek(moment); bytes.HasPrefix(k, moment); k, _ = c.Next() {
		key := bytes.Clone(k[len(moment):])
		if bytes.HasPrefix(a.bucket(keptBucket).Get(key), r.id[:]) {
			return a.removeKept(key)
		}
	}
	return nil
}

// removeExpired removes up to n responses that are kept no longer, and returns how many it removed.
func (a *accountTx) removeExpired(now int64, n int) (removed int, err error) {
	var expired [][]byte
	c := a.bucket(keptTimesBucket).Cursor()
	for k, _ := c.First(); k != nil && len(expired) < n && isExpired(int64(binary.BigEndian.Uint64(k)), now); k, _ = c.Next() {
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
		some, err := d.hasExpired()
		if err != nil || !some {
			return removed, err
		}
		n := 0
		if err := d.file.Remove(ctx, func(tx *bbolt.Tx) error {
			n = 0
			return eachAccount(tx, func(a *accountTx) error {
				m, err := a.removeExpired(milliseconds(d.options.Now()), expiredBatch)
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
func (d *DB) hasExpired() (some bool, err error) {
	err = d.file.Read(func(tx *bbolt.Tx) error {
		return eachAccount(tx, func(a *accountTx) error {
			k, _ := a.bucket(keptTimesBucket).Cursor().First()
			some = some || k != nil && isExpired(int64(binary.BigEndian.Uint64(k)), milliseconds(d.options.Now()))
			return nil
		})
	})
	return some, err
}

// KeptResponse is documented in db.Store. A password is compared outside of the transaction, since that takes long.
func (d *DB) KeptResponse(ctx context.Context, account string, n db.NewReport) (db.KeptResponse, error) {
	var k *kept
	if err := d.view(account, func(a *accountTx) (err error) {
		k, err = a.kept(n.IdempotencyKey, milliseconds(d.options.Now()))
		return err
	}); err != nil {
		return db.KeptResponse{}, err
	}
	if k.known {
		if err := k.asked.Matches(ctx, n); err != nil {
			return db.KeptResponse{}, err
		}
	}
	response, err := findingsDecoder.DecodeAll(k.packed, nil)
	if err != nil {
		return db.KeptResponse{}, fmt.Errorf("unpacking a kept response: %w", err)
	}
	return db.KeptResponse{ReportID: k.reportID, Status: k.status, Response: response}, nil
}

// KeepResponse is documented in db.Store.
func (d *DB) KeepResponse(ctx context.Context, account, key string, status int, response []byte) error {
	packed := findingsEncoder.EncodeAll(response, nil)
	return d.add(ctx, account, func(a *accountTx) error {
		k, err := a.kept(key, milliseconds(d.options.Now()))
		if err != nil || !k.known { // then the report is shown as it is now
			return err
		}
		k.status, k.packed = status, packed
		return a.bucket(keptBucket).Put(keptKey(key), k.encode())
	})
}
