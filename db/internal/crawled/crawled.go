// Package crawled keeps the crawls of an account: what each was asked to do, how far it has come, what it has seen while it runs, and its rows once
// it has ended.
package crawled

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/google/uuid"

	"sitegrade/audit"
	"sitegrade/db"
	"sitegrade/db/internal/sealed"
	"sitegrade/db/internal/tenant"
	"sitegrade/sortfilter"
)

// The buckets of an account that this package keeps; the schema tells what is in them.
const (
	Crawls  = "crawls"
	Open    = "crawls_open"
	Of      = "crawls_of"
	Data    = "crawl_data"
	Dropped = "crawls_dropped"
)

// Stored is a crawl with what is not shown of it.
type Stored struct {
	db.Crawl
	Sealed  []byte         `json:",omitempty"` // its headers
	Batches int            // of visits that are kept
	Issues  map[string]int `json:",omitempty"` // addresses that a check across pages names, by check
	// Failing is on how many reports of the project each check failed when the crawl ended.
	Failing map[string]int `json:",omitempty"`
}

// Sites keeps crawls. It has the methods of db.Store for them.
type Sites struct {
	Engine tenant.Engine
	Box    *sealed.Box
	// MakeProject returns the project of a name, which it makes if need be.
	MakeProject func(a tenant.Account, name string) (db.ProjectRef, error)
	// Keep stores the audits of pages in the reports that a project has of their addresses, or in new ones.
	Keep func(a tenant.Account, project uuid.UUID, privacy db.Privacy, pages []Page) (reports []uuid.UUID, told bool, err error)
	// Tell writes an event, and reports whether somebody is told of it.
	Tell func(a tenant.Account, e db.Event) (bool, error)
	// Failing returns on how many reports of a project each check fails.
	Failing func(a tenant.Account, project uuid.UUID) (map[string]int, error)
	// Announce tells the process what was committed.
	Announce func(db.News)
	// Purge has PurgeSome called until nothing is left to be removed.
	Purge func(account string)
	// Elsewhere reports whether another process runs a crawl; nil where there is no other.
	Elsewhere func(a tenant.Account, id uuid.UUID) (bool, error)

	claims claims // unless the engine has its own
}

// Page is a page that was audited, with its audit as it is stored.
type Page struct {
	URL    string
	Found  *audit.Report
	Packed []byte
}

// CreateCrawl is documented in db.Store.
func (s *Sites) CreateCrawl(ctx context.Context, account string, n db.NewCrawl) (made db.Crawl, again bool, err error) {
	wanted, urls, err := n.Normalised()
	if err != nil {
		return db.Crawl{}, false, err
	}
	headers, err := s.Box.Seal(n.Headers)
	if errors.Is(err, sealed.ErrNoSecret) {
		err = refuse("headers", "cannot be kept: %v", err)
	}
	if err != nil {
		return db.Crawl{}, false, err
	}
	asked := n
	asked.Headers = map[string]string{"": s.Box.Sum(n.Headers)}
	err = s.Engine.Add(ctx, account, func(a tenant.Account) (err error) {
		var id uuid.UUID
		id, again, err = s.Engine.Once(a, n.IdempotencyKey, a.Bucket(Crawls), asked, func() (uuid.UUID, error) {
			return s.Make(a, Stored{Crawl: wanted, Sealed: headers}, urls)
		})
		if err != nil {
			return err
		}
		stored, err := get(a, id)
		made = stored.Crawl
		return err
	})
	if err == nil {
		s.Announce(db.News{Account: account, Crawls: true})
	}
	return made, again, err
}

// Make stores a new crawl and queues it. The error is *db.InvalidError if too many of the account are open.
func (s *Sites) Make(a tenant.Account, c Stored, urls []string) (uuid.UUID, error) {
	if tenant.Count(a.Bucket(Open)) >= db.MaxOpenCrawls {
		return uuid.Nil, refuse("url", "is one too many: at most %d crawls of an account wait or run at once", db.MaxOpenCrawls)
	}
	project, err := s.MakeProject(a, c.Project.Name)
	if err != nil {
		return uuid.Nil, err
	}
	c.ID, c.Project, c.CreatedAt = s.Engine.NextID(), project, s.Engine.Now()
	if err := putStart(a, c.ID, urls); err != nil {
		return uuid.Nil, err
	}
	return c.ID, put(a, &c)
}

// MakeScheduled is Make for a schedule, unless its crawl before still waits or runs. It returns how many crawls it made, and how the run ended.
func (s *Sites) MakeScheduled(a tenant.Account, of db.Schedule) (made int, status db.RunStatus, detail string, err error) {
	for _, id := range ofProject(a, of.Project.ID) {
		before, err := get(a, id)
		if err != nil {
			return 0, "", "", err
		}
		if before.Status.Unfinished() && before.URL == of.Crawl.URL {
			return 0, db.RunDone, "Nothing was queued: a crawl of this address still waits or runs.", nil
		}
	}
	c := Stored{Sealed: of.Crawl.Sealed, Crawl: db.Crawl{
		CrawlOptions: of.Crawl.CrawlOptions, Project: of.Project, Status: db.CrawlQueued, Revision: 1,
	}}
	_, err = s.Make(a, c, of.Crawl.URLs)
	if refused, ok := errors.AsType[*db.InvalidError](err); ok {
		return 0, db.RunFailed, "No crawl was queued: it " + refused.Fields[0].Detail + ".", nil
	}
	return 1, db.RunDone, "A crawl was queued.", err
}

