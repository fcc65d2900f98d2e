package bolt

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/google/uuid"
	"go.etcd.io/bbolt"

	"sitegrade/auth"
	"sitegrade/db"
	"sitegrade/db/internal/front"
	"sitegrade/db/internal/planned"
	"sitegrade/db/internal/promised"
	"sitegrade/db/internal/record"
	"sitegrade/db/internal/tenant"
	"sitegrade/db/internal/told"
	"sitegrade/db/internal/transfer"
)

// exportChunk is how many reports and generations are read in one transaction, or a few more: a long one would keep pages from being used again.
const exportChunk = 200

// Export is documented in db.Store.
func (d *DB) Export(ctx context.Context, account string, w io.Writer) error {
	var names []string
	if err := d.file.Read(ctx, func(tx *bbolt.Tx) error {
		return eachAccount(tx, func(a *accountTx) error {
			if account == "" || account == a.name {
				names = append(names, a.name)
			}
			return nil
		})
	}); err != nil {
		return err
	}
	if account != "" && len(names) == 0 {
		return fmt.Errorf("account %q: %w", account, db.ErrNotFound)
	}
	for _, name := range names {
		if err := d.exportAccount(ctx, name, w); err != nil {
			return err
		}
	}
	return nil
}

func (d *DB) exportAccount(ctx context.Context, name string, w io.Writer) error {
	keys, err := d.Keys(ctx, name)
	if err != nil {
		return err
	}
	if err := transfer.WriteAccount(ctx, w, func(out *json.Encoder) error {
		return d.view(ctx, name, func(a *accountTx) error {
			account, logo, err := d.Desk.Export(a.tenant())
			line := db.LineOfAccount(account, a.bucket(settingsBucket).Get(shareKeyKey), logo)
			return errors.Join(err, out.Encode(line), a.exportHead(keys, out))
		})
	}, func(after uuid.UUID, out *json.Encoder) (last uuid.UUID, more bool, err error) {
		err = d.view(ctx, name, func(a *accountTx) error {
			if last, more, err = a.exportReports(after, out); err != nil || more {
				return err
			}
			return a.exportTold(out)
		})
		return last, more, err
	}); err != nil {
		return err
	}
	return d.Sites.Export(ctx, name, w)
}

// exportHead writes the keys of the account and its projects.
func (a *accountTx) exportHead(keys []auth.Key, out *json.Encoder) error {
	for _, k := range keys {
		if err := out.Encode(db.LineOfKey(k)); err != nil {
			return err
		}
	}
	return a.bucket(projectsBucket).ForEach(func(number, stored []byte) error {
		p, err := decodeProject(binary.BigEndian.Uint32(number), stored)
		if err != nil {
			return err
		}
		return a.exportProject(p, out)
	})
}

// exportProject writes a project with what is accepted in it.
func (a *accountTx) exportProject(p *project, out *json.Encoder) error {
	shown, err := a.showProject(p, 0)
	if err != nil {
		return err
	}
	promise, err := a.promise(p.number)
	if err != nil {
		return err
	}
	shown.Standing = promise.Told() // the rest is found out anew from the reports
	accepted, err := promised.AcceptedIn(a.tenant(), p.number)
	err = errors.Join(err, out.Encode(db.LineOfProject(a.name, shown)))
	for _, one := range accepted {
		err = errors.Join(err, out.Encode(db.LineOfAccepted(a.name, p.name, one)))
	}
	return err
}

// exportReports writes the next reports after an id, and returns the id of the last one and whether there may be more.
func (a *accountTx) exportReports(after uuid.UUID, out *json.Encoder) (last uuid.UUID, more bool, err error) {
	indexed, fresh := a.bucket(reportsBucket).Cursor(), a.bucket(freshBucket).Cursor()
	x, _ := seekAfter(indexed, after)
	y, _ := seekAfter(fresh, after)
	last = after
	for lines := 0; lines < exportChunk; lines++ {
		switch {
		case x == nil && y == nil:
			return last, false, nil
		case y == nil || x != nil && bytes.Compare(x, y) < 0:
			last = uuid.UUID(x)
			x, _ = indexed.Next()
		default:
			last = uuid.UUID(y)
			y, _ = fresh.Next()
		}
		r, err := a.record(last)
		if err != nil {
			return last, false, err
		}
		if a.isDropped(r.Project) {
			continue
		}
		l, err := a.reportLine(r)
		if err != nil {
			return last, false, err
		}
		if err := out.Encode(l); err != nil {
			return last, false, err
		}
		more, err := a.generations().Export(a.name, r, out)
		if err != nil {
			return last, false, err
		}
		lines += more
	}
	return last, true, nil
}

// exportTold writes the webhooks, the forms and the schedules, some of which are for reports and so come behind them. What was to be delivered does not move.
func (a *accountTx) exportTold(out *json.Encoder) error {
	webhooks, err := tenant.All[db.Webhook](a.tenant().Bucket(told.Webhooks))
	for _, w := range webhooks {
		err = errors.Join(err, out.Encode(db.LineOfWebhook(a.name, w)))
	}
	schedules, broken := tenant.All[planned.Stored](a.tenant().Bucket(planned.Schedules))
	for _, s := range schedules {
		err = errors.Join(err, out.Encode(db.LineOfSchedule(a.name, s.Schedule)))
	}
	return errors.Join(err, broken, front.ExportForms(a.tenant(), out.Encode))
}

func (a *accountTx) reportLine(r *record.Record) (db.Line, error) {
	p, err := a.project(r.Project)
	if err != nil {
		return db.Line{}, err
	}
	shown, err := a.show(r, p.ref(), r.Status)
	if err != nil {
		return db.Line{}, err
	}
	found, err := a.found(r.ID)
	return db.LineOfReport(a.name, shown, found), err
}

// seekAfter returns the first entry behind an id.
func seekAfter(c *bbolt.Cursor, id uuid.UUID) (k, v []byte) {
	k, v = c.Seek(id[:])
	if bytes.Equal(k, id[:]) {
		return c.Next()
	}
	return k, v
}
