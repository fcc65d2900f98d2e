package promised

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"

	"sitegrade/db"
	"sitegrade/db/internal/tenant"
	"sitegrade/sortfilter"
)

// AcceptedIn returns all that is accepted in a project, what has expired too.
func AcceptedIn(a tenant.Account, number uint32) ([]db.Accepted, error) {
	b := a.Bucket(Accepted).Bucket(numberKey(number))
	if b == nil {
		return nil, nil
	}
	return tenant.All[db.Accepted](b)
}

// acceptedOf returns the bucket of what is accepted in a project, and makes it if need be.
func acceptedOf(a tenant.Account, number uint32) (tenant.Bucket, error) {
	return a.Bucket(Accepted).CreateBucketIfNotExists(numberKey(number))
}

func endKey(number uint32, one db.Accepted) []byte {
	key := binary.BigEndian.AppendUint64(nil, uint64(one.ExpiresAt.UnixMilli()))
	return append(binary.BigEndian.AppendUint32(key, number), one.ID[:]...)
}

func removeEnd(a tenant.Account, number uint32, one db.Accepted) error {
	if one.ExpiresAt.IsZero() {
		return nil
	}
	return a.Bucket(Ends).Delete(endKey(number, one))
}

// add stores a new accepted outcome.
func add(a tenant.Account, b tenant.Bucket, number uint32, one db.Accepted) error {
	if !one.ExpiresAt.IsZero() {
		if err := a.Bucket(Ends).Put(endKey(number, one), nil); err != nil {
			return err
		}
	}
	return tenant.Put(b, one.ID[:], one)
}

// Accept is documented in db.Store.
func (s *Ledger) Accept(ctx context.Context, account, nameOrID string, n db.NewAccepted) (made db.Accepted, again bool, err error) {
	wanted, err := n.Validate(s.Engine.Now())
	if err != nil {
		return db.Accepted{}, false, err
	}
	err = s.change(ctx, account, nameOrID, s.Engine.Add, func(a tenant.Account, number uint32) (counts bool, err error) {
		b, err := acceptedOf(a, number)
		if err != nil {
			return false, err
		}
		asked := struct {
			Project uint32
			db.NewAccepted
		}{number, n}
		var id uuid.UUID
		if id, again, err = s.Engine.Once(a, n.IdempotencyKey, b, asked, func() (uuid.UUID, error) {
			if tenant.Count(b) >= db.MaxAccepted {
				return uuid.Nil, &db.InvalidError{Fields: []db.FieldError{{Field: "check",
					Detail: fmt.Sprintf("is one too many: a project has at most %d accepted outcomes; delete one first", db.MaxAccepted)}}}
			}
			wanted.ID = s.Engine.NextID()
			return wanted.ID, add(a, b, number, wanted)
		}); err != nil {
			return false, err
		}
		made, err = tenant.Get[db.Accepted](b, id[:])
		return !again, err
	})
	return made, again, err
}

// change runs a change of what is accepted in a project, and has its reports judged again if the change says that this counts.
func (s *Ledger) change(ctx context.Context, account, nameOrID string,
	write func(context.Context, string, func(tenant.Account) error) error, change func(tenant.Account, uint32) (bool, error)) error {
	told := false
	err := write(ctx, account, func(a tenant.Account) error {
		number, err := s.Number(a, nameOrID)
		if err != nil {
			return err
		}
		counts, err := change(a, number)
		if err != nil || !counts {
			return err
		}
		told, err = s.acceptedChanged(a, number)
		return err
	})
	if err == nil {
		s.Announce(db.News{Account: account, Planned: true, Told: told})
		s.JudgeRest(account)
	}
	return err
}

// acceptedChanged has the reports of a project judged again if that can make a difference.
func (s *Ledger) acceptedChanged(a tenant.Account, number uint32) (raised bool, err error) {
	p, err := Of(a, number)
	if err != nil || p.Budget.MaxHigh == nil && p.Budget.MaxMedium == nil {
		return false, err
	}
	return s.judgeAnew(a, number)
}

