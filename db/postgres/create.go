package postgres

import (
	"context"
	"crypto/sha256"
	"errors"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"sitegrade/auth"
	"sitegrade/db"
	"sitegrade/db/internal/record"
	"sitegrade/db/postgres/internal/pg"
	"sitegrade/sortfilter"
)

// CreateReport is documented in db.Store.
func (d *DB) CreateReport(ctx context.Context, account string, n db.NewReport) (db.Report, error) {
	made, err := d.CreateReports(ctx, account, n, n.URL)
	if err != nil {
		return db.Report{}, err
	}
	return made[0], nil
}

// CreateReports is documented in db.Store.
func (d *DB) CreateReports(ctx context.Context, account string, n db.NewReport, addresses ...string) ([]db.Report, error) {
	for {
		if n.IdempotencyKey != "" {
			if earlier, err := d.createdEarlier(ctx, account, n, len(addresses)); !errors.Is(err, db.ErrNotFound) {
				return earlier, err
			}
		}
		if made, err := d.createNew(ctx, account, n, addresses); !errors.Is(err, db.ErrCreatedBefore) {
			return made, err
		}
	}
}

// createdEarlier returns the reports that a create like n made with its idempotency key, or ErrNotFound. Those deleted since are zero.
func (d *DB) createdEarlier(ctx context.Context, account string, n db.NewReport, addresses int) ([]db.Report, error) {
	if _, err := d.KeptResponse(ctx, account, n); err != nil {
		return nil, err
	}
	a, err := d.account(ctx, account)
	if err != nil {
		return nil, err
	}
	tx := d.pool.Direct(ctx)
	k, err := d.kept(tx, a.Number, n.IdempotencyKey)
	if err != nil {
		return nil, err
	}
	made, shown := k.Made(), make([]db.Report, addresses)
	if len(made) != addresses {
		return nil, db.ErrIdempotencyMismatch
	}
	for i, id := range made {
		r, err := liveRow(tx, a.Number, id)
		if err == nil {
			shown[i], err = d.show(&r)
		}
		if err != nil && !errors.Is(err, db.ErrNotFound) {
			return nil, err
		}
	}
	return shown, nil
}

// createNew is CreateReports but for an idempotency key that has made reports, which is ErrCreatedBefore.
func (d *DB) createNew(ctx context.Context, account string, n db.NewReport, addresses []string) ([]db.Report, error) {
	wanted, err := n.ForEach(addresses)
	if err != nil {
		return nil, err
	}
	passwordHash := ""
	if n.Privacy == db.Password {
		if passwordHash, err = auth.HashPassword(ctx, n.Password); err != nil {
			return nil, err
		}
	}
	c := &creation{wanted: wanted, draft: record.New(n, passwordHash), key: n.IdempotencyKey}
	c.draft.Fresh = true
	if n.IdempotencyKey != "" {
		if c.asked, err = n.Asked(passwordHash); err != nil {
			return nil, err
		}
	}
	a, err := d.makeAccount(ctx, account)
	if err != nil {
		return nil, err
	}
	if err := d.pool.WriteTogether(ctx, a, c, d.createAll); err != nil {
		return nil, err
	}
	if c.refused != nil {
		return nil, c.refused
	}
	d.Listeners.Tell(db.News{Account: account, Queued: true})
	shown := make([]db.Report, len(c.rows))
	for i := range c.rows {
		if shown[i], err = d.show(&c.rows[i]); err != nil {
			return nil, err
		}
	}
	return shown, nil
}

// creation is what one call creates.
type creation struct {
	wanted []db.NewReport
	draft  record.Record
	key    string // of idempotency; "" without one
	asked  db.Asked

	rows    []row
	refused error // why nothing was created
}

