// Package promised keeps what projects promise about their reports, which reports break that, and what is accepted in a project.
//
// Whether a report breaks its project's budget is judged in the transaction that finishes its audit. After a change of the budget or of what is
// accepted, all reports of the project are judged again, in steps: the project stands in Judging with the last report that was looked at, so
// that a process which dies goes on where it was.
package promised

import (
	"context"
	"encoding/binary"
	"errors"
	"time"

	"github.com/google/uuid"

	"sitegrade/db"
	"sitegrade/db/internal/tenant"
)

// The buckets of an account that this package keeps; the schema tells what is in them.
const (
	Promises  = "promises"
	Standings = "standings"
	Breaking  = "breaking"
	Judging   = "judging"
	Accepted  = "accepted"
	Ends      = "accepted_ends"
)

// Promise is what a project promises, and how it stands to that.
type Promise struct {
	Budget   db.Budget
	Lang     string
	Breaking int  // how many reports break the budget, as far as they were judged
	Broken   bool // others were told that the budget is broken
	Unknown  bool // the budget has changed, and not all reports were judged by it

	Privacy      *db.Privacy `json:",omitempty"` // of the page that shows the site; nil: private
	PasswordHash string      `json:",omitempty"`
}

// Decode reads a stored promise; the zero Promise where nothing is stored.
func Decode(stored []byte) (p Promise, err error) {
	if stored != nil {
		p, err = tenant.Decode[Promise](stored)
	}
	return p, err
}

// Show fills in what a project shows of it.
func (p Promise) Show(shown *db.Project) {
	shown.Budget, shown.Lang = p.Budget, p.Lang
	shown.Privacy, shown.PasswordHash = db.Private, p.PasswordHash
	if p.Privacy != nil {
		shown.Privacy = *p.Privacy
	}
	switch {
	case p.Unknown || !p.Budget.Promises():
	case p.Broken:
		shown.Standing = db.BudgetExceeded
	default:
		shown.Standing = db.BudgetKept
	}
}

// Told returns whether others were told that the budget is broken: BudgetExceeded or BudgetUnjudged.
func (p Promise) Told() db.BudgetState {
	if p.Broken {
		return db.BudgetExceeded
	}
	return db.BudgetUnjudged
}

// Report is what the room needs to know of a report.
type Report struct {
	Project   uint32
	URL       string
	Generated int64 // when its result was made, in ms; 0 when it has none
}

// Ledger keeps promises. It has the methods of db.Store for what is accepted.
type Ledger struct {
	Engine tenant.Engine
	// Number returns the number of a project, or db.ErrNotFound.
	Number func(a tenant.Account, nameOrID string) (uint32, error)
	// Project shows a project.
	Project func(a tenant.Account, number uint32) (db.Project, error)
	// Reports returns up to n ids of a project's indexed reports behind one, the oldest first.
	Reports func(a tenant.Account, number uint32, after uuid.UUID, n int) []uuid.UUID
	// Report returns a report, or db.ErrNotFound.
	Report func(a tenant.Account, id uuid.UUID) (Report, error)
	// Standing finds out how a report stands whose standing is not stored.
	Standing func(a tenant.Account, id uuid.UUID) (db.Standing, error)
	// Raise writes an event, and reports whether somebody is told.
	Raise func(a tenant.Account, e db.Event) (bool, error)
	// Show shows the project of a name or an id, or returns db.ErrNotFound.
	Show func(a tenant.Account, nameOrID string) (db.Project, error)
	// Rename gives a project another name, or the one that it has. The error is *db.InvalidError if another project has it.
	Rename func(a tenant.Account, number uint32, name string) error
	// Background runs work beside everything else, with a context that ends when the store is closed.
	Background func(work func(context.Context))
	// Announce tells the process what has changed.
	Announce func(db.News)
}

// stored is how a report stood when its result was made.
type stored struct {
	db.Standing
	Generated int64 // ms
}

func numberKey(number uint32) []byte { return binary.BigEndian.AppendUint32(nil, number) }

func breakingKey(number uint32, report uuid.UUID) []byte {
	return append(numberKey(number), report[:]...)
}

// Of returns the promise of a project.
func Of(a tenant.Account, number uint32) (Promise, error) {
	return Decode(a.Bucket(Promises).Get(numberKey(number)))
}

func put(a tenant.Account, number uint32, p Promise) error {
	return tenant.Put(a.Bucket(Promises), numberKey(number), p)
}

func isJudging(a tenant.Account, number uint32) bool {
	return a.Bucket(Judging).Get(numberKey(number)) != nil
}

