package pg

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"sitegrade/db"
)

// Change is something that is written to an account.
type Change struct {
	// Run writes. It may run twice. What it returns ends it, and the others of its group go on without it.
	Run func(*Account) error
	// item is written by together, with those of other changes; then there is no Run.
	item     any
	together func(a *Account, items []any) error

	of    []*Change // those that it is made of
	ctx   context.Context
	begun bool
	done  chan error
}

const (
	// maxGroup is how many changes one transaction has at most.
	maxGroup = 128
	// groupTimeout bounds the transaction of a group: a database that does not respond keeps nobody longer.
	groupTimeout = 20 * time.Second
)

// groups commits together what comes for an account while something is being committed there: one wait for the disk serves all of them.
type groups struct {
	mu       sync.Mutex
	accounts map[int32]*group
	closed   bool
	running  sync.WaitGroup
	since    atomic.Int64 // when the oldest running commit began, in ns since 1970; 0 while there is none
	active   int
}

// group is what waits to be written to an account. While it exists, a goroutine works on it.
type group struct{ waiting []*Change }

// Write has run write to an account, and returns once that is stored. run may run twice.
func (p *Pool) Write(ctx context.Context, account Ref, run func(*Account) error) error {
	return p.write(&Change{Run: run, ctx: ctx}, account)
}

// WriteTogether is Write for things that are written with others of their kind by few statements: together is given the items of all calls
// that wait. It may run twice, and where it fails, so do all of them.
func (p *Pool) WriteTogether(ctx context.Context, account Ref, item any, together func(a *Account, items []any) error) error {
	return p.write(&Change{item: item, together: together, ctx: ctx}, account)
}

func (p *Pool) write(c *Change, account Ref) error {
	if err := c.ctx.Err(); err != nil {
		return err
	}
	c.done = make(chan error, 1)
	if !p.groups.add(account, c, p.commit) {
		return db.ErrClosed
	}
	return <-c.done
}

// WritingSince returns when the commits began that are under way; zero while there are none.
func (p *Pool) WritingSince() time.Time {
	if ns := p.groups.since.Load(); ns != 0 {
		return time.Unix(0, ns)
	}
	return time.Time{}
}

// add has a change written with others, by commit. It reports false after close.
func (g *groups) add(account Ref, c *Change, commit func(Ref, []*Change)) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		return false
	}
	if g.accounts == nil {
		g.accounts = map[int32]*group{}
	}
	if known := g.accounts[account.Number]; known != nil {
		known.waiting = append(known.waiting, c)
		return true
	}
	g.accounts[account.Number] = &group{waiting: []*Change{c}}
	if g.active++; g.active == 1 {
		g.since.Store(time.Now().UnixNano())
	}
	g.running.Go(func() {
		for some := g.take(account.Number); some != nil; some = g.take(account.Number) {
			commit(account, some)
		}
	})
	return true
}

// take returns what waits for an account, or nil once nothing does.
func (g *groups) take(account int32) []*Change {
	g.mu.Lock()
	defer g.mu.Unlock()
	own := g.accounts[account]
	n := min(len(own.waiting), maxGroup)
	if n == 0 {
		delete(g.accounts, account)
		if g.active--; g.active == 0 {
			g.since.Store(0)
		}
		return nil
	}
	some := own.waiting[:n]
	own.waiting = slices.Clone(own.waiting[n:])
	return some
}

// rest takes all that waits for an account.
func (g *groups) rest(account int32) []*Change {
	g.mu.Lock()
	defer g.mu.Unlock()
	own := g.accounts[account]
	all := own.waiting
	own.waiting = nil
	return all
}

// close waits for what is being written. What comes later is refused.
func (g *groups) close() {
	g.mu.Lock()
	g.closed = true
	g.mu.Unlock()
	g.running.Wait()
}

// commit writes changes in one transaction. One that fails is left out, and if it had written something, the others are written anew.
func (p *Pool) commit(account Ref, changes []*Change) {
	var failures []failure // told after the commit: what they saw may come from others of the group
	changes = unite(changes)
	for len(changes) > 0 {
		var o outcome
		err := again(context.Background(), isTransient, func() (err error) {
			o, err = p.try(account, changes)
			return err
		})
		left := slices.DeleteFunc(changes, func(c *Change) bool {
			return slices.ContainsFunc(o.failed, func(f failure) bool { return f.Change == c })
		})
		failures = append(failures, o.failed...)
		if changes = left; o.broken && err == nil {
			continue
		}
		if errors.Is(err, errStalled) { // what waits would wait for the same, each group as long
			changes = append(changes, p.groups.rest(account.Number)...)
		}
		for _, c := range changes {
			c.end(err)
		}
		changes = nil
	}
	for _, f := range failures {
		f.end(f.cause)
	}
}

// unite returns changes in which those that are written together are one.
func unite(changes []*Change) []*Change {
	var united []*Change
	var one *Change
	for _, c := range changes {
		switch {
		case c.together == nil:
			united = append(united, c)
		case c.ctx.Err() != nil:
			c.end(c.ctx.Err())
		case one == nil:
			items, together := []any{c.item}, c.together
			one = &Change{ctx: context.Background(), of: []*Change{c}}
			one.item = items
			one.Run = func(a *Account) error { return together(a, one.item.([]any)) }
			united = append(united, one)
		default:
			one.of, one.item = append(one.of, c), append(one.item.([]any), c.item)
		}
	}
	return united
}

// end tells those who wait for a change.
func (c *Change) end(err error) {
	for _, of := range c.of {
		of.end(err)
	}
	if c.of == nil {
		c.done <- err
	}
}

// failure is a change that was left out, and why.
type failure struct {
	*Change
	cause error
}

// outcome is what came of an attempt to write a group.
type outcome struct {
	failed []failure
	broken bool // one of those had written something: the others are to be written without it
}

// try writes changes in one transaction. One that fails before it has written anything is left out; another ends the transaction.
func (p *Pool) try(account Ref, changes []*Change) (o outcome, err error) {
	ctx, cancel := context.WithTimeoutCause(context.Background(), groupTimeout, db.ErrUnavailable)
	defer cancel()
	// One round trip for both: nobody else writes to the account from here on.
	begin := fmt.Sprintf("BEGIN; SELECT FROM tenants WHERE account = %d FOR NO KEY UPDATE", account.Number)
	tx, err := p.begin(ctx, pgx.TxOptions{BeginQuery: begin})
	if err != nil {
		return o, err
	}
	defer tx.Rollback(context.WithoutCancel(ctx)) // after a commit it does nothing
	wrote := false
	for _, c := range changes {
		a := &Account{Tx: &Tx{ctx: ctx, q: tx}, Ref: account}
		err := c.ctx.Err()
		if err == nil || c.begun {
			c.begun = true
			err = a.outcome(c.Run(a))
		}
		wrote = wrote || a.wrote
		if isTransient(err) || errors.Is(err, db.ErrUnavailable) {
			return outcome{}, err
		}
		if err != nil {
			o.failed = append(o.failed, failure{c, err})
		}
		if o.broken = err != nil && (a.wrote || errors.As(err, new(*pgconn.PgError))); o.broken {
			return o, nil
		}
	}
	if wrote {
		err = commit(ctx, tx)
	}
	return o, err
}
