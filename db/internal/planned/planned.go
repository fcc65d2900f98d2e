// Package planned keeps the schedules of an account, and when each is due.
package planned

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"sitegrade/db"
	"sitegrade/db/internal/sealed"
	"sitegrade/db/internal/tenant"
	"sitegrade/sortfilter"
)

// The buckets of an account that this package keeps; the schema tells what is in them.
const (
	Schedules = "schedules"
	Due       = "schedules_due"
	Of        = "schedules_of"
)

// Stored is a schedule with how far its present run has come.
type Stored struct {
	db.Schedule
	Running bool      // a run is under way
	Since   time.Time // when it went on the last time; those that have waited longest go on first
	After   uuid.UUID // the last report that it queued
}

// Calendar keeps schedules. It has the methods of db.Store for them, but for RunSchedules.
type Calendar struct {
	Engine tenant.Engine
	// Report returns the project of a report of the account, or ErrNotFound.
	Report func(a tenant.Account, id uuid.UUID) (db.ProjectRef, error)
	// Announce tells the process that a schedule may be due earlier.
	Announce func(db.News)
	// Box keeps the headers of crawls.
	Box *sealed.Box
}

// CreateSchedule is documented in db.Store.
func (s *Calendar) CreateSchedule(ctx context.Context, account string, n db.NewSchedule) (made db.Schedule, again bool, err error) {
	wanted, err := n.Validate(s.Engine.Now())
	if err != nil {
		return db.Schedule{}, false, s.Engine.AlsoWrong(ctx, account, err, func(a tenant.Account) error {
			return s.setSubject(a, n, &wanted)
		})
	}
	asked := n
	if n.Crawl != nil && wanted.Crawl != nil {
		if wanted.Crawl.Sealed, err = s.Box.Seal(n.Crawl.Headers); err != nil {
			return db.Schedule{}, false, refuse("headers", "cannot be kept: %v", err)
		}
		crawl := *n.Crawl
		crawl.Headers = map[string]string{"": s.Box.Sum(n.Crawl.Headers)}
		asked.Crawl = &crawl
	}
	err = s.Engine.Add(ctx, account, func(a tenant.Account) (err error) {
		var id uuid.UUID
		id, again, err = s.Engine.Once(a, n.IdempotencyKey, a.Bucket(Schedules), asked, func() (uuid.UUID, error) {
			return s.create(a, n, wanted)
		})
		if err != nil {
			return err
		}
		stored, err := Get(a, id)
		made = stored.Schedule
		return err
	})
	if err == nil {
		s.Announce(db.News{Account: account, Planned: true})
	}
	return made, again, err
}

func (s *Calendar) create(a tenant.Account, n db.NewSchedule, wanted db.Schedule) (uuid.UUID, error) {
	if err := s.setSubject(a, n, &wanted); err != nil {
		return uuid.Nil, err
	}
	if tenant.Count(a.Bucket(Schedules)) >= db.MaxSchedules {
		return uuid.Nil, refuse("project", "is one too many: an account has at most %d schedules; delete one first", db.MaxSchedules)
	}
	wanted.ID = s.Engine.NextID()
	return wanted.ID, Put(a, nil, &Stored{Schedule: wanted})
}

// setSubject says what a schedule is for.
func (s *Calendar) setSubject(a tenant.Account, n db.NewSchedule, wanted *db.Schedule) (err error) {
	switch {
	case (n.Project == "") == (n.Report == ""):
		return nil // which Validate refuses
	case n.Report == "":
		if wanted.Project, err = s.Engine.Project(a, n.Project); errors.Is(err, db.ErrNotFound) {
			return refuse("project", "is unknown: give the id or the name of one of your projects")
		}
		return err
	}
	if wanted.Report, err = uuid.Parse(n.Report); err == nil {
		wanted.Project, err = s.Report(a, wanted.Report)
	} else {
		err = db.ErrNotFound
	}
	if errors.Is(err, db.ErrNotFound) {
		return refuse("report", "is unknown: give the id of one of your reports")
	}
	return err
}

func refuse(field, format string, args ...any) error {
	return &db.InvalidError{Fields: []db.FieldError{{Field: field, Detail: fmt.Sprintf(format, args...)}}}
}

// Get returns a schedule, or ErrNotFound.
func Get(a tenant.Account, id uuid.UUID) (*Stored, error) {
	s, err := tenant.Get[Stored](a.Bucket(Schedules), id[:])
	if err != nil {
		return &s, fmt.Errorf("schedule: %w", err)
	}
	return &s, nil
}

