package crawl

import (
	"context"
	"time"
)

// Driver has a crawl run: it asks for what a frontier gives out, as much at once as the frontier lets it.
type Driver struct {
	Frontier *Frontier
	// Ask asks for an address. It is called by several goroutines at once. An error means that the address was not asked for, or not to
	// the end, and ends the crawl.
	Ask func(ctx context.Context, a Address) (*Visit, error)
	// Keep keeps a visit before it counts, so that a crawl that is killed goes on behind it; an error ends the crawl. Neither Keep nor
	// Counted runs beside another call of the two, or while Run uses the frontier.
	Keep func(*Visit) error
	// Counted is called when a visit counts, to look at the frontier's progress; nil for nothing.
	Counted func()
	Now     func() time.Time
	After   func(time.Duration) <-chan time.Time // as time.After
}

// asked is what came of an address that was given out.
type asked struct {
	address Address
	visit   *Visit
	err     error
}

// Run crawls until no address is left. Its error is that of ctx, Ask or Keep; then what was under way has come back, and the frontier can
// be driven on.
func (d *Driver) Run(ctx context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	back := make(chan asked)
	underWay := 0
	for {
		var again <-chan time.Time
		if ctx.Err() == nil {
			next, wait, ok := d.Frontier.Next(d.Now())
			if ok {
				underWay++
				go func() {
					visit, err := d.Ask(ctx, next)
					back <- asked{next, visit, err}
				}()
				continue
			}
			if wait > 0 {
				again = d.After(wait)
			}
		}
		if underWay == 0 && again == nil {
			return context.Cause(ctx)
		}
		var ended <-chan struct{}
		if underWay == 0 {
			ended = ctx.Done()
		}
		select {
		case came := <-back:
			underWay--
			if err := d.count(came); err != nil {
				cancel(err)
			}
		case <-again:
		case <-ended:
		}
	}
}

// count keeps what came of an address, and hands it to the frontier.
func (d *Driver) count(came asked) error {
	err := came.err
	if err == nil {
		err = d.Keep(came.visit)
	}
	if err != nil {
		d.Frontier.Return(came.address)
		return err
	}
	d.Frontier.Done(*came.visit)
	if d.Counted != nil {
		d.Counted()
	}
	return nil
}
