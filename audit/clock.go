package audit

import (
	"context"
	"time"
)

// clock is the context of one audit, which ends with the time that the audit may take. Waits for a place in this process do not count:
// they say nothing of the page.
type clock struct {
	context.Context
	cancel context.CancelFunc
	timer  *time.Timer
	ends   time.Time
	waited time.Duration // in await so far
}

func startClock(ctx context.Context, limit time.Duration) *clock {
	ctx, cancel := context.WithCancel(ctx)
	return &clock{Context: ctx, cancel: cancel, timer: time.AfterFunc(limit, cancel), ends: time.Now().Add(limit)}
}

func (c *clock) stop() {
	c.timer.Stop()
	c.cancel()
}

// await stops the clock while take waits for a place. Only one goroutine may be at work for the audit.
func (c *clock) await(take func(context.Context) error) error {
	if !c.timer.Stop() {
		return context.DeadlineExceeded
	}
	began := time.Now()
	left := c.ends.Sub(began)
	err := take(c)
	waited := time.Since(began)
	c.waited += waited
	c.ends = c.ends.Add(waited)
	c.timer.Reset(left)
	return err
}
