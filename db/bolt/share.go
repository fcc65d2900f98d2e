package bolt

import (
	"context"
	"crypto/cipher"
	"errors"
	"fmt"
	"sync"

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

// shareKeys are the keys of all accounts, kept in memory: a shared page does not say whose it is.
type shareKeys struct {
	mu         sync.RWMutex
	keys       []shareKey
	generation uint64 // the sequence that the accounts had
}

type shareKey struct {
	account string
	block   cipher.Block
}

// of returns the keys that the accounts of a transaction have. Every change of a key raises the sequence of the accounts' bucket.
func (s *shareKeys) of(tx *bbolt.Tx) ([]shareKey, error) {
	generation := tx.Bucket(accountsBucket).Sequence()
	s.mu.RLock()
	keys, known := s.keys, s.keys != nil && s.generation == generation
	s.mu.RUnlock()
	if known {
		return keys, nil
	}
	keys = []shareKey{}
	if err := eachAccount(tx, func(a *accountTx) error {
		block, err := a.shareCipher()
		keys = append(keys, shareKey{a.name, block})
		return err
	}); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.keys == nil || generation > s.generation {
		s.keys, s.generation = keys, generation
	}
	return keys, nil
}

// sharedRecord returns the report whose shared page has this address, with its account, or ErrNotFound. Under the key of another account
// the address stands for an id at random, which nearly never looks like one of ours: those that do are looked up first.
func (d *DB) sharedRecord(tx *bbolt.Tx, share string) (*accountTx, *record.Record, error) {
	keys, err := d.shareKeys.of(tx)
	if err != nil {
		return nil, nil, err
	}
	encrypted, ok := record.DecodeShare(share)
	now := record.Milliseconds(d.options.Now())
	for _, likely := range []bool{true, false} { // an imported id may be of any form
		for i := 0; ok && i < len(keys); i++ {
			var id uuid.UUID
			keys[i].block.Decrypt(id[:], encrypted[:])
			if likely != (id.Version() == 7 && record.IDTime(id) <= now) {
				continue
			}
			a, r, err := sharedIn(tx, keys[i].account, id)
			if !errors.Is(err, db.ErrNotFound) {
				return a, r, err
			}
		}
	}
	return nil, nil, fmt.Errorf("report: %w", db.ErrNotFound)
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
