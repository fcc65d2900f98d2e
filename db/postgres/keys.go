package postgres

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"sitegrade/auth"
	"sitegrade/db"
	"sitegrade/db/internal/record"
	"sitegrade/db/postgres/internal/pg"
	"sitegrade/sortfilter"
)

const keyColumns = "k.id, a.name, k.name, k.hash, k.scopes, k.created, k.expires, k.last_used, k.revoked FROM keys k JOIN accounts a ON a.account = k.account"

func scanKey(rows pgx.Row) (k auth.Key, err error) {
	var hash []byte
	var created, expires, used, revoked int64
	err = rows.Scan(&k.ID, &k.Account, &k.Name, &hash, &k.Scopes, &created, &expires, &used, &revoked)
	copy(k.Hash[:], hash)
	k.CreatedAt, k.ExpiresAt, k.LastUsed, k.RevokedAt = record.Instant(created), record.Instant(expires), record.Instant(used), record.Instant(revoked)
	return k, err
}

// key returns the key for which a condition on k holds, or ErrNotFound.
func key(tx *pg.Tx, condition string, args ...any) (auth.Key, error) {
	found, err := pg.All(tx, "SELECT "+keyColumns+" WHERE "+condition, args, func(rows pgx.Rows) (auth.Key, error) { return scanKey(rows) })
	if err == nil && len(found) == 0 {
		err = fmt.Errorf("API key: %w", db.ErrNotFound)
	}
	if err != nil {
		return auth.Key{}, err
	}
	return found[0], nil
}

// CreateKey is documented in db.Store.
func (d *DB) CreateKey(ctx context.Context, k auth.Key) (auth.Key, error) {
	if err := db.ValidateKey(k); err != nil {
		return auth.Key{}, err
	}
	var stored auth.Key
	err := d.add(ctx, k.Account, func(a *pg.Account) error {
		stored = d.completed(k)
		return addKey(a, stored)
	})
	return stored, err
}

// completed returns a key with what is not given.
func (d *DB) completed(k auth.Key) auth.Key {
	if k.CreatedAt.IsZero() {
		k.CreatedAt = d.now()
	}
	if k.ID == uuid.Nil {
		k.ID = d.nextID()
	}
	return k
}

// addKey stores a new key. The error is *db.InvalidError unless its id and its hash are free.
func addKey(a *pg.Account, k auth.Key) error {
	stored, err := a.Exec("INSERT INTO keys (id, hash, account, name, scopes, created, expires, revoked, last_used) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT DO NOTHING",
		k.ID, k.Hash[:], a.Number, k.Name, k.Scopes, record.Milliseconds(k.CreatedAt), record.Milliseconds(k.ExpiresAt), record.Milliseconds(k.RevokedAt), record.Milliseconds(k.LastUsed))
	if err == nil && stored == 0 {
		err = &db.InvalidError{Fields: []db.FieldError{{Field: "key", Detail: "exists already"}}}
	}
	return err
}

// IssueKey is documented in db.Store.
func (d *DB) IssueKey(ctx context.Context, account string, n db.NewKey) (made auth.Key, again bool, err error) {
	wanted, err := n.Validate(account, d.now())
	if err != nil {
		return auth.Key{}, false, err
	}
	err = d.add(ctx, account, func(a *pg.Account) (err error) {
		var id uuid.UUID
		there := func(id uuid.UUID) (bool, error) {
			_, err := key(a.Tx, "k.id = $1", id)
			if errors.Is(err, db.ErrNotFound) {
				return false, nil
			}
			return err == nil, err
		}
		id, again, err = d.once(a, n.IdempotencyKey, n, there, func() (uuid.UUID, error) {
			k := d.completed(wanted)
			return k.ID, addKey(a, k)
		})
		if err != nil {
			return err
		}
		made, err = key(a.Tx, "k.id = $1", id)
		return err
	})
	return made, again, err
}

// KeyByHash is documented in db.Store. Nothing is remembered between requests, so a key that was revoked on another server opens nothing any more.
func (d *DB) KeyByHash(ctx context.Context, hash auth.Hash) (auth.Key, error) {
	return key(d.pool.Direct(ctx), "k.hash = $1", hash[:])
}

