package postgres

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"sitegrade/db"
	"sitegrade/db/internal/record"
	"sitegrade/db/postgres/internal/pg"
)

// keep has b store what a create with an idempotency key has made, in the place of an earlier one.
func keep(b *pgx.Batch, account int32, idempotencyKey string, k *record.Kept) {
	var asked []byte
	if k.Known {
		asked = k.Asked.Sum[:]
	}
	b.Queue(`INSERT INTO answers (account, key, report, asked, password_hash, stored, others, status) VALUES ($1, $2, $3, $4, $5, $6, $7, 0) ON CONFLICT (account, key) DO UPDATE
		SET report = EXCLUDED.report, others = EXCLUDED.others, asked = EXCLUDED.asked, password_hash = EXCLUDED.password_hash, stored = EXCLUDED.stored, status = 0, response = NULL`,
		account, keptKey(idempotencyKey), k.ReportID, asked, k.Asked.PasswordHash, k.Stored, k.Others)
}

// liveOf counts the reports of an entry k of answers that are not deleted.
const liveOf = `(SELECT count(*) FROM reports r JOIN projects p ON p.account = r.account AND p.number = r.project
	WHERE r.account = k.account AND r.id = ANY(k.report || k.others))`

// kept returns what is stored for an idempotency key, or ErrNotFound, also when it has expired or all its reports are deleted. Where some are,
// there is no response: it would show them.
func (d *DB) kept(tx *pg.Tx, account int32, idempotencyKey string) (*record.Kept, error) {
	k := new(record.Kept)
	var asked []byte
	var hash *string
	var live int
	err := tx.Row("SELECT k.report, k.others, k.asked, k.password_hash, k.stored, k.status, k.response, "+liveOf+" FROM answers k WHERE k.account = $1 AND k.key = $2",
		[]any{account, keptKey(idempotencyKey)}, &k.ReportID, &k.Others, &asked, &hash, &k.Stored, &k.Status, &k.Packed, &live)
	if err == nil && (live == 0 || record.Expired(k.Stored, d.ms())) {
		err = db.ErrNotFound
	}
	if err != nil {
		return nil, fmt.Errorf("kept response: %w", err)
	}
	if live <= len(k.Others) {
		k.Status, k.Packed = 0, nil
	}
	if k.Known = len(asked) == len(k.Asked.Sum); k.Known {
		k.Asked.Sum = [sha256.Size]byte(asked)
	}
	if hash != nil {
		k.Asked.PasswordHash = *hash
	}
	return k, nil
}

// KeptResponse is documented in db.Store.
func (d *DB) KeptResponse(ctx context.Context, account string, n db.NewReport) (db.KeptResponse, error) {
	a, err := d.account(ctx, account)
	if err != nil {
		return db.KeptResponse{}, err
	}
	k, err := d.kept(d.pool.Direct(ctx), a.Number, n.IdempotencyKey)
	if err != nil {
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
	return d.remove(ctx, account, func(a *pg.Account) error {
		k, err := d.kept(a.Tx, a.Number, key)
		if err != nil || !k.Known { // then the report is shown as it is now
			return err
		}
		return a.Write("UPDATE answers SET status = $3, response = $4 WHERE account = $1 AND key = $2", a.Number, keptKey(key), status, packed)
	})
}

// expiredBatch is how many responses are removed in one transaction.
const expiredBatch = 500

// DeleteExpired is documented in db.Store.
func (d *DB) DeleteExpired(ctx context.Context) (removed int, err error) {
	all, err := accounts(d.pool.Direct(ctx))
	if err != nil {
		return 0, err
	}
	before := d.ms() - db.ResponseLife.Milliseconds()
	for _, a := range all {
		for n := int64(expiredBatch); n == expiredBatch; removed += int(n) {
			n, err = d.pool.Direct(ctx).Exec(`DELETE FROM answers WHERE account = $1 AND key IN (SELECT key FROM answers WHERE account = $1 AND stored <= $2 ORDER BY stored LIMIT $3)`,
				a.Number, before, expiredBatch)
			if err != nil {
				return removed, err
			}
		}
	}
	return removed, nil
}

// once runs make, which stores something, unless the idempotency key has made something before that is still there, whose id it returns then. A
// key that was used for something else is ErrIdempotencyMismatch. What is asked for is compared by its JSON.
func (d *DB) once(a *pg.Account, key string, asked any, there func(uuid.UUID) (bool, error), make func() (uuid.UUID, error)) (id uuid.UUID, again bool, err error) {
	if key == "" {
		id, err = make()
		return id, false, err
	}
	text, err := json.Marshal(asked)
	if err != nil {
		return id, false, err
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%T %s", asked, text))
	if id, again, err = d.madeBefore(a, key, sum, there); again || err != nil {
		return id, again, err
	}
	if id, err = make(); err != nil {
		return id, false, err
	}
	var b pgx.Batch
	keep(&b, a.Number, key, &record.Kept{ReportID: id, Asked: db.Asked{Sum: sum}, Known: true, Stored: d.ms()})
	return id, false, a.Send(&b)
}

// madeBefore returns what an idempotency key has made, if that is still there.
func (d *DB) madeBefore(a *pg.Account, key string, sum [sha256.Size]byte, there func(uuid.UUID) (bool, error)) (id uuid.UUID, found bool, err error) {
	var asked []byte
	var stored int64
	err = a.Row("SELECT report, asked, stored FROM answers WHERE account = $1 AND key = $2", []any{a.Number, keptKey(key)}, &id, &asked, &stored)
	switch {
	case errors.Is(err, db.ErrNotFound), err == nil && record.Expired(stored, d.ms()):
		return id, false, nil
	case err != nil:
		return id, false, err
	case string(asked) != string(sum[:]):
		return id, false, db.ErrIdempotencyMismatch
	}
	found, err = there(id)
	return id, found, err
}