// UpdateProject is documented in db.Store.
func (s *Ledger) UpdateProject(ctx context.Context, account, nameOrID string, c db.ProjectChange, check func(db.Project) error) (shown db.Project, err error) {
	passwordHash, err := c.HashPassword(ctx)
	if err != nil {
		return db.Project{}, err
	}
	raised := false
	err = s.Engine.Add(ctx, account, func(a tenant.Account) error {
		if shown, err = s.Show(a, nameOrID); err != nil {
			return err
		}
		if check != nil {
			if err := check(shown); err != nil {
				return err
			}
		}
		changed := shown
		if err := c.Apply(&changed, passwordHash); err != nil {
			return err
		}
		number, err := s.Number(a, shown.ID.String())
		if err != nil {
			return err
		}
		if err := s.Rename(a, number, changed.Name); err != nil {
			return err
		}
		if raised, err = s.changePromise(a, number, changed); err != nil {
			return err
		}
		shown, err = s.Show(a, shown.ID.String())
		return err
	})
	if err == nil {
		s.Announce(db.News{Account: account, Told: raised})
		s.JudgeRest(account)
	}
	return shown, err
}

// setAccess stores who may see the site of a project.
func (p *Promise) setAccess(of db.Project) {
	p.Privacy, p.PasswordHash = nil, of.PasswordHash
	if of.Privacy != db.Private {
		p.Privacy = &of.Privacy
	}
}

// changePromise stores budget, language and privacy that a project has from now on. Its reports are judged anew if the budget is another one.
func (s *Ledger) changePromise(a tenant.Account, number uint32, changed db.Project) (raised bool, err error) {
	p, err := Of(a, number)
	if err != nil {
		return false, err
	}
	same := p.Budget.Equal(changed.Budget)
	p.Budget, p.Lang = changed.Budget, changed.Lang
	p.setAccess(changed)
	if !same {
		p.Unknown = p.Budget.Promises()
		p.Broken = p.Broken && p.Unknown
	}
	if err := put(a, number, p); err != nil || same {
		return false, err
	}
	return s.judgeAnew(a, number)
}

// Finished notes how a report stands whose audit has brought a result, and judges it. shown is the report as readers see it now. It reports
// whether somebody is told that its project keeps its budget no longer, or again.
func (s *Ledger) Finished(a tenant.Account, r Report, shown func() (db.Report, error), id uuid.UUID, standing db.Standing) (raised bool, err error) {
	if err := tenant.Put(a.Bucket(Standings), id[:], stored{standing, r.Generated}); err != nil {
		return false, err
	}
	p, err := Of(a, r.Project)
	if err != nil || !p.Budget.Promises() {
		return false, err
	}
	all, err := AcceptedIn(a, r.Project)
	if err != nil {
		return false, err
	}
	if err := p.note(a, r, id, p.keeps(r, standing, all)); err != nil {
		return false, err
	}
	if isJudging(a, r.Project) {
		return false, put(a, r.Project, p)
	}
	return s.settle(a, r.Project, p, shown)
}

// keeps reports whether a report keeps the budget. What has expired counts until ExpireAccepted removes it.
func (p Promise) keeps(r Report, standing db.Standing, all []db.Accepted) bool {
	accepted := db.AcceptedFor(all, r.URL, time.Time{})
	return p.Budget.Judge(standing, func(check string) bool { _, is := accepted[check]; return is })
}

// note stores whether a report breaks the budget, and counts.
func (p *Promise) note(a tenant.Account, r Report, id uuid.UUID, keeps bool) error {
	key := breakingKey(r.Project, id)
	before := tenant.Has(a.Bucket(Breaking), key)
	switch {
	case before && keeps:
		p.Breaking--
		return a.Bucket(Breaking).Delete(key)
	case !before && !keeps:
		p.Breaking++
		return a.Bucket(Breaking).Put(key, nil)
	}
	return nil
}

// settle stores a promise of which all reports are judged, and tells others if it is kept no longer, or again. shown is the report that it
// comes from, nil where it is not one.
func (s *Ledger) settle(a tenant.Account, number uint32, p Promise, shown func() (db.Report, error)) (raised bool, err error) {
	broken := p.Budget.Promises() && p.Breaking > 0
	changed := broken != p.Broken
	p.Broken, p.Unknown = broken, false
	if err := put(a, number, p); err != nil || !changed || !p.Budget.Promises() {
		return false, err
	}
	project, err := s.Project(a, number)
	if err != nil {
		return false, err
	}
	project.PasswordHash = ""
	e := db.Event{Type: db.BudgetMet, Project: project.ProjectRef, Budgeted: &project}
	if broken {
		e.Type = db.BudgetBroken
	}
	if shown != nil {
		report, err := shown()
		if err != nil {
			return false, err
		}
		e.Report = &report
	}
	return s.Raise(a, e)
}

// ForgetAhead tells the engine that Forget follows for these reports of a project.
func ForgetAhead(a tenant.Account, number uint32, reports []uuid.UUID) {
	keys := make([][]byte, len(reports))
	for i, id := range reports {
		keys[i] = breakingKey(number, id)
	}
	a.Bucket(Breaking).Ahead(keys...)
}