// Keys is documented in db.Store.
func (d *DB) Keys(ctx context.Context, account string) ([]auth.Key, error) {
	return keysIn(d.pool.Direct(ctx), account)
}

// keysIn returns the keys of an account, or of all if account is "", by account and id.
func keysIn(tx *pg.Tx, account string) ([]auth.Key, error) {
	return pg.All(tx, "SELECT "+keyColumns+" WHERE $1 = '' OR a.name = $1 ORDER BY a.name, k.id", []any{account}, func(rows pgx.Rows) (auth.Key, error) { return scanKey(rows) })
}

// ListKeys is documented in db.Store. An account has few of them.
func (d *DB) ListKeys(ctx context.Context, account string, q sortfilter.Query) (db.Page[auth.Key], error) {
	all, err := d.Keys(ctx, account)
	slices.SortStableFunc(all, func(x, y auth.Key) int { return x.CreatedAt.Compare(y.CreatedAt) })
	if q.Search != "" {
		wanted := sortfilter.Fold(q.Search)
		all = slices.DeleteFunc(all, func(k auth.Key) bool { return !strings.Contains(sortfilter.Fold(k.Name), wanted) })
	}
	if !q.Ascending {
		slices.Reverse(all)
	}
	from := min(q.Offset(), len(all))
	return db.Page[auth.Key]{Rows: all[from:min(from+q.PerPage, len(all))], Total: len(all)}, err
}

// RevokeKey is documented in db.Store.
func (d *DB) RevokeKey(ctx context.Context, id uuid.UUID) (auth.Key, error) {
	k, err := key(d.pool.Direct(ctx), "k.id = $1", id)
	if err != nil {
		return auth.Key{}, err
	}
	return d.revoke(ctx, k.Account, id, false)
}

// RevokeKeyOf is documented in db.Store.
func (d *DB) RevokeKeyOf(ctx context.Context, account string, id uuid.UUID) (auth.Key, error) {
	return d.revoke(ctx, account, id, true)
}

// revoke revokes a key of an account. Nobody makes or revokes another key of the account meanwhile.
func (d *DB) revoke(ctx context.Context, account string, id uuid.UUID, keepAdmin bool) (k auth.Key, err error) {
	err = d.remove(ctx, account, func(a *pg.Account) error {
		if k, err = key(a.Tx, "k.id = $1 AND k.account = $2", id, a.Number); err != nil {
			return err
		}
		if keepAdmin {
			if err := d.leavesAdmin(a.Tx, k); err != nil {
				return err
			}
		}
		if !k.RevokedAt.IsZero() {
			return nil
		}
		k.RevokedAt = d.now()
		return a.Write("UPDATE keys SET revoked = $2 WHERE id = $1", id, record.Milliseconds(k.RevokedAt))
	})
	if errors.Is(err, db.ErrNotFound) {
		err = fmt.Errorf("API key: %w", db.ErrNotFound)
	}
	return k, err
}

// leavesAdmin returns ErrLastAdmin if a key is the only one of its account that can be used and has the scope admin.
func (d *DB) leavesAdmin(tx *pg.Tx, k auth.Key) error {
	administers := func(k auth.Key) bool { return k.Usable(d.now()) && k.Scopes.Has(auth.Admin) }
	if !administers(k) {
		return nil
	}
	all, err := keysIn(tx, k.Account)
	if err == nil && !slices.ContainsFunc(all, func(other auth.Key) bool { return other.ID != k.ID && administers(other) }) {
		err = db.ErrLastAdmin
	}
	return err
}

// TouchKeys is documented in db.Store.
func (d *DB) TouchKeys(ctx context.Context, used map[uuid.UUID]time.Time) error {
	ids, moments := make([]uuid.UUID, 0, len(used)), make([]int64, 0, len(used))
	for id := range used {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, func(x, y uuid.UUID) int { return strings.Compare(string(x[:]), string(y[:])) })
	for _, id := range ids {
		moments = append(moments, record.Milliseconds(used[id].UTC().Truncate(time.Minute)))
	}
	return d.pool.Direct(ctx).Write(`UPDATE keys SET last_used = at FROM unnest($1::uuid[], $2::bigint[]) x(touched, at) WHERE id = touched AND last_used < at`, ids, moments)
}
