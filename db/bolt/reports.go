package bolt

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"sync"

	"github.com/google/uuid"

	"sitegrade/audit"
	"sitegrade/auth"
	"sitegrade/db"
)

// freshLimit is how many reports may wait for their first audit without being in the indexes. Beyond it the older half is indexed at once,
// which costs far less than one by one.
const freshLimit = 256

// record returns a report by its id, or ErrNotFound. A report of a deleted project that is not removed yet is still given.
func (a *accountTx) record(id uuid.UUID) (*record, error) {
	r := new(record)
	if err := a.readRecord(id, r); err != nil {
		return nil, err
	}
	return r, nil
}

// readRecord is record into memory that the caller has.
func (a *accountTx) readRecord(id uuid.UUID, r *record) error {
	stored := a.get(reportsBucket, id[:])
	fresh := stored == nil
	if fresh {
		stored = a.get(freshBucket, id[:])
	}
	if stored == nil {
		return fmt.Errorf("report: %w", db.ErrNotFound)
	}
	if err := r.decode(id, stored); err != nil {
		return err
	}
	r.fresh = fresh
	return nil
}

// liveRecord returns a report by its id, or ErrNotFound, also when its project was deleted.
func (a *accountTx) liveRecord(id uuid.UUID) (*record, error) {
	r, err := a.record(id)
	if err == nil && a.isDropped(r.project) {
		return nil, fmt.Errorf("report: %w", db.ErrNotFound)
	}
	return r, err
}

// putRecord stores a record where it stands, without its indexes.
func (a *accountTx) putRecord(r *record) error {
	if r.fresh {
		return a.bucket(freshBucket).Put(r.id[:], r.encode())
	}
	return a.bucket(reportsBucket).Put(r.id[:], r.encode())
}

// removeRecord removes a record, what was found and the kept response to its create, without its indexes.
func (a *accountTx) removeRecord(r *record) error {
	if err := a.removeKeptOf(r); err != nil {
		return err
	}
	if r.fresh {
		return a.bucket(freshBucket).Delete(r.id[:])
	}
	return errors.Join(
		a.bucket(reportsBucket).Delete(r.id[:]),
		a.bucket(foundBucket).Delete(r.id[:]),
		a.unqueue(r))
}

// eachFresh calls visit for the fresh reports, the oldest first.
func (a *accountTx) eachFresh(visit func(*record) error) error {
	c := a.bucket(freshBucket).Cursor()
	for k, v := c.First(); k != nil; k, v = c.Next() {
		r, err := decodeRecord(uuid.UUID(k), v)
		if err != nil {
			return err
		}
		r.fresh = true
		if err := visit(r); err != nil {
			return err
		}
	}
	return nil
}

// freshCount counts the fresh reports.
func (a *accountTx) freshCount() int {
	n := 0
	c := a.bucket(freshBucket).Cursor()
	for k, _ := c.First(); k != nil; k, _ = c.Next() {
		n++
	}
	return n
}

// limitFresh indexes the older half of the fresh reports when there are too many.
func (a *accountTx) limitFresh() error {
	n := a.freshCount()
	if n <= freshLimit {
		return nil
	}
	left := n - freshLimit/2
	return a.indexFresh(func(*record) bool {
		left--
		return left >= 0
	})
}

// removeFreshOf removes the fresh reports of one project.
func (a *accountTx) removeFreshOf(project uint32) error {
	var removing []*record
	if err := a.eachFresh(func(r *record) error {
		if r.project == project {
			removing = append(removing, r)
		}
		return nil
	}); err != nil {
		return err
	}
	for _, r := range removing {
		if err := a.removeRecord(r); err != nil {
			return err
		}
	}
	return nil
}

