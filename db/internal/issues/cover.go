package issues

import (
	"bytes"
	"context"
	"errors"

	"github.com/google/uuid"

	"sitegrade/db"
	"sitegrade/db/internal/record"
	"sitegrade/db/internal/tenant"
)

// A transaction looks at so many projects, or takes so many reports: whoever writes meanwhile waits for it.
const (
	lookedAtOnce  = 500
	coveredAtOnce = 200
)

// Cover notes what fails on the reports that an earlier version has stored. That takes long where they are many, so it works in small
// transactions and reads what was found between them; a later call goes on where one was broken off.
func (b *Book) Cover(ctx context.Context) error {
	var accounts []string
	if err := b.Engine.Each(ctx, "", func(a tenant.Account) error {
		accounts = append(accounts, a.Name)
		return nil
	}); err != nil {
		return err
	}
	for _, account := range accounts {
		for after, more := uint32(0), true; more; {
			uncovered, last, err := b.uncovered(ctx, account, after)
			if err != nil {
				return err
			}
			for _, project := range uncovered {
				if err := b.coverProject(ctx, account, project); err != nil {
					return err
				}
			}
			after, more = last, last > after
		}
	}
	return nil
}

// uncovered returns which of the next projects have reports that are not counted, and the number of the last one that it looked at.
func (b *Book) uncovered(ctx context.Context, account string, after uint32) (projects []uint32, last uint32, err error) {
	last = after
	err = b.Engine.View(ctx, account, func(a tenant.Account) error {
		for _, last = range b.Projects(a, after, lookedAtOnce) {
			if known(a, last) < b.Rated(a, last) {
				projects = append(projects, last)
			}
		}
		return nil
	})
	return projects, last, err
}

// noted is what is to be noted of a report.
type noted struct {
	report  uuid.UUID
	packed  []byte // what was found
	failing []byte
}

func (b *Book) coverProject(ctx context.Context, account string, project uint32) error {
	for after, more := uuid.Nil, true; more; {
		var some []noted
		if err := b.Engine.View(ctx, account, func(a tenant.Account) (err error) {
			ids := b.Behind(a, project, after, coveredAtOnce)
			if more = len(ids) == coveredAtOnce; more {
				after = ids[len(ids)-1]
			}
			for _, id := range ids {
				if !has(a, project, id) {
					some = append(some, noted{report: id, packed: bytes.Clone(b.Packed(a, id))})
				}
			}
			return nil
		}); err != nil || len(some) == 0 && !more {
			return err
		}
		for i, n := range some {
			failed, err := record.FailedIn(n.report, n.packed)
			if err != nil {
				return err
			}
			some[i].failing = encode(failed)
		}
		if err := b.Engine.Add(ctx, account, func(a tenant.Account) error { return b.note(a, project, some) }); err != nil {
			return err
		}
	}
	return nil
}

// note notes what was found of reports that were neither audited nor deleted since.
func (b *Book) note(a tenant.Account, project uint32, some []noted) error {
	if !b.Live(a, project) {
		return nil
	}
	var all Notes
	for _, n := range some {
		_, rated, err := b.Report(a, n.report)
		if errors.Is(err, db.ErrNotFound) || err == nil && (!rated || has(a, project, n.report)) {
			continue
		}
		if err == nil {
			err = all.set(a, project, n.report, n.failing)
		}
		if err != nil {
			return err
		}
	}
	return all.Flush()
}
