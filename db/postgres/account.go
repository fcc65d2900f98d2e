package postgres

import (
	"context"
	"crypto/cipher"
	"errors"
	"fmt"
	"sync"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"sitegrade/db"
	"sitegrade/db/internal/record"
	"sitegrade/db/postgres/internal/marks"
	"sitegrade/db/postgres/internal/pg"
)

// account returns an account by its name, or ErrNotFound. Accounts stay, and so do their numbers.
func (d *DB) account(ctx context.Context, name string) (pg.Ref, error) {
	if known, ok := d.numbers.Load(name); ok {
		return pg.Ref{Name: name, Number: known.(int32)}, ctx.Err()
	}
	a := pg.Ref{Name: name}
	if err := d.pool.Direct(ctx).Row("SELECT account FROM accounts WHERE name = $1", []any{name}, &a.Number); err != nil {
		return pg.Ref{}, fmt.Errorf("account %q: %w", name, err)
	}
	d.numbers.Store(name, a.Number)
	return a, nil
}

// makeAccount returns an account, and makes it if it does not exist.
func (d *DB) makeAccount(ctx context.Context, name string) (pg.Ref, error) {
	a, err := d.account(ctx, name)
	if !errors.Is(err, db.ErrNotFound) {
		return a, err
	}
	if err := db.ValidateAccountName(name); err != nil {
		return pg.Ref{}, err
	}
	err = d.pool.Update(ctx, func(tx *pg.Tx) error { return addAccount(tx, name, record.NewShareKey()) })
	if err != nil {
		return pg.Ref{}, err
	}
	return d.account(ctx, name)
}

// addAccount makes an account unless it exists.
func addAccount(tx *pg.Tx, name string, shareKey []byte) error {
	var shares, next int64
	if err := lockShares(tx, &shares); err != nil { // one at a time
		return err
	}
	if err := tx.Row("SELECT coalesce(max(account), 0) + 1 FROM accounts", nil, &next); err != nil {
		return err
	}
	made, err := tx.Exec("INSERT INTO accounts (name, account, share_key) VALUES ($1, $2, $3) ON CONFLICT (name) DO NOTHING", name, next, shareKey)
	if err != nil || made == 0 {
		return err
	}
	var b pgx.Batch
	b.Queue("INSERT INTO tenants (account) VALUES ($1)", next)
	b.Queue("UPDATE tenants SET shares = shares + 1 WHERE account = 0")
	marks.Open(&b, int32(next))
	return tx.Send(&b)
}

// lockShares has nobody else add accounts or change share keys until the end of the transaction, and returns how often that was done.
func lockShares(tx *pg.Tx, shares *int64) error {
	return tx.Row("SELECT shares FROM tenants WHERE account = 0 FOR NO KEY UPDATE", nil, shares)
}

// view runs read over one account in a transaction that sees one moment.
func (d *DB) view(ctx context.Context, name string, read func(*pg.Account) error) error {
	a, err := d.account(ctx, name)
	if err != nil {
		return err
	}
	return d.pool.View(ctx, func(tx *pg.Tx) error { return read(&pg.Account{Tx: tx, Ref: a}) })
}

// add runs write over one account, which it makes if need be, and returns once that is stored. write may run twice.
func (d *DB) add(ctx context.Context, name string, write func(*pg.Account) error) error {
	a, err := d.makeAccount(ctx, name)
	if err != nil {
		return err
	}
	return d.pool.Write(ctx, a, write)
}

// remove is add in an account that exists.
func (d *DB) remove(ctx context.Context, name string, write func(*pg.Account) error) error {
	a, err := d.account(ctx, name)
	if err != nil {
		return err
	}
	return d.pool.Write(ctx, a, write)
}

// accounts returns all accounts, in the order of their names.
func accounts(tx *pg.Tx) ([]pg.Ref, error) {
	return pg.All(tx, "SELECT name, account FROM accounts ORDER BY name", nil, func(rows pgx.Rows) (a pg.Ref, err error) {
		err = rows.Scan(&a.Name, &a.Number)
		return a, err
	})
}

// ciphers are what addresses of shared pages are made with, by the share key. Nothing that others may change is kept here.
type ciphers struct{ known sync.Map }

// of returns the cipher of a share key.
func (c *ciphers) of(key []byte) (cipher.Block, error) {
	if known, ok := c.known.Load(string(key)); ok {
		return known.(cipher.Block), nil
	}
	block, err := record.ShareCipher(key)
	if err != nil {
		return nil, fmt.Errorf("the share key of an account: %w", err)
	}
	c.known.Store(string(key), block)
	return block, nil
}

// share returns the address part of the shared page of a report, or of what record.SiteOf stands for.
func (d *DB) share(key []byte, id uuid.UUID) (string, error) {
	block, err := d.ciphers.of(key)
	if err != nil {
		return "", err
	}
	return record.EncodeShare(block, id), nil
}