// Forget removes what there is of a report that is deleted. Its project is judged again if it broke the budget.
func Forget(a tenant.Account, number uint32, report uuid.UUID) error {
	key := breakingKey(number, report)
	if err := a.Bucket(Standings).Delete(report[:]); err != nil || !tenant.Has(a.Bucket(Breaking), key) {
		return err
	}
	if err := a.Bucket(Breaking).Delete(key); err != nil {
		return err
	}
	p, err := Of(a, number)
	if err != nil || p.Breaking == 0 { // the project was deleted
		return err
	}
	p.Breaking--
	if err := put(a, number, p); err != nil || isJudging(a, number) {
		return err
	}
	return a.Bucket(Judging).Put(numberKey(number), uuid.Max[:]) // nothing is left to be judged, and others may have to be told
}

// DropProject removes what a project promised, and what was accepted in it. What there is of its reports goes with them.
func DropProject(a tenant.Account, number uint32) error {
	all, err := AcceptedIn(a, number)
	if err != nil {
		return err
	}
	for _, one := range all {
		if err := removeEnd(a, number, one); err != nil {
			return err
		}
	}
	if a.Bucket(Accepted).Bucket(numberKey(number)) != nil {
		err = a.Bucket(Accepted).DeleteBucket(numberKey(number))
	}
	return errors.Join(err, a.Bucket(Promises).Delete(numberKey(number)), a.Bucket(Judging).Delete(numberKey(number)))
}

// Check compares what is derived with what it comes from, and calls differ for each difference. report returns a report of the account, or
// an error.
func Check(a tenant.Account, report func(id uuid.UUID) (Report, error), differ func(format string, args ...any)) error {
	breaking := map[uint32]int{}
	c := a.Bucket(Breaking).Cursor()
	for k, _ := c.First(); k != nil; k, _ = c.Next() {
		breaking[binary.BigEndian.Uint32(k)]++
		if a.Bucket(Standings).Get(k[4:]) == nil {
			differ("account %q: breaking has %s, whose standing is not known", a.Name, uuid.UUID(k[4:]))
		}
	}
	c = a.Bucket(Promises).Cursor()
	for k, v := c.First(); k != nil; k, v = c.Next() {
		number := binary.BigEndian.Uint32(k)
		p, err := Decode(v)
		switch {
		case err != nil:
			return err
		case p.Breaking != breaking[number]:
			differ("account %q: %d reports break the budget of project %d, not %d", a.Name, breaking[number], number, p.Breaking)
		case !isJudging(a, number) && p.Broken != (p.Breaking > 0 && p.Budget.Promises()):
			differ("account %q: the budget of project %d is broken: %v, by %d reports", a.Name, number, p.Broken, p.Breaking)
		}
	}
	return errors.Join(checkStandings(a, report, differ), checkEnds(a, differ))
}

// checkStandings judges every report anew.
func checkStandings(a tenant.Account, report func(id uuid.UUID) (Report, error), differ func(format string, args ...any)) error {
	accepted := map[uint32][]db.Accepted{}
	c := a.Bucket(Standings).Cursor()
	for k, v := c.First(); k != nil; k, v = c.Next() {
		id := uuid.UUID(k)
		s, err := tenant.Decode[stored](v)
		if err != nil {
			return err
		}
		r, err := report(id)
		if errors.Is(err, db.ErrNotFound) {
			differ("account %q: standings has %s too much", a.Name, id)
			continue
		}
		if err != nil {
			return err
		}
		p, err := Of(a, r.Project)
		if err != nil {
			return err
		}
		if _, known := accepted[r.Project]; !known {
			if accepted[r.Project], err = AcceptedIn(a, r.Project); err != nil {
				return err
			}
		}
		if !p.Budget.Promises() || isJudging(a, r.Project) || s.Generated != r.Generated {
			continue
		}
		if keeps := p.keeps(r, s.Standing, accepted[r.Project]); keeps == tenant.Has(a.Bucket(Breaking), breakingKey(r.Project, id)) {
			differ("account %q: report %s keeps the budget of its project: %v, and breaking has the opposite", a.Name, id, keeps)
		}
	}
	return nil
}

func checkEnds(a tenant.Account, differ func(format string, args ...any)) error {
	want := 0
	err := a.Bucket(Accepted).ForEachBucket(func(number []byte) error {
		all, err := AcceptedIn(a, binary.BigEndian.Uint32(number))
		for _, one := range all {
			if one.ExpiresAt.IsZero() {
				continue
			}
			if want++; !tenant.Has(a.Bucket(Ends), endKey(binary.BigEndian.Uint32(number), one)) {
				differ("account %q: accepted_ends lacks %s", a.Name, one.ID)
			}
		}
		return err
	})
	if n := tenant.Count(a.Bucket(Ends)); n != want {
		differ("account %q: accepted_ends has %d entries, not %d", a.Name, n, want)
	}
	return err
}
