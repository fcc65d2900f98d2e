package bolt

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"go.etcd.io/bbolt"

	"sitegrade/db"
	"sitegrade/db/bolt/internal/bucket"
	"sitegrade/db/bolt/internal/kept"
	"sitegrade/db/internal/front"
	"sitegrade/db/internal/record"
	"sitegrade/db/internal/tenant"
)

// now returns the time as records have it.
func (d *DB) now() time.Time { return d.options.Now().UTC().Truncate(time.Millisecond) }

// tenant returns the account for the rooms that keep records beside the reports.
func (a *accountTx) tenant() tenant.Account { return tenant.Account{Name: a.name, Root: root{a}} }

// root is what the rooms see of an account.
type root struct{ *accountTx }

// Bucket is documented in tenant.Root.
func (r root) Bucket(name string) tenant.Bucket {
	return bucket.Of(r.accountTx.root.Bucket([]byte(name)))
}

// ofTenant returns the account that a room has.
func ofTenant(t tenant.Account) *accountTx { return t.Root.(root).accountTx }

// txOf returns the transaction that an account is in.
func txOf(t tenant.Account) *bbolt.Tx { return ofTenant(t).tx }

// engine returns what the rooms need of the engine.
func (d *DB) engine() tenant.Engine {
	return tenant.Engine{
		View: func(ctx context.Context, account string, read func(tenant.Account) error) error {
			return d.view(ctx, account, func(a *accountTx) error { return read(a.tenant()) })
		},
		Add: func(ctx context.Context, account string, write func(tenant.Account) error) error {
			return d.add(ctx, account, func(a *accountTx) error { return write(a.tenant()) })
		},
		Remove: func(ctx context.Context, account string, write func(tenant.Account) error) error {
			return d.remove(ctx, account, func(a *accountTx) error { return write(a.tenant()) })
		},
		Each: d.eachWith,
		Due:  d.due,
		Once: func(a tenant.Account, key string, records tenant.Bucket, asked any, make func() (uuid.UUID, error)) (uuid.UUID, bool, error) {
			return ofTenant(a).once(key, records, asked, make, record.Milliseconds(d.now()))
		},
		Project: func(a tenant.Account, nameOrID string) (db.ProjectRef, error) {
			p, err := ofTenant(a).findProject(nameOrID)
			if err != nil {
				return db.ProjectRef{}, err
			}
			return p.ref(), nil
		},
		NextID: func() uuid.UUID { return d.ids.Next(d.now()) },
		Now:    d.now,
	}
}

// eachWith is documented in tenant.Engine.
func (d *DB) eachWith(ctx context.Context, bucket string, read func(tenant.Account) error) error {
	return d.file.Read(ctx, func(tx *bbolt.Tx) error {
		return eachAccount(tx, func(a *accountTx) error {
			if bucket != "" {
				if k, _ := a.root.Bucket([]byte(bucket)).Cursor().First(); k == nil {
					return ctx.Err()
				}
			}
			return errors.Join(ctx.Err(), read(a.tenant()))
		})
	})
}

// due is documented in tenant.Engine.
func (d *DB) due(ctx context.Context, bucket string, now time.Time) (accounts []string, next time.Time, err error) {
	err = d.eachWith(ctx, bucket, func(a tenant.Account) error {
		k, _ := a.Bucket(bucket).Cursor().First()
		if at := tenant.MomentOf(k); !at.After(now) {
			accounts = append(accounts, a.Name)
		} else if next.IsZero() || at.Before(next) {
			next = at
		}
		return nil
	})
	return accounts, next, err
}

// desk returns the room of how accounts show themselves.
func (d *DB) desk(engine tenant.Engine) *front.Desk {
	return &front.Desk{
		Engine: engine, Raise: d.Outbox.Raise, Announce: d.Listeners.Tell, MakeProject: d.makeProject,
		Share: func(a tenant.Account, id uuid.UUID) (string, error) { return ofTenant(a).share(id) },
		Shared: func(ctx context.Context, share string, find func(tenant.Account, uuid.UUID) error) error {
			return d.eachShared(ctx, share, func(a *accountTx, id uuid.UUID) error { return find(a.tenant(), id) })
		},
		CreateReport: func(t tenant.Account, n db.NewReport, project uuid.UUID) (db.Report, error) {
			a := ofTenant(t)
			p, err := a.findProject(project.String())
			if err != nil {
				return db.Report{}, err
			}
			n.Project = p.name
			r, err := a.create(record.New(n, ""), n, &d.ids, record.Milliseconds(d.options.Now()))
			if err != nil {
				return db.Report{}, err
			}
			made, err := d.showRecord(a, r)
			return made, errors.Join(err, a.limitFresh())
		},
	}
}

// makeProject returns the project of a name, and makes it if need be.
func (d *DB) makeProject(t tenant.Account, name string) (db.ProjectRef, error) {
	p, err := ofTenant(t).makeProject(name, &d.ids, record.Milliseconds(d.now()))
	if err != nil {
		return db.ProjectRef{}, err
	}
	return p.ref(), nil
}

// projectOfReport returns the project of a report, or ErrNotFound.
func projectOfReport(t tenant.Account, id uuid.UUID) (db.ProjectRef, error) {
	a := ofTenant(t)
	r, err := a.liveRecord(id)
	if err != nil {
		return db.ProjectRef{}, err
	}
	p, err := a.project(r.Project)
	if err != nil {
		return db.ProjectRef{}, err
	}
	return p.ref(), nil
}

// once runs make, which stores a record among records, unless the idempotency key has made one before that is still there, whose id it returns
// then. A key that was used for something else is ErrIdempotencyMismatch. What is asked for is compared by its JSON.
func (a *accountTx) once(key string, records tenant.Bucket, asked any, make func() (uuid.UUID, error), now int64) (id uuid.UUID, again bool, err error) {
	if key == "" {
		id, err = make()
		return id, false, err
	}
	text, err := json.Marshal(asked)
	if err != nil {
		return id, false, err
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%T %s", asked, text))
	switch k, err := kept.Get(a.tenant(), key, now); {
	case errors.Is(err, db.ErrNotFound):
	case err != nil:
		return id, false, err
	case k.Asked.Sum != sum:
		return id, false, db.ErrIdempotencyMismatch
	case records.Get(k.ReportID[:]) != nil:
		return k.ReportID, true, nil
	}
	if id, err = make(); err != nil {
		return id, false, err
	}
	return id, false, kept.Put(a.tenant(), key, &record.Kept{ReportID: id, Asked: db.Asked{Sum: sum}, Known: true, Stored: now})
}
