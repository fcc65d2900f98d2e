package postgres

import (
	"context"
	"crypto/cipher"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"sitegrade/audit"
	"sitegrade/db"
	"sitegrade/db/postgres/internal/pg"
)

// findShared calls find with each account and id that the address of a shared page may stand for, until it finds something.
func (d *DB) findShared(ctx context.Context, share string, find func(a pg.Ref, id uuid.UUID) error) error {
	tx := d.pool.Direct(ctx)
	var generation uint64
	if err := tx.Row("SELECT shares FROM tenants WHERE account = 0", nil, &generation); err != nil {
		return err
	}
	keys, err := d.shareKeys.Of(generation, func(add func(string, cipher.Block)) error {
		return tx.Each("SELECT name, share_key FROM accounts", nil, func(rows pgx.Rows) error {
			var name string
			var key []byte
			if err := rows.Scan(&name, &key); err != nil {
				return err
			}
			block, err := d.ciphers.of(key)
			add(name, block)
			return err
		})
	})
	if err != nil {
		return err
	}
	return keys.Find(share, d.ms(), func(account string, id uuid.UUID) error {
		a, err := d.account(ctx, account)
		if err != nil {
			return err
		}
		return find(a, id)
	})
}

// sharedRow returns the report of a shared page, with its account.
func (d *DB) sharedRow(ctx context.Context, share string) (a pg.Ref, r row, err error) {
	tx := d.pool.Direct(ctx)
	err = d.findShared(ctx, share, func(candidate pg.Ref, id uuid.UUID) error {
		found, err := liveRow(tx, candidate.Number, id)
		if err == nil && found.Privacy == db.Private {
			err = errNoReport
		}
		a, r = candidate, found
		return err
	})
	return a, r, err
}

// ReportByShare is documented in db.Store.
func (d *DB) ReportByShare(ctx context.Context, share string) (account string, shown db.Report, found *audit.Report, err error) {
	owner, r, err := d.sharedRow(ctx, share)
	if err != nil {
		return "", db.Report{}, nil, err
	}
	var f findings
	if err := d.pool.View(ctx, func(tx *pg.Tx) error {
		a := &pg.Account{Tx: tx, Ref: owner}
		if r, err = liveRow(tx, owner.Number, r.ID); err != nil {
			return err
		}
		if r.Privacy == db.Private { // since it was found
			return errNoReport
		}
		shown, f, err = d.showWhole(a, &r)
		return err
	}); err != nil {
		return "", db.Report{}, nil, err
	}
	found, err = f.compared()
	return owner.Name, shown, found, err
}

// SharedReport is documented in db.Store.
func (d *DB) SharedReport(ctx context.Context, share string) (account string, shown db.Report, err error) {
	owner, r, err := d.sharedRow(ctx, share)
	if err != nil {
		return "", db.Report{}, err
	}
	shown, err = d.show(&r)
	return owner.Name, shown, err
}