// GoOn notes that a run is under way, which has queued the reports up to one.
func (s *Stored) GoOn(after uuid.UUID, now time.Time) { s.Running, s.Since, s.After = true, now, after }

// Put stores a schedule in the place of old, nil if it is new, and notes when it is due: at once while a run is under way.
func Put(a tenant.Account, old, new *Stored) error {
	if err := removeDue(a, old); err != nil {
		return err
	}
	if key := dueKey(new); key != nil {
		var mark []byte
		if new.Running {
			mark = []byte{1}
		}
		if err := a.Bucket(Due).Put(key, mark); err != nil {
			return err
		}
	}
	for _, key := range subjectKeys(new) {
		if err := a.Bucket(Of).Put(key, nil); err != nil {
			return err
		}
	}
	return tenant.Put(a.Bucket(Schedules), new.ID[:], new)
}

// subjectKeys returns where the schedules of a project, and of a report, are found. What a schedule is for never changes.
func subjectKeys(s *Stored) [][]byte {
	keys := [][]byte{append(s.Project.ID[:], s.ID[:]...)}
	if s.Report != uuid.Nil {
		keys = append(keys, append(s.Report[:], s.ID[:]...))
	}
	return keys
}

func removeDue(a tenant.Account, old *Stored) error {
	if old == nil || dueKey(old) == nil {
		return nil
	}
	return a.Bucket(Due).Delete(dueKey(old))
}

// dueKey returns where a schedule stands among those that are due, nil where nowhere.
func dueKey(s *Stored) []byte {
	at := s.NextRun
	if s.Running {
		at = s.Since
	}
	if at.IsZero() {
		return nil
	}
	return append(tenant.MomentKey(at), s.ID[:]...)
}

// StartOf returns when an entry of those that are due starts, which is at most spread after its moment.
func StartOf(key, mark []byte, spread time.Duration) time.Time {
	s := db.Schedule{ID: uuid.UUID(key[8:]), NextRun: tenant.MomentOf(key)}
	if len(mark) > 0 { // a run is under way
		return s.NextRun
	}
	return s.Start(spread)
}

// NextDue returns a schedule of the account whose start has come, and otherwise when it is worth looking again, zero if nothing is planned.
func NextDue(a tenant.Account, spread time.Duration, now time.Time) (due uuid.UUID, next time.Time, found bool) {
	c := a.Bucket(Due).Cursor()
	for k, mark := c.First(); k != nil; k, mark = c.Next() {
		start, isAhead := StartOf(k, mark, spread), tenant.MomentOf(k).After(now)
		switch {
		case !start.After(now):
			return uuid.UUID(k[8:]), now, true
		case isAhead: // so is everything behind it, of which one may start first
			start = tenant.MomentOf(k)
		}
		if next.IsZero() || start.Before(next) {
			next = start
		}
		if isAhead {
			break
		}
	}
	return uuid.Nil, next, false
}

// ScheduleStats is documented in db.Store.
func (s *Calendar) ScheduleStats(ctx context.Context, spread time.Duration) (stats db.ScheduleStats, err error) {
	now := s.Engine.Now()
	err = s.Engine.Each(ctx, Due, func(a tenant.Account) error {
		c := a.Bucket(Due).Cursor()
		for k, mark := c.First(); k != nil && !tenant.MomentOf(k).After(now); k, mark = c.Next() {
			start := StartOf(k, mark, spread)
			if start.After(now) {
				continue
			}
			if stats.Late++; stats.Oldest.IsZero() || start.Before(stats.Oldest) {
				stats.Oldest = start
			}
		}
		return nil
	})
	return stats, err
}

// Schedules is documented in db.Store.
func (s *Calendar) Schedules(ctx context.Context, account string, q sortfilter.Query) (page db.Page[db.Schedule], err error) {
	err = s.Engine.View(ctx, account, func(a tenant.Account) error {
		all, err := tenant.All[Stored](a.Bucket(Schedules))
		chosen := tenant.Page(all, q, func(s Stored) string { return s.Project.Name })
		page.Total = chosen.Total
		for _, s := range chosen.Rows {
			page.Rows = append(page.Rows, s.Schedule)
		}
		return err
	})
	if errors.Is(err, db.ErrNotFound) {
		err = nil
	}
	return page, err
}

// Schedule is documented in db.Store.
func (s *Calendar) Schedule(ctx context.Context, account string, id uuid.UUID) (shown db.Schedule, err error) {
	err = s.Engine.View(ctx, account, func(a tenant.Account) error {
		stored, err := Get(a, id)
		shown = stored.Schedule
		return err
	})
	return shown, err
}