// indexFresh moves the fresh reports that are wanted to the indexed ones.
func (a *accountTx) indexFresh(wanted func(*record) bool) error {
	var moving []*record
	if err := a.eachFresh(func(r *record) error {
		if wanted(r) {
			moving = append(moving, r)
		}
		return nil
	}); err != nil {
		return err
	}
	var x indexing
	for _, r := range moving {
		if err := a.settle(r, &x); err != nil {
			return err
		}
	}
	return x.apply(a)
}

// settle moves a record from the fresh ones to the indexed ones.
func (a *accountTx) settle(r *record, x *indexing) error {
	if err := a.bucket(freshBucket).Delete(r.id[:]); err != nil {
		return err
	}
	r.fresh = false
	x.replace(nil, r)
	return errors.Join(a.putRecord(r), a.enqueue(r))
}

// show returns a record as readers see it.
func (a *accountTx) show(r *record, ref db.ProjectRef, status db.Status) (db.Report, error) {
	shown := db.Report{
		ID: r.id, Project: ref, URL: r.url, Status: status, Result: r.result, Score: int(r.score), Privacy: r.privacy,
		PasswordHash: r.passwordHash, GeneratedAt: instant(r.generated), CreatedAt: instant(r.created), UpdatedAt: instant(r.updated),
		Failure: r.failure, Revision: r.revision,
	}
	if r.score == noScore {
		shown.Score = db.NoScore
	}
	if r.privacy == db.Private {
		return shown, nil
	}
	share, err := a.share(r.id)
	shown.Share = share
	return shown, err
}

// showRecord is show with the project looked up.
func (d *DB) showRecord(a *accountTx, r *record) (db.Report, error) {
	p, err := a.project(r.project)
	if err != nil {
		return db.Report{}, err
	}
	return a.show(r, p.ref(), d.statusOf(a, r))
}

// CreateReport is documented in db.Store.
func (d *DB) CreateReport(ctx context.Context, account string, n db.NewReport) (db.Report, error) {
	for {
		if n.IdempotencyKey != "" {
			if earlier, err := d.createdEarlier(ctx, account, n); !errors.Is(err, db.ErrNotFound) {
				return earlier, err
			}
		}
		made, err := d.CreateReports(ctx, account, n, n.URL)
		if err == nil {
			return made[0], nil
		} else if !errors.Is(err, errCreatedMeanwhile) {
			return db.Report{}, err
		}
	}
}

// createdEarlier returns the report that a create like n made with its idempotency key, or ErrNotFound.
func (d *DB) createdEarlier(ctx context.Context, account string, n db.NewReport) (shown db.Report, err error) {
	earlier, err := d.KeptResponse(ctx, account, n)
	if err != nil {
		return db.Report{}, err
	}
	err = d.view(account, func(a *accountTx) error {
		r, err := a.liveRecord(earlier.ReportID)
		if err != nil {
			return err
		}
		shown, err = d.showRecord(a, r)
		return err
	})
	return shown, err
}

// errCreatedMeanwhile says that another create with the same idempotency key came first.
var errCreatedMeanwhile = errors.New("created meanwhile")

// CreateReports is documented in db.Store.
func (d *DB) CreateReports(ctx context.Context, account string, n db.NewReport, addresses ...string) ([]db.Report, error) {
	wanted, err := n.ForEach(addresses)
	if err != nil {
		return nil, err
	}
	draft := record{score: noScore, privacy: n.Privacy, status: db.Queued, revision: 1}
	if n.Privacy == db.Password {
		if draft.passwordHash, err = auth.HashPassword(ctx, n.Password); err != nil {
			return nil, err
		}
	}
	asked, err := n.Asked(draft.passwordHash)
	if err != nil {
		return nil, err
	}
	shown := make([]db.Report, len(wanted))
	if err := d.add(ctx, account, func(a *accountTx) error {
		for i, n := range wanted {
			r, err := a.create(draft, n, &d.ids, milliseconds(d.options.Now()))
			if err != nil {
				return err
			}
			if err := a.keepAsked(n.IdempotencyKey, asked, r); err != nil {
				return err
			}
			if shown[i], err = d.showRecord(a, r); err != nil {
				return err
			}
		}
		return a.limitFresh()
	}); err != nil {
		return nil, err
	}
	d.announce(db.News{Account: account, Queued: true})
	return shown, nil
}

