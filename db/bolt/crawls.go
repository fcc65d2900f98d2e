package bolt

import (
	"bytes"
	"encoding/binary"

	"github.com/google/uuid"

	"sitegrade/audit"
	"sitegrade/db"
	"sitegrade/db/internal/crawled"
	"sitegrade/db/internal/issues"
	"sitegrade/db/internal/record"
	"sitegrade/db/internal/sealed"
	"sitegrade/db/internal/tenant"
)

// sites returns the room of the crawls.
func (d *DB) sites(engine tenant.Engine) (*crawled.Sites, error) {
	box, err := sealed.New(d.options.Secret)
	return &crawled.Sites{
		Engine: engine, Box: box, Keep: d.keepPages, Tell: d.Outbox.Raise, Announce: d.Listeners.Tell, Purge: d.purge,
		MakeProject: d.makeProject,
		Failing:     d.Book.Failing,
	}, err
}

// book returns the room of what is wrong with projects.
func book(engine tenant.Engine) *issues.Book {
	return &issues.Book{
		Engine: engine,
		Number: func(t tenant.Account, project uuid.UUID) (uint32, error) {
			p, err := ofTenant(t).findProject(project.String())
			if err != nil {
				return 0, err
			}
			return p.number, nil
		},
		Projects: func(t tenant.Account, after uint32, n int) (numbers []uint32) {
			c := ofTenant(t).bucket(projectsBucket).Cursor()
			for k, _ := c.Seek(numberKey(after + 1)); k != nil && len(numbers) < n; k, _ = c.Next() {
				numbers = append(numbers, binary.BigEndian.Uint32(k))
			}
			return numbers
		},
		Live: func(t tenant.Account, project uint32) bool { return !ofTenant(t).isDropped(project) },
		Rated: func(t tenant.Account, project uint32) int {
			c := ofTenant(t).counts(project)
			return c.total() - c[audit.Unrated]
		},
		Behind: func(t tenant.Account, project uint32, after uuid.UUID, n int) []uuid.UUID {
			return ofTenant(t).idsOfProjectBehind(project, after, n)
		},
		Report: func(t tenant.Account, id uuid.UUID) (url string, rated bool, err error) {
			r, err := ofTenant(t).record(id)
			if err != nil {
				return "", false, err
			}
			return r.URL, r.Result != audit.Unrated, nil
		},
		Packed: func(t tenant.Account, id uuid.UUID) []byte { return ofTenant(t).bucket(foundBucket).Get(id[:]) },
	}
}

// isOf reports whether a report is there and of a project.
func (a *accountTx) isOf(project uint32, id uuid.UUID) bool {
	r, err := a.record(id)
	return err == nil && r.Project == project
}

// keepPages stores the audits of pages in the newest report that the project has of each address, or in new ones.
func (d *DB) keepPages(t tenant.Account, project uuid.UUID, privacy db.Privacy, pages []crawled.Page) (reports []uuid.UUID, raised bool, err error) {
	a := ofTenant(t)
	p, err := a.findProject(project.String())
	if err != nil {
		return nil, false, err
	}
	fresh := map[string]*record.Record{}
	if err := a.eachFresh(func(r *record.Record) error {
		if r.Project == p.number {
			fresh[r.URL] = r
		}
		return nil
	}); err != nil {
		return nil, false, err
	}
	var x indexing
	now := record.Milliseconds(d.now())
	for _, page := range pages {
		r, err := a.reportOf(p.number, page.URL, fresh)
		if err != nil {
			return nil, false, err
		}
		if r == nil {
			made := record.New(db.NewReport{Privacy: privacy}, "")
			r = &made
			r.URL, r.ID, r.Project, r.Fresh = page.URL, d.ids.Next(record.Instant(now)), p.number, true
			r.Created, r.Updated = now, now
		}
		told, err := d.finish(a, r, auditEnd{found: page.Found, packed: page.Packed, next: db.GenerationOf(page.Found), now: now}, &x)
		if err != nil {
			return nil, false, err
		}
		raised = raised || told
		reports = append(reports, r.ID)
	}
	return reports, raised, x.apply(a)
}

// reportOf returns the newest report of an address in a project, nil if there is not one. fresh are those of the project that are not indexed.
func (a *accountTx) reportOf(project uint32, url string, fresh map[string]*record.Record) (*record.Record, error) {
	newest := fresh[url]
	for _, id := range a.sameURL(project, url, allResults, surplusBatch) {
		if newest != nil && bytes.Compare(newest.ID[:], id[:]) > 0 {
			break
		}
		r, err := a.record(id)
		if err != nil {
			return nil, err
		}
		if r.URL == url { // the index folds case
			return r, nil
		}
	}
	return newest, nil
}

// auditEnd is what came of an audit.
type auditEnd struct {
	job     db.Job // zero for a crawl, which nobody has queued
	found   *audit.Report
	packed  []byte // found as it is stored
	failure *audit.Failure
	next    db.Generation
	now     int64
}