// UpdateSchedule is documented in db.Store.
func (s *Calendar) UpdateSchedule(ctx context.Context, account string, id uuid.UUID, c db.ScheduleChange, check func(db.Schedule) error) (shown db.Schedule, err error) {
	err = s.Engine.Add(ctx, account, func(a tenant.Account) error {
		old, err := checked(a, id, check)
		if err != nil {
			return err
		}
		changed := *old
		if err := c.Apply(&changed.Schedule, s.Engine.Now()); err != nil {
			return err
		}
		if c.Run && !changed.Running {
			changed.GoOn(uuid.Nil, s.Engine.Now())
		}
		shown = changed.Schedule
		return Put(a, old, &changed)
	})
	if err == nil {
		s.Announce(db.News{Account: account, Planned: true})
	}
	return shown, err
}

func checked(a tenant.Account, id uuid.UUID, check func(db.Schedule) error) (*Stored, error) {
	stored, err := Get(a, id)
	if err == nil && check != nil {
		err = check(stored.Schedule)
	}
	return stored, err
}

// DeleteSchedule is documented in db.Store.
func (s *Calendar) DeleteSchedule(ctx context.Context, account string, id uuid.UUID, check func(db.Schedule) error) error {
	return s.Engine.Remove(ctx, account, func(a tenant.Account) error {
		stored, err := checked(a, id, check)
		if err != nil {
			return err
		}
		return remove(a, stored)
	})
}

func remove(a tenant.Account, s *Stored) error {
	for _, key := range subjectKeys(s) {
		if err := a.Bucket(Of).Delete(key); err != nil {
			return err
		}
	}
	return errors.Join(removeDue(a, s), a.Bucket(Schedules).Delete(s.ID[:]))
}

// of returns the schedules of a project or of a report.
func of(a tenant.Account, subject uuid.UUID) ([]*Stored, error) {
	var all []*Stored
	c := a.Bucket(Of).Cursor()
	for k, _ := c.Seek(subject[:]); bytes.HasPrefix(k, subject[:]); k, _ = c.Next() {
		s, err := Get(a, uuid.UUID(k[16:]))
		if err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	return all, nil
}

// DropAhead tells the engine that Drop follows for many reports.
func DropAhead(a tenant.Account) { a.Bucket(Of).Cursor().First() } // most accounts have few schedules, which are then known

// Drop removes the schedules of a project or of a report. It is for the transaction that deletes it.
func Drop(a tenant.Account, subject uuid.UUID) error {
	all, err := of(a, subject)
	for _, s := range all {
		err = errors.Join(err, remove(a, s))
	}
	return err
}

// RenameProject has the schedules of a project show its new name.
func RenameProject(a tenant.Account, renamed db.ProjectRef) error {
	all, err := of(a, renamed.ID)
	for _, s := range all {
		s.Project = renamed
		err = errors.Join(err, tenant.Put(a.Bucket(Schedules), s.ID[:], s))
	}
	return err
}

// Import stores a schedule of an export unless there is one with its id, and reports whether it did. Its next run is planned from now.
func Import(a tenant.Account, s db.Schedule, now time.Time) (bool, error) {
	if a.Bucket(Schedules).Get(s.ID[:]) != nil {
		return false, nil
	}
	if err := s.Plan(now); err != nil {
		return false, err
	}
	return true, Put(a, nil, &Stored{Schedule: s})
}

// Check compares what is derived from the schedules with them, and calls differ for each difference.
func Check(a tenant.Account, differ func(format string, args ...any)) error {
	all, err := tenant.All[Stored](a.Bucket(Schedules))
	if err != nil {
		return err
	}
	due, subjects := 0, 0
	for _, s := range all {
		for _, key := range subjectKeys(&s) {
			if subjects++; !tenant.Has(a.Bucket(Of), key) {
				differ("account %q: schedules_of lacks %s", a.Name, s.ID)
			}
		}
		key := dueKey(&s)
		if key == nil {
			continue
		}
		due++
		if !tenant.Has(a.Bucket(Due), key) {
			differ("account %q: schedules_due lacks %s", a.Name, s.ID)
		}
	}
	if n := tenant.Count(a.Bucket(Due)); n != due {
		differ("account %q: schedules_due has %d entries for %d schedules that are due some time", a.Name, n, due)
	}
	if n := tenant.Count(a.Bucket(Of)); n != subjects {
		differ("account %q: schedules_of has %d entries for %d that it should have", a.Name, n, subjects)
	}
	return nil
}
