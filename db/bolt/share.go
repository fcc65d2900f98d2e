package bolt

import (
	"context"
	"crypto/cipher"
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/google/uuid"
	"go.etcd.io/bbolt"

	"sitegrade/audit"
	"sitegrade/db"
	"sitegrade/db/internal/record"
)

// record.ShareCipher returns what turns a report's id into the address part of its shared page and back.
func (a *accountTx) shareCipher() (cipher.Block, error) {
	if a.shares == nil {
		block, err := record.ShareCipher(a.bucket(settingsBucket).Get(shareKeyKey))
		if err != nil {
			return nil, fmt.Errorf("the share key of account %q: %w", a.name, err)
		}
		a.shares = block
	}
	return a.shares, nil
}

// putShareKey stores the key of an account, and raises the number by which readers see that they know an earlier one.
func (a *accountTx) putShareKey(key []byte) error {
	accounts := a.tx.Bucket(accountsBucket)
	return errors.Join(a.bucket(settingsBucket).Put(shareKeyKey, key), accounts.SetSequence(accounts.Sequence()+1))
}

// share returns the address part of a report's shared page.
func (a *accountTx) share(id uuid.UUID) (string, error) {
	block, err := a.shareCipher()
	if err != nil {
		return "", err
	}
	return record.EncodeShare(block, id), nil
}

// findShared calls find with each account and id that the address of a shared page may stand for, until it finds something.
func (d *DB) findShared(tx *bbolt.Tx, share string, find func(account string, id uuid.UUID) error) error {
	keys, err := d.shareKeys.Of(tx.Bucket(accountsBucket).Sequence(), func(add func(string, cipher.Block)) error {
		return eachAccount(tx, func(a *accountTx) error {
			block, err := a.shareCipher()
			add(a.name, block)
			return err
		})
	})
	if err != nil {
		return err
	}
	return keys.Find(share, record.Milliseconds(d.options.Now()), find)
}

// sharedRecord returns the report whose shared page has this address, with its account, or ErrNotFound.
func (d *DB) sharedRecord(tx *bbolt.Tx, share string) (a *accountTx, r *record.Record, err error) {
	err = d.findShared(tx, share, func(account string, id uuid.UUID) (err error) {
		a, r, err = sharedIn(tx, account, id)
		return err
	})
	return a, r, err
}

// SharedProject is documented in db.Store.
func (d *DB) SharedProject(ctx context.Context, share string) (account string, shown db.Project, err error) {
	err = d.eachShared(ctx, share, func(a *accountTx, id uuid.UUID) error {
		account = a.name
		shown, err = a.sharedProject(record.SiteOf(id))
		return err
	})
	return account, shown, err
}

// eachShared is findShared in a transaction of its own.
func (d *DB) eachShared(ctx context.Context, share string, find func(*accountTx, uuid.UUID) error) error {
	return d.file.Read(ctx, func(tx *bbolt.Tx) error {
		return d.findShared(tx, share, func(account string, id uuid.UUID) error {
			a, err := readAccount(tx, account)
			if err != nil {
				return err
			}
			return find(a, id)
		})
	})
}

// sharedProject returns the project of that id unless its site is private.
func (a *accountTx) sharedProject(id uuid.UUID) (db.Project, error) {
	number := a.bucket(projectIDsBucket).Get(id[:])
	if number == nil {
		return db.Project{}, fmt.Errorf("project: %w", db.ErrNotFound)
	}
	p, err := a.project(binary.BigEndian.Uint32(number))
	if err != nil {
		return db.Project{}, err
	}
	shown, err := a.showProject(p, 0)
	if err == nil && shown.Privacy == db.Private {
		err = fmt.Errorf("project: %w", db.ErrNotFound)
	}
	return shown, err
}

// sharedIn returns the report of that id if it is one of the account and not private.
func sharedIn(tx *bbolt.Tx, account string, id uuid.UUID) (*accountTx, *record.Record, error) {
	a, err := readAccount(tx, account)
	if err != nil {
		return nil, nil, err
	}
	r, err := a.liveRecord(id)
	if err == nil && r.Privacy == db.Private {
		err = fmt.Errorf("report: %w", db.ErrNotFound)
	}
	return a, r, err
}

// ReportByShare is documented in db.Store.
func (d *DB) ReportByShare(ctx context.Context, share string) (account string, shown db.Report, found *audit.Report, err error) {
	var f findings
	if err := d.file.Read(ctx, func(tx *bbolt.Tx) error {
		a, r, err := d.sharedRecord(tx, share)
		if err != nil {
			return err
		}
		account = a.name
		shown, f, err = d.showWhole(a, r)
		return err
	}); err != nil {
		return "", db.Report{}, nil, err
	}
	found, err = f.compared()
	return account, shown, found, err
}

// SharedReport is documented in db.Store.
func (d *DB) SharedReport(ctx context.Context, share string) (account string, shown db.Report, err error) {
	err = d.file.Read(ctx, func(tx *bbolt.Tx) error {
		a, r, err := d.sharedRecord(tx, share)
		if err != nil {
			return err
		}
		account = a.name
		shown, err = d.showRecord(a, r)
		return err
	})
	return account, shown, err
}