// createAll stores what several calls create for an account at once.
func (d *DB) createAll(a *pg.Account, together []any) error {
	all := make([]*creation, len(together))
	names := []string{}
	for i, c := range together {
		all[i] = c.(*creation)
		for _, n := range all[i].wanted {
			names = append(names, n.Project)
		}
	}
	now := d.ms()
	projects, err := d.projectsFor(a, distinct(names), now)
	if err != nil {
		return err
	}
	if err := refuseRepeated(a, all, now); err != nil {
		return err
	}
	var b pgx.Batch
	var shareKey []byte
	b.Queue("SELECT share_key FROM accounts WHERE account = $1", a.Number).QueryRow(func(found pgx.Row) error { return found.Scan(&shareKey) })
	var made []*row
	for _, c := range all {
		if c.refused != nil {
			continue
		}
		c.rows = make([]row, len(c.wanted))
		for i, n := range c.wanted {
			p := projects[sortfilter.Fold(n.Project)]
			r := &c.rows[i]
			*r = row{Record: c.draft, project: p.ref()}
			r.ID, r.Project, r.URL, r.Created, r.Updated, r.Queued = d.nextID(), p.number, n.URL, now, now, now
			made = append(made, r)
		}
		if c.key != "" {
			k := &record.Kept{ReportID: c.rows[0].ID, Asked: c.asked, Known: true, Stored: now}
			for _, r := range c.rows[1:] {
				k.Others = append(k.Others, r.ID)
			}
			keep(&b, a.Number, c.key, k)
		}
	}
	insert(&b, a.Number, made)
	err = a.Send(&b)
	for _, r := range made {
		r.shareKey = shareKey
	}
	return err
}

// distinct returns names without those that differ in case alone from one before them, in the order in which they can be locked.
func distinct(names []string) []string {
	slices.SortStableFunc(names, compareFolded)
	return slices.CompactFunc(names, func(x, y string) bool { return compareFolded(x, y) == 0 })
}

// refuseRepeated refuses those creations whose idempotency key has made a report before.
func refuseRepeated(a *pg.Account, all []*creation, now int64) error {
	used := map[string]bool{}
	var keys [][]byte
	for _, c := range all {
		if c.refused = nil; c.key != "" { // it may run a second time
			keys = append(keys, keptKey(c.key))
		}
	}
	if keys == nil {
		return nil
	}
	err := a.Each("SELECT k.key, k.stored FROM answers k WHERE k.account = $1 AND k.key = ANY($2) AND "+liveOf+" > 0", []any{a.Number, keys}, func(rows pgx.Rows) error {
		var key []byte
		var stored int64
		err := rows.Scan(&key, &stored)
		if !record.Expired(stored, now) {
			used[string(key)] = true
		}
		return err
	})
	for _, c := range all {
		if c.key == "" {
			continue
		}
		if key := string(keptKey(c.key)); used[key] {
			c.refused = db.ErrCreatedBefore
		} else {
			used[key] = true // also by another of these
		}
	}
	return err
}

func keptKey(idempotencyKey string) []byte {
	sum := sha256.Sum256([]byte(idempotencyKey))
	return sum[:]
}

// insert has b store new reports, queued, which all have the same in the columns that a new report has not yet.
func insert(b *pgx.Batch, account int32, made []*row) {
	if len(made) == 0 {
		return
	}
	n := len(made)
	ids, projects, folded, urls := make([]uuid.UUID, n), make([]int32, n), make([]string, n), make([]*string, n)
	privacies, hashes, addresses := make([]int16, n), make([]*string, n), make([]string, n)
	counts := map[uint32]*[4]int64{0: {}}
	for i, r := range made {
		ids[i], projects[i], folded[i], privacies[i], addresses[i] = r.ID, int32(r.Project), sortfilter.Fold(r.URL), int16(r.Privacy), r.URL
		if r.URL != folded[i] {
			urls[i] = &r.URL
		}
		if r.PasswordHash != "" {
			hashes[i] = &r.PasswordHash
		}
		if counts[r.Project] == nil {
			counts[r.Project] = &[4]int64{}
		}
		counts[0][0]++
		counts[r.Project][0]++
	}
	now := made[0].Created
	b.Queue(`INSERT INTO reports (account, id, project, created, updated, generated, queued, revision, result, status, score, privacy, settled, folded, url, password_hash)
		SELECT $1, i, p, $2, $2, 0, $2, 1, 0, 0, 255, v, false, f, u, h
		FROM unnest($3::uuid[], $4::int[], $5::text[], $6::text[], $7::smallint[], $8::text[]) x(i, p, f, u, v, h)`,
		account, now, ids, projects, folded, urls, privacies, hashes)
	b.Queue("INSERT INTO queue (account, id, queued, url) SELECT $1, i, $2, u FROM unnest($3::uuid[], $4::text[]) x(i, u)", account, now, ids, addresses)
	countAll(b, account, counts)
}

// countAll is count for a map of changes by project.
func countAll(b *pgx.Batch, account int32, changes map[uint32]*[4]int64) {
	numbers := make([]uint32, 0, len(changes))
	for number := range changes {
		numbers = append(numbers, number)
	}
	slices.Sort(numbers)
	values := make([][4]int64, len(numbers))
	for i, number := range numbers {
		values[i] = *changes[number]
	}
	count(b, account, numbers, values)
}
