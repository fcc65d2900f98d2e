package postgres

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/google/uuid"

	"sitegrade/db"
	"sitegrade/db/internal/tenant"
	"sitegrade/db/postgres/internal/fleet"
	"sitegrade/db/postgres/internal/things"
)

// leftToOthers is how long a server leaves a crawl to those that run fewer.
const leftToOthers = 3 * time.Second

// crawlRuns are the crawls that this server runs, with their hosts.
type crawlRuns struct {
	mu    sync.Mutex
	hosts map[crawlRun]string
}

type crawlRun struct {
	account string
	id      uuid.UUID
}

// openCrawl is a crawl that no server runs.
type openCrawl struct {
	crawlRun
	host string
}

// ClaimCrawl is documented in db.Store.
func (d *DB) ClaimCrawl(ctx context.Context, limit int) (claimed db.ClaimedCrawl, found bool, err error) {
	d.runs.mu.Lock()
	defer d.runs.mu.Unlock()
	if len(d.runs.hosts) >= limit {
		return claimed, false, ctx.Err()
	}
	open, err := d.openCrawls(ctx)
	if err != nil {
		return claimed, false, err
	}
	for c := d.runs.take(&open, limit); c != nil; c = d.runs.take(&open, limit) {
		held, err := d.holdCrawl(ctx, c)
		if err != nil {
			return claimed, false, err
		}
		if !held {
			continue
		}
		if claimed, err = d.Sites.Begin(ctx, c.account, c.id); err == nil {
			if d.runs.hosts == nil {
				d.runs.hosts = map[crawlRun]string{}
			}
			d.runs.hosts[c.crawlRun] = c.host
			return claimed, true, nil
		}
		if d.letCrawl(ctx, c); !errors.Is(err, db.ErrNotFound) {
			return claimed, false, err
		}
	}
	return claimed, false, nil
}

// take takes the next crawl out of those that are open, nil if there is not one: of the account that has least, as long as that may have another.
func (r *crawlRuns) take(open *[]openCrawl, limit int) *openCrawl {
	own := map[string]int{}
	for c := range r.hosts {
		own[c.account]++
	}
	best := -1
	for i, c := range *open {
		if n := own[c.account]; n < limit-len(r.hosts) && (best < 0 || n < own[(*open)[best].account]) {
			best = i
		}
	}
	if best < 0 {
		return nil
	}
	c := (*open)[best]
	*open = append((*open)[:best], (*open)[best+1:]...)
	return &c
}

// openCrawls returns the crawls that this server may run, those that were made first before the others: no server runs them, and no other asks
// their hosts. What is the share of others it leaves to them for a while.
func (d *DB) openCrawls(ctx context.Context) (open []openCrawl, err error) {
	running, err := d.fleet.Count(ctx, fleet.Crawl)
	if err != nil {
		return nil, err
	}
	hasShare := len(d.runs.hosts)*d.Servers() > running
	all, err := things.OpenCrawls(ctx, d.pool)
	if err != nil {
		return nil, err
	}
	var ids, hosts []string
	for _, c := range all {
		ids, hosts = append(ids, c.ID.String()), append(hosts, hostOf(c.URL))
	}
	taken, err := d.fleet.OfOthers(ctx, fleet.Crawl, ids)
	if err != nil {
		return nil, err
	}
	asked, err := d.fleet.OfOthers(ctx, fleet.Host, hosts)
	for i, c := range all {
		one := openCrawl{crawlRun{c.Account, c.ID}, hosts[i]}
		made := time.Unix(c.ID.Time().UnixTime())
		_, isOwn := d.runs.hosts[one.crawlRun]
		if !taken[ids[i]] && !asked[one.host] && !isOwn && !(hasShare && d.now().Sub(made) < leftToOthers) {
			open = append(open, one)
		}
	}
	return open, err
}

// holdCrawl holds a crawl and its host, and reports whether no other server has them.
func (d *DB) holdCrawl(ctx context.Context, c *openCrawl) (bool, error) {
	held, err := d.fleet.Hold(ctx, fleet.Crawl, c.id.String())
	if !held || err != nil {
		return false, err
	}
	if held, err = d.fleet.Hold(ctx, fleet.Host, c.host); !held || err != nil {
		return false, errors.Join(err, d.fleet.Let(ctx, fleet.Crawl, c.id.String()))
	}
	return true, nil
}

// letCrawl takes back what holdCrawl did. What cannot be given back now is with a later beat.
func (d *DB) letCrawl(ctx context.Context, c *openCrawl) {
	_ = d.fleet.Let(ctx, fleet.Host, c.host)
	_ = d.fleet.Let(ctx, fleet.Crawl, c.id.String())
}

// ReleaseCrawl is documented in db.Store.
func (d *DB) ReleaseCrawl(account string, id uuid.UUID) {
	d.runs.mu.Lock()
	defer d.runs.mu.Unlock()
	c := openCrawl{crawlRun: crawlRun{account, id}}
	host, runs := d.runs.hosts[c.crawlRun]
	if !runs {
		return
	}
	delete(d.runs.hosts, c.crawlRun)
	c.host = host
	ctx, cancel := context.WithTimeout(context.Background(), d.options.Lease/2)
	defer cancel()
	d.letCrawl(ctx, &c)
}

// runsElsewhere reports whether another server runs a crawl by now.
func (d *DB) runsElsewhere(a tenant.Account, id uuid.UUID) (elsewhere bool, err error) {
	return d.fleet.IsElsewhere(ofTenant(a).Tx, fleet.Crawl, id.String())
}
