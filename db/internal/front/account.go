// Package front keeps how an account is set up and shows itself: its language, its brand with the logo, and the forms that its sites frame.
package front

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"

	"sitegrade/db"
	"sitegrade/db/internal/tenant"
)

// The buckets of an account that this package keeps; the schema tells what is in them. Its settings stand in a bucket that there was before,
// under SettingsKey.
const (
	Forms       = "forms"
	Logos       = "logos"
	settings    = "settings"
	settingsKey = "account"
)

// Desk keeps how accounts show themselves. It has the methods of db.Store for that.
type Desk struct {
	Engine tenant.Engine
	// Share returns the address of what has an id.
	Share func(a tenant.Account, id uuid.UUID) (string, error)
	// Shared calls find with each account and id that an address may stand for, until that returns another error than db.ErrNotFound, or nil.
	Shared func(ctx context.Context, share string, find func(a tenant.Account, id uuid.UUID) error) error
	// MakeProject returns the project of a name, and makes it if it does not exist.
	MakeProject func(a tenant.Account, name string) (db.ProjectRef, error)
	// CreateReport stores a report, whose project is given by its id.
	CreateReport func(a tenant.Account, n db.NewReport, project uuid.UUID) (db.Report, error)
	// Raise writes an event, and reports whether somebody is told.
	Raise func(a tenant.Account, e db.Event) (bool, error)
	// Announce tells the process what has changed.
	Announce func(db.News)
}

// Account is documented in db.Store.
func (s *Desk) Account(ctx context.Context, name string) (shown db.Account, err error) {
	err = s.Engine.View(ctx, name, func(a tenant.Account) error {
		shown, err = s.account(a)
		return err
	})
	if errors.Is(err, db.ErrNotFound) {
		return db.Account{Name: name}, nil
	}
	return shown, err
}

// stored returns how an account is set up, as it is stored.
func stored(a tenant.Account) (db.Account, error) {
	set, err := tenant.Get[db.Account](a.Bucket(settings), []byte(settingsKey))
	if errors.Is(err, db.ErrNotFound) {
		err = nil
	}
	return set, err
}

// account returns how an account is set up.
func (s *Desk) account(a tenant.Account) (db.Account, error) {
	shown, err := stored(a)
	if shown.Name = a.Name; err == nil && shown.Logo != uuid.Nil {
		shown.LogoShare, err = s.Share(a, shown.Logo)
	}
	return shown, err
}

// put stores how an account is set up, with a new logo where that is not nil.
func put(a tenant.Account, changed db.Account, logo *db.Logo) error {
	changed.Name, changed.LogoShare = "", ""
	err := tenant.Put(a.Bucket(settings), []byte(settingsKey), changed)
	if changed.Logo == uuid.Nil || logo != nil {
		for _, old := range keys(a, Logos) {
			err = errors.Join(err, a.Bucket(Logos).Delete(old[:]))
		}
	}
	if logo != nil {
		err = errors.Join(err, tenant.Put(a.Bucket(Logos), logo.ID[:], logo))
	}
	return err
}

// keys returns the ids that a bucket has records of.
func keys(a tenant.Account, bucket string) []uuid.UUID {
	var all []uuid.UUID
	c := a.Bucket(bucket).Cursor()
	for k, _ := c.First(); k != nil; k, _ = c.Next() {
		all = append(all, uuid.UUID(k))
	}
	return all
}

// UpdateAccount is documented in db.Store.
func (s *Desk) UpdateAccount(ctx context.Context, name string, c db.AccountChange, check func(db.Account) error) (shown db.Account, err error) {
	err = s.Engine.Add(ctx, name, func(a tenant.Account) error {
		before, err := s.account(a)
		if err == nil && check != nil {
			err = check(before)
		}
		if err != nil {
			return err
		}
		change, shown := c, before
		if c.Logo != nil {
			logo := *c.Logo
			logo.ID = s.Engine.NextID()
			change.Logo = &logo
		}
		if err := change.Apply(&shown, s.Engine.Now()); err != nil || shown == before {
			return err
		}
		return put(a, shown, change.Logo)
	})
	if err == nil {
		shown, err = s.Account(ctx, name)
	}
	return shown, err
}

// LogoByShare is documented in db.Store.
func (s *Desk) LogoByShare(ctx context.Context, share string) (logo db.Logo, err error) {
	err = s.Shared(ctx, share, func(a tenant.Account, id uuid.UUID) error {
		if logo, err = tenant.Get[db.Logo](a.Bucket(Logos), id[:]); err != nil {
			err = fmt.Errorf("logo: %w", err)
		}
		return err
	})
	return logo, err
}

// Export returns how an account is set up, with its logo, nil where there is not one.
func (s *Desk) Export(a tenant.Account) (db.Account, *db.Logo, error) {
	shown, err := s.account(a)
	if err != nil || shown.Logo == uuid.Nil {
		return shown, nil, err
	}
	logo, err := tenant.Get[db.Logo](a.Bucket(Logos), shown.Logo[:])
	return shown, &logo, err
}

// ImportAccount takes over how an account of an export is set up, unless there is something already, and reports whether it did.
func (s *Desk) ImportAccount(a tenant.Account, moved db.Account, logo *db.Logo) (bool, error) {
	if moved.Revision == 0 || a.Bucket(settings).Get([]byte(settingsKey)) != nil {
		return false, nil
	}
	return true, put(a, moved, logo)
}

// Check compares the logo with the settings, and calls differ for each difference.
func Check(a tenant.Account, differ func(format string, args ...any)) error {
	shown, err := (&Desk{Share: func(tenant.Account, uuid.UUID) (string, error) { return "", nil }}).account(a)
	if err != nil {
		return err
	}
	ids := keys(a, Logos)
	if has := shown.Logo != uuid.Nil; has != (len(ids) == 1) || has && ids[0] != shown.Logo {
		differ("account %q: logos has %v, not %s alone", a.Name, ids, shown.Logo)
	}
	return nil
}