func (a *accountTx) create(draft record, n db.NewReport, ids *idSource, now int64) (*record, error) {
	p, err := a.makeProject(n.Project, ids, now)
	if err != nil {
		return nil, err
	}
	r := draft
	r.url = n.URL
	r.id, r.project, r.fresh = ids.next(instant(now)), p.number, true
	r.created, r.updated, r.queued = now, now, now
	return &r, a.putRecord(&r)
}

// keepAsked notes what a create with an idempotency key asked for, unless another has made a report with that key.
func (a *accountTx) keepAsked(idempotencyKey string, asked db.Asked, r *record) error {
	if idempotencyKey == "" {
		return nil
	}
	_, err := a.kept(idempotencyKey, r.created)
	switch {
	case err == nil:
		return errCreatedMeanwhile
	case !errors.Is(err, db.ErrNotFound):
		return err
	}
	return a.putKept(idempotencyKey, &kept{reportID: r.id, asked: asked, stored: r.created})
}

// Report returns a report and what its last successful audit found, which is nil before the first. What other reports of its project
// have in common with it is compared now, from an index.
func (d *DB) Report(ctx context.Context, account string, id uuid.UUID) (db.Report, *audit.Report, error) {
	var shown db.Report
	var f findings
	if err := d.view(account, func(a *accountTx) (err error) {
		shown, f, err = d.reportIn(a, id)
		return err
	}); err != nil {
		return db.Report{}, nil, err
	}
	found, err := f.compared()
	return shown, found, err
}

// Status is documented in db.Store.
func (d *DB) Status(ctx context.Context, account string, id uuid.UUID) (status db.Status, err error) {
	err = d.view(account, func(a *accountTx) error {
		r, err := a.liveRecord(id)
		if err == nil {
			status = d.statusOf(a, r)
		}
		return err
	})
	return status, err
}

// statusOf returns where a record stands for readers.
func (d *DB) statusOf(a *accountTx, r *record) db.Status {
	if r.status == db.Queued && d.running.has(a.name, r.id) {
		return db.Running
	}
	return r.status
}

func (d *DB) reportIn(a *accountTx, id uuid.UUID) (db.Report, findings, error) {
	r, err := a.liveRecord(id)
	if err != nil {
		return db.Report{}, findings{}, err
	}
	return d.showWhole(a, r)
}

// showWhole is showRecord with what is known of the page.
func (d *DB) showWhole(a *accountTx, r *record) (db.Report, findings, error) {
	shown, err := d.showRecord(a, r)
	if err != nil {
		return db.Report{}, findings{}, err
	}
	f, err := a.findings(r)
	return shown, f, err
}

// UpdateReport changes a report and gives it as the change left it, with what its last successful audit found. The error is ErrNotFound,
// *InvalidError, or what check gave, which sees the report as it was.
func (d *DB) UpdateReport(ctx context.Context, account string, id uuid.UUID, c db.Change, check func(db.Report) error) (db.Report, *audit.Report, error) {
	passwordHash, err := c.HashPassword(ctx)
	if err != nil {
		return db.Report{}, nil, err
	}
	var shown db.Report
	var f findings
	if err := d.add(ctx, account, func(a *accountTx) error {
		r, err := d.checked(a, id, check)
		if err != nil {
			return err
		}
		if err := a.change(r, c, passwordHash, milliseconds(d.options.Now())); err != nil {
			return err
		}
		shown, f, err = d.showWhole(a, r)
		return err
	}); err != nil {
		return db.Report{}, nil, err
	}
	if c.Regenerate {
		d.announce(db.News{Account: account, Queued: true})
	}
	found, err := f.compared()
	return shown, found, err
}