// AcceptedOutcomes is documented in db.Store.
func (s *Ledger) AcceptedOutcomes(ctx context.Context, account, nameOrID string, q sortfilter.Query) (page db.Page[db.Accepted], err error) {
	err = s.Engine.View(ctx, account, func(a tenant.Account) error {
		number, err := s.Number(a, nameOrID)
		if err != nil {
			return err
		}
		all, err := AcceptedIn(a, number)
		now := s.Engine.Now()
		all = slices.DeleteFunc(all, func(one db.Accepted) bool { return !one.Holds(now) })
		page = tenant.Page(all, q, func(one db.Accepted) string { return one.URL })
		return err
	})
	return page, err
}

// Unaccept is documented in db.Store.
func (s *Ledger) Unaccept(ctx context.Context, account, nameOrID string, id uuid.UUID) error {
	return s.change(ctx, account, nameOrID, s.Engine.Remove, func(a tenant.Account, number uint32) (bool, error) {
		b := a.Bucket(Accepted).Bucket(numberKey(number))
		if b == nil {
			return false, fmt.Errorf("accepted outcome: %w", db.ErrNotFound)
		}
		one, err := tenant.Get[db.Accepted](b, id[:])
		if err != nil {
			return false, fmt.Errorf("accepted outcome: %w", err)
		}
		return true, errors.Join(removeEnd(a, number, one), b.Delete(id[:]))
	})
}

// expiredAtOnce is how many accepted outcomes a transaction removes at most since they have expired.
const expiredAtOnce = 100

// ExpireAccepted is documented in db.Store.
func (s *Ledger) ExpireAccepted(ctx context.Context) (next time.Time, err error) {
	for {
		now := s.Engine.Now()
		expired, next, err := s.Engine.Due(ctx, Ends, now)
		if err != nil || expired == nil {
			return next, err
		}
		for _, account := range expired {
			if err := s.expire(ctx, account, now); err != nil {
				return next, err
			}
		}
	}
}

// expire removes what has expired of an account, or part of it.
func (s *Ledger) expire(ctx context.Context, account string, now time.Time) error {
	told := false
	err := s.Engine.Remove(ctx, account, func(a tenant.Account) error {
		told = false
		changed := map[uint32]bool{}
		for range expiredAtOnce {
			k, _ := a.Bucket(Ends).Cursor().First()
			if k == nil || int64(binary.BigEndian.Uint64(k)) > now.UnixMilli() {
				break
			}
			number := binary.BigEndian.Uint32(k[8:])
			if err := errors.Join(a.Bucket(Accepted).Bucket(numberKey(number)).Delete(k[12:]), a.Bucket(Ends).Delete(slices.Clone(k))); err != nil {
				return err
			}
			changed[number] = true
		}
		for number := range changed {
			one, err := s.acceptedChanged(a, number)
			if err != nil {
				return err
			}
			told = told || one
		}
		return nil
	})
	if err == nil {
		s.Announce(db.News{Account: account, Told: told})
		s.JudgeRest(account)
	}
	return err
}

// Import stores an accepted outcome of an export unless there is one with its id in the project, and reports whether it did.
func Import(a tenant.Account, number uint32, one db.Accepted) (bool, error) {
	b, err := acceptedOf(a, number)
	if err != nil || b.Get(one.ID[:]) != nil {
		return false, err
	}
	return true, add(a, b, number, one)
}

// ImportPromise stores what a new project of an export promises. Its reports are judged as they come.
func ImportPromise(a tenant.Account, number uint32, l db.Project) error {
	if !l.Budget.Promises() && l.Lang == "" && l.Privacy == db.Private {
		return nil
	}
	p := Promise{Budget: l.Budget, Lang: l.Lang, Broken: l.Standing == db.BudgetExceeded, Unknown: l.Budget.Promises()}
	p.setAccess(l)
	return errors.Join(put(a, number, p), JudgeLater(a, number))
}

// JudgeLaterAhead tells the engine that JudgeLater follows for these projects.
func JudgeLaterAhead(a tenant.Account, numbers []uint32) {
	keys := make([][]byte, len(numbers))
	for i, number := range numbers {
		keys[i] = numberKey(number)
	}
	a.Bucket(Promises).Ahead(keys...)
}

// JudgeLater has all reports of a project judged in the background, if it has a budget.
func JudgeLater(a tenant.Account, number uint32) error {
	p, err := Of(a, number)
	if err != nil || !p.Budget.Promises() {
		return err
	}
	return a.Bucket(Judging).Put(numberKey(number), uuid.Nil[:])
}
