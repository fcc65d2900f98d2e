package crawled

import (
	"context"
	"errors"
	"sync"

	"github.com/google/uuid"

	"sitegrade/db"
	"sitegrade/db/internal/tenant"
)

// claims are the crawls that run in this process. They are never stored.
type claims struct {
	mu    sync.Mutex
	taken map[claim]bool
}

type claim struct {
	account string
	id      uuid.UUID
}

// of returns how many are taken, and how many of them are of an account.
func (c *claims) of(account string) (all, own int) {
	for k := range c.taken {
		if k.account == account {
			own++
		}
	}
	return len(c.taken), own
}

// ReleaseCrawl is documented in db.Store.
func (s *Sites) ReleaseCrawl(account string, id uuid.UUID) {
	s.claims.mu.Lock()
	defer s.claims.mu.Unlock()
	delete(s.claims.taken, claim{account, id})
}

// ClaimCrawl is documented in db.Store. Claims are kept in memory only.
func (s *Sites) ClaimCrawl(ctx context.Context, limit int) (claimed db.ClaimedCrawl, found bool, err error) {
	for {
		account, id, found, err := s.choose(ctx, limit)
		if err != nil || !found {
			return claimed, false, err
		}
		if claimed, err = s.Begin(ctx, account, id); err == nil {
			return claimed, true, nil
		}
		if s.ReleaseCrawl(account, id); !errors.Is(err, db.ErrNotFound) {
			return claimed, false, err
		}
	}
}

// Begin returns a crawl that the caller has claimed, with all that it needs, and notes that it runs. The error is db.ErrNotFound if it has ended or
// was deleted meanwhile.
func (s *Sites) Begin(ctx context.Context, account string, id uuid.UUID) (claimed db.ClaimedCrawl, err error) {
	err = s.Engine.Remove(ctx, account, func(a tenant.Account) error {
		c, err := get(a, id)
		if err == nil && !c.Status.Unfinished() {
			err = db.ErrNotFound
		}
		if err != nil {
			return err
		}
		if claimed.URLs, err = start(a, id); err != nil {
			return err
		}
		claimed.Account = account
		if c.Status == db.CrawlQueued {
			c.Status, c.StartedAt = db.CrawlRunning, s.Engine.Now()
			c.Revision++
		}
		claimed.Crawl = c.Crawl
		if claimed.Headers, err = s.Box.Open(c.Sealed); err != nil {
			claimed.Failure = &headersLost
		}
		return put(a, c)
	})
	return claimed, err
}

// runs returns a crawl for who runs it, unless another process does by now, which is db.ErrElsewhere.
func (s *Sites) runs(a tenant.Account, id uuid.UUID) (*Stored, error) {
	c, err := get(a, id)
	if err == nil && s.Elsewhere != nil {
		var elsewhere bool
		if elsewhere, err = s.Elsewhere(a, id); elsewhere {
			err = db.ErrElsewhere
		}
	}
	return c, err
}

// choose takes the next crawl.
func (s *Sites) choose(ctx context.Context, limit int) (account string, id uuid.UUID, found bool, err error) {
	s.claims.mu.Lock()
	defer s.claims.mu.Unlock()
	least := 0
	err = s.Engine.Each(ctx, Open, func(a tenant.Account) error {
		all, own := s.claims.of(a.Name)
		if own >= limit-all || found && own >= least {
			return nil
		}
		c := a.Bucket(Open).Cursor()
		for k, _ := c.First(); k != nil; k, _ = c.Next() {
			if one := uuid.UUID(k); !s.claims.taken[claim{a.Name, one}] {
				account, id, found, least = a.Name, one, true, own
				return nil
			}
		}
		return nil
	})
	if err != nil || !found {
		return "", uuid.Nil, false, err
	}
	if s.claims.taken == nil {
		s.claims.taken = map[claim]bool{}
	}
	s.claims.taken[claim{account, id}] = true
	return account, id, true, nil
}