// checked returns a record that check, where not nil, lets pass.
func (d *DB) checked(a *accountTx, id uuid.UUID, check func(db.Report) error) (*record, error) {
	r, err := a.liveRecord(id)
	if err != nil || check == nil {
		return r, err
	}
	shown, err := d.showRecord(a, r)
	if err != nil {
		return nil, err
	}
	return r, check(shown)
}

// change applies c to a record and stores it.
func (a *accountTx) change(r *record, c db.Change, passwordHash string, now int64) error {
	privacy, hash, err := c.ApplyPrivacy(r.privacy, r.passwordHash, passwordHash)
	if err != nil {
		return err
	}
	r.privacy, r.passwordHash = privacy, hash
	if c.Regenerate {
		if err := a.unqueue(r); err != nil {
			return err
		}
		r.status, r.failure, r.queued = db.Queued, nil, max(now, r.queued+1) // another moment than the audit that may be running
		if err := a.enqueue(r); err != nil {
			return err
		}
	}
	r.updated = now
	r.revision++
	return a.putRecord(r)
}

// DeleteReport removes a report. The error is ErrNotFound or what check gave.
func (d *DB) DeleteReport(ctx context.Context, account string, id uuid.UUID, check func(db.Report) error) error {
	err := d.remove(ctx, account, func(a *accountTx) error {
		r, err := d.checked(a, id, check)
		if err != nil {
			return err
		}
		return a.delete(r)
	})
	if err == nil {
		d.announce(db.News{Account: account, Deleted: true})
	}
	return err
}

// delete removes a record and its indexes. A project stays when its last report goes.
func (a *accountTx) delete(r *record) error {
	if !r.fresh {
		var x indexing
		x.replace(r, nil)
		if err := x.apply(a); err != nil {
			return err
		}
	}
	return a.removeRecord(r)
}

// siblings returns the addresses of other pages of the project that have a trait in common with r.
func (a *accountTx) siblings(r *record) (audit.Siblings, error) {
	var s audit.Siblings
	for trait, hash := range r.traits {
		if hash == 0 {
			continue
		}
		urls, err := a.urlsAlike(trait, r, hash)
		if err != nil {
			return s, err
		}
		s[trait] = urls
	}
	return s, nil
}

// urlsAlike returns up to audit.MaxEvidence other urls of r's project with that trait, each once.
func (a *accountTx) urlsAlike(trait int, r *record, hash uint64) ([]string, error) {
	prefix := alikePrefix(trait, r.project, hash)
	own := textHash(r.url)
	var urls []string
	c := a.bucket(alikeBucket).Cursor()
	k, _ := c.Seek(prefix)
	for len(urls) < audit.MaxEvidence && len(k) == len(prefix)+24 && string(k[:len(prefix)]) == string(prefix) {
		urlHash := binary.BigEndian.Uint64(k[len(prefix):])
		if urlHash != own {
			other, err := a.record(keyID(k))
			if err != nil {
				return nil, err
			}
			urls = append(urls, other.url)
		}
		if urlHash == 1<<64-1 {
			break
		}
		k, _ = c.Seek(binary.BigEndian.AppendUint64(prefix[:len(prefix):len(prefix)], urlHash+1))
	}
	return urls, nil
}

// runningSet is the reports that are being audited now. It is never stored.
type runningSet struct {
	mu  sync.RWMutex
	ids map[runningKey]bool
}

type runningKey struct {
	account string
	id      uuid.UUID
}

func (s *runningSet) has(account string, id uuid.UUID) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.ids[runningKey{account, id}]
}

// add reports whether the report was not in the set.
func (s *runningSet) add(account string, id uuid.UUID) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ids == nil {
		s.ids = map[runningKey]bool{}
	}
	key := runningKey{account, id}
	if s.ids[key] {
		return false
	}
	s.ids[key] = true
	return true
}

func (s *runningSet) remove(account string, id uuid.UUID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.ids, runningKey{account, id})
}
