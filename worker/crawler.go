package worker

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/google/uuid"

	"sitegrade/audit"
	"sitegrade/db"
)

const (
	// crawlsAtOnce is how many crawls run at once. Each of them has two requests under way at most.
	crawlsAtOnce = 4
	// keepPause is how often a crawl keeps what it has seen. What came a second before a kill is not asked for again; storing takes the rest of it.
	keepPause = 400 * time.Millisecond
	// pagesAtOnce is how many pages are kept in one transaction. Whoever writes meanwhile waits for it.
	pagesAtOnce = 32
	// visitsRead is how many batches of visits are read at once when a crawl goes on.
	visitsRead = 16
)

// Crawler runs the crawls of a store. It is safe for concurrent use.
type Crawler struct {
	store   db.Store
	auditor *audit.Auditor
	log     *slog.Logger
	retry   time.Duration
	changed chan struct{} // holds one element when Run should look again

	mu      sync.Mutex // guards what follows
	running map[crawlKey]chan struct{}
}

// crawlKey names a crawl of all accounts.
type crawlKey struct {
	account string
	id      uuid.UUID
}

// NewCrawler returns a crawler, which begins with Run. Its audits let those go first that auditor makes itself.
func NewCrawler(store db.Store, auditor *audit.Auditor, log *slog.Logger) *Crawler {
	return &Crawler{
		store: store, auditor: auditor.Behind(), log: log, retry: 5 * time.Second, changed: make(chan struct{}, 1), running: map[crawlKey]chan struct{}{},
	}
}

// Running returns how many crawls are under way at this moment.
func (c *Crawler) Running() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.running)
}

// Run works until ctx ends, and returns once what was seen is kept. What is not over goes on in the next process.
func (c *Crawler) Run(ctx context.Context) {
	var runs sync.WaitGroup
	defer runs.Wait()
	defer c.store.Subscribe(func(n db.News) {
		if n.Crawls || n.Deleted {
			c.wakeAll()
		}
	})()
	for ctx.Err() == nil {
		claimed, found, err := c.store.ClaimCrawl(ctx, crawlsAtOnce)
		switch {
		case err != nil:
			if ctx.Err() == nil {
				c.log.Error("crawls cannot be read", "error", err, "again_in", c.retry)
			}
			await(ctx, nil, c.retry)
		case !found:
			await(ctx, c.changed, longestPause)
		default:
			runs.Go(func() { c.run(ctx, claimed) })
		}
	}
}

// wakeAll has Run and all crawls look at what has changed.
func (c *Crawler) wakeAll() {
	wake(c.changed)
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, changed := range c.running {
		wake(changed)
	}
}

// run runs a crawl, or goes on with it, and gives it back, unless the store refuses what was seen: then the next process goes on with it.
func (c *Crawler) run(ctx context.Context, claimed db.ClaimedCrawl) {
	key := crawlKey{claimed.Account, claimed.ID}
	log := c.log.With("account", claimed.Account, "crawl", claimed.ID)
	changed := make(chan struct{}, 1)
	c.mu.Lock()
	c.running[key] = changed
	c.mu.Unlock()
	began := time.Now()
	log.Info("a crawl runs", "start", claimed.URL, "mode", claimed.Mode)
	r := newSiteRun(c, claimed, changed, log)
	err := r.run(ctx)
	c.mu.Lock()
	delete(c.running, key)
	c.mu.Unlock()
	switch {
	case ctx.Err() != nil:
		log.Info("a crawl is interrupted, and goes on with the next start", "progress", r.frontier.Progress())
	case errors.Is(err, db.ErrElsewhere):
		log.Warn("another server has taken this one for dead, and goes on with a crawl")
	case err != nil:
		log.Error("a crawl cannot be kept until the next start", "error", err)
		return
	default:
		log.Info("a crawl has ended", "progress", r.frontier.Progress(), "took", time.Since(began))
	}
	c.store.ReleaseCrawl(claimed.Account, claimed.ID)
	wake(c.changed)
}
