package promised

import (
	"context"
	"encoding/binary"
	"errors"
	"time"

	"github.com/google/uuid"

	"sitegrade/db"
	"sitegrade/db/internal/live"
	"sitegrade/db/internal/tenant"
)

// At once, in the transaction of what changed, so many reports are judged, and for so long: of most projects that is all.
const (
	judgedAtOnce = 256
	atOnce       = 10 * time.Millisecond
)

// judgeAnew has all reports of a project judged again, the first of them now.
func (s *Ledger) judgeAnew(a tenant.Account, number uint32) (raised bool, err error) {
	if err := a.Bucket(Judging).Put(numberKey(number), uuid.Nil[:]); err != nil {
		return false, err
	}
	return s.judgeOf(a, number, judgedAtOnce, time.Now().Add(atOnce))
}

// judgeSome judges up to n reports of one of the projects that wait for it. It reports whether there may be more, and whether somebody is told
// of what came out.
func (s *Ledger) judgeSome(a tenant.Account, n int) (more, raised bool, err error) {
	number, _ := a.Bucket(Judging).Cursor().First()
	if number == nil {
		return false, false, nil
	}
	raised, err = s.judgeOf(a, binary.BigEndian.Uint32(number), n, time.Now().Add(time.Hour))
	return true, raised, err
}

// waits reports whether a project of the account waits for its reports to be judged.
func waits(a tenant.Account) bool {
	first, _ := a.Bucket(Judging).Cursor().First()
	return first != nil
}

// judgeOf judges up to n reports of a project, until a moment, and settles its promise when these were the last.
func (s *Ledger) judgeOf(a tenant.Account, number uint32, n int, until time.Time) (raised bool, err error) {
	after := uuid.UUID(a.Bucket(Judging).Get(numberKey(number)))
	p, err := Of(a, number)
	if err != nil {
		return false, err
	}
	all, err := AcceptedIn(a, number)
	if err != nil {
		return false, err
	}
	ids := s.Reports(a, number, after, n)
	judged := 0
	for ; judged < len(ids) && time.Now().Before(until); judged++ {
		if err := s.judge(a, &p, ids[judged], all); err != nil {
			return false, err
		}
	}
	if judged == len(ids) && len(ids) < n {
		if err := a.Bucket(Judging).Delete(numberKey(number)); err != nil {
			return false, err
		}
		return s.settle(a, number, p, nil)
	}
	if judged > 0 {
		after = ids[judged-1]
	}
	return false, errors.Join(put(a, number, p), a.Bucket(Judging).Put(numberKey(number), after[:]))
}

// judge judges one report.
func (s *Ledger) judge(a tenant.Account, p *Promise, id uuid.UUID, all []db.Accepted) error {
	r, err := s.Report(a, id)
	if err != nil || r.Generated == 0 {
		return err
	}
	standing, err := tenant.Get[stored](a.Bucket(Standings), id[:])
	if errors.Is(err, db.ErrNotFound) || err == nil && standing.Generated != r.Generated {
		standing.Generated = r.Generated
		if standing.Standing, err = s.Standing(a, id); err == nil {
			err = tenant.Put(a.Bucket(Standings), id[:], standing)
		}
	}
	if err != nil {
		return err
	}
	return p.note(a, r, id, p.keeps(r, standing.Standing, all))
}

// JudgeRest goes on, in the background, with judging the reports of an account by the budgets of their projects.
func (s *Ledger) JudgeRest(account string) {
	waiting := false
	if err := s.Engine.View(context.Background(), account, func(a tenant.Account) error {
		waiting = waits(a)
		return nil
	}); err != nil || !waiting {
		return
	}
	s.Background(func(ctx context.Context) {
		_ = s.judgeAll(ctx, account) // where it fails, the next start goes on
	})
}

func (s *Ledger) judgeAll(ctx context.Context, account string) error {
	p := live.NewPace()
	for more := true; more && ctx.Err() == nil; {
		raised := false
		if err := s.Engine.Add(ctx, account, func(a tenant.Account) (err error) {
			p.Begin()
			more, raised, err = s.judgeSome(a, p.Reports)
			return err
		}); err != nil {
			return err
		}
		p.End()
		if raised {
			s.Announce(db.News{Account: account, Told: true})
		}
	}
	return ctx.Err()
}

// Resume goes on with what was being judged in all accounts.
func (s *Ledger) Resume() error {
	var names []string
	err := s.Engine.Each(context.Background(), Judging, func(a tenant.Account) error {
		if waits(a) {
			names = append(names, a.Name)
		}
		return nil
	})
	for _, name := range names {
		s.JudgeRest(name)
	}
	return err
}