func refuse(field, format string, args ...any) error {
	return &db.InvalidError{Fields: []db.FieldError{{Field: field, Detail: fmt.Sprintf(format, args...)}}}
}

// get returns a crawl, or ErrNotFound.
func get(a tenant.Account, id uuid.UUID) (*Stored, error) {
	c, err := tenant.Get[Stored](a.Bucket(Crawls), id[:])
	if err != nil {
		return &c, fmt.Errorf("crawl: %w", err)
	}
	return &c, nil
}

// put stores a crawl, and notes whether it is open and whose it is.
func put(a tenant.Account, c *Stored) error {
	open := a.Bucket(Open)
	noted := open.Delete
	if c.Status.Unfinished() {
		noted = func(key []byte) error { return open.Put(key, nil) }
	}
	return errors.Join(noted(c.ID[:]), a.Bucket(Of).Put(ofKey(c), nil), tenant.Put(a.Bucket(Crawls), c.ID[:], c))
}

func ofKey(c *Stored) []byte { return append(c.Project.ID[:], c.ID[:]...) }

// Crawls is documented in db.Store.
func (s *Sites) Crawls(ctx context.Context, account string, q sortfilter.Query) (page db.Page[db.Crawl], err error) {
	err = s.Engine.View(ctx, account, func(a tenant.Account) error {
		project := uuid.Nil
		if q.Project != "" {
			ref, err := s.Engine.Project(a, q.Project)
			if err != nil {
				return err
			}
			project = ref.ID
		}
		all, err := tenant.All[Stored](a.Bucket(Crawls))
		all = slices.DeleteFunc(all, func(c Stored) bool {
			return project != uuid.Nil && c.Project.ID != project || q.Status != "" && string(c.Status) != q.Status
		})
		chosen := tenant.Page(all, q, func(c Stored) string { return c.URL })
		page.Total = chosen.Total
		for _, c := range chosen.Rows {
			page.Rows = append(page.Rows, c.Crawl)
		}
		return err
	})
	if errors.Is(err, db.ErrNotFound) {
		err = nil
	}
	return page, err
}

// Crawl is documented in db.Store.
func (s *Sites) Crawl(ctx context.Context, account string, id uuid.UUID) (shown db.Crawl, err error) {
	err = s.Engine.View(ctx, account, func(a tenant.Account) error {
		stored, err := get(a, id)
		shown = stored.Crawl
		return err
	})
	return shown, err
}

func checked(a tenant.Account, id uuid.UUID, check func(db.Crawl) error) (*Stored, error) {
	stored, err := get(a, id)
	if err == nil && check != nil {
		err = check(stored.Crawl)
	}
	return stored, err
}

// StopCrawl is documented in db.Store.
func (s *Sites) StopCrawl(ctx context.Context, account string, id uuid.UUID, check func(db.Crawl) error) (shown db.Crawl, err error) {
	err = s.Engine.Remove(ctx, account, func(a tenant.Account) error {
		c, err := checked(a, id, check)
		if err != nil {
			return err
		}
		switch {
		case c.Status == db.CrawlQueued:
			c.Status, c.FinishedAt = db.CrawlStopped, s.Engine.Now()
			err = removeData(a, id, wholeCrawl)
		case c.Status == db.CrawlRunning && !c.Stopping:
			c.Stopping = true
		default:
			shown = c.Crawl
			return nil
		}
		c.Revision++
		shown = c.Crawl
		return errors.Join(err, put(a, c))
	})
	if err == nil {
		s.Announce(db.News{Account: account, Crawls: true})
	}
	return shown, err
}

// DeleteCrawl is documented in db.Store.
func (s *Sites) DeleteCrawl(ctx context.Context, account string, id uuid.UUID, check func(db.Crawl) error) error {
	err := s.Engine.Remove(ctx, account, func(a tenant.Account) error {
		c, err := checked(a, id, check)
		if err != nil {
			return err
		}
		return drop(a, c)
	})
	if err == nil {
		s.Announce(db.News{Account: account, Crawls: true})
		s.Purge(account)
	}
	return err
}

// drop removes a crawl; what it has besides is left to PurgeSome.
func drop(a tenant.Account, c *Stored) error {
	return errors.Join(a.Bucket(Crawls).Delete(c.ID[:]), a.Bucket(Open).Delete(c.ID[:]), a.Bucket(Of).Delete(ofKey(c)), removeData(a, c.ID, wholeCrawl))
}

// ofProject returns the ids of the crawls of a project, the oldest first.
func ofProject(a tenant.Account, project uuid.UUID) (ids []uuid.UUID) {
	c := a.Bucket(Of).Cursor()
	for k, _ := c.Seek(project[:]); strings.HasPrefix(string(k), string(project[:])); k, _ = c.Next() {
		ids = append(ids, uuid.UUID(k[16:]))
	}
	return ids
}

// DropProject removes the crawls of a project. It is for the transaction that deletes the project, after which Purge is to be called.
func DropProject(a tenant.Account, project uuid.UUID) error {
	for _, id := range ofProject(a, project) {
		c, err := get(a, id)
		if err != nil {
			return err
		}
		if err := drop(a, c); err != nil {
			return err
		}
	}
	return nil
}

// RenameProject has the crawls of a project show its new name.
func RenameProject(a tenant.Account, renamed db.ProjectRef) error {
	for _, id := range ofProject(a, renamed.ID) {
		c, err := get(a, id)
		if err != nil {
			return err
		}
		c.Project = renamed
		if err := put(a, c); err != nil {
			return err
		}
	}
	return nil
}
