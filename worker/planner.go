package worker

import (
	"context"
	"log/slog"
	"time"

	"sitegrade/db"
)

// DefaultSpread is within which time of its moment a schedule begins, where nothing else is configured.
const DefaultSpread = time.Minute

const (
	// scheduledAhead is how many reports may wait in the queue for schedules to add to it: a schedule of a project with a hundred thousand
	// reports fills neither the queue nor the file.
	scheduledAhead = 1000
	// backlogPause is the time from one look at a queue that is too long to the next.
	backlogPause = time.Second
	// shortestPause is how long a planner lets starts gather: ten thousand within a minute cost a few hundred looks.
	shortestPause = 100 * time.Millisecond
	// longestPause is after how much time a planner looks again though nothing is due: the clock may have been set.
	longestPause = time.Minute
)

// Planner does what a store has for a moment: it queues the reports of schedules, and has accepted outcomes expire. It is safe for concurrent use.
type Planner struct {
	store   db.Store
	spread  time.Duration
	log     *slog.Logger
	retry   time.Duration
	now     func() time.Time // time.Now
	changed chan struct{}    // holds one element when Run should look again
}

// NewPlanner returns a planner, which begins with Run. A schedule begins up to spread after its moment; 0: at once.
func NewPlanner(store db.Store, spread time.Duration, log *slog.Logger) *Planner {
	return &Planner{store: store, spread: spread, log: log, retry: 5 * time.Second, now: time.Now, changed: make(chan struct{}, 1)}
}

// Run works until ctx ends.
func (p *Planner) Run(ctx context.Context) {
	defer p.store.Subscribe(func(n db.News) {
		if n.Planned {
			wake(p.changed)
		}
	})()
	for ctx.Err() == nil {
		await(ctx, p.changed, p.runDue(ctx))
	}
}

// runDue does what is due, and returns how long nothing else will be.
func (p *Planner) runDue(ctx context.Context) (pause time.Duration) {
	expires, err := p.store.ExpireAccepted(ctx)
	if err != nil {
		return p.failed(ctx, err)
	}
	pause = p.runSchedules(ctx)
	if !expires.IsZero() {
		pause = min(pause, max(shortestPause, time.Until(expires)))
	}
	return pause
}

// runSchedules queues the reports of schedules, as far as the queue has room for them, and returns how long nothing else will be due.
func (p *Planner) runSchedules(ctx context.Context) (pause time.Duration) {
	stats, err := p.store.Stats()
	if err != nil {
		return p.failed(ctx, err)
	}
	if stats.Queued >= scheduledAhead {
		return backlogPause
	}
	queued, next, err := p.store.RunSchedules(ctx, p.spread, scheduledAhead-stats.Queued)
	if err != nil {
		return p.failed(ctx, err)
	}
	if queued > 0 {
		p.log.Info("schedules queued reports", "reports", queued)
	}
	if next.IsZero() {
		return longestPause
	}
	return min(max(shortestPause, next.Sub(p.now())), longestPause)
}

func (p *Planner) failed(ctx context.Context, err error) time.Duration {
	if ctx.Err() == nil {
		p.log.Error("what is due cannot be done", "error", err, "again_in", p.retry)
	}
	return p.retry
}

// wake has whoever awaits changed look again.
func wake(changed chan struct{}) {
	select {
	case changed <- struct{}{}:
	default:
	}
}

// await returns when something has changed, after a pause, or when ctx ends.
func await(ctx context.Context, changed <-chan struct{}, pause time.Duration) {
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-changed:
	case <-timer.C:
	}
}
