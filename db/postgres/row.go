package postgres

import (
	"cmp"
	"encoding/binary"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"sitegrade/audit"
	"sitegrade/db"
	"sitegrade/db/internal/record"
	"sitegrade/db/postgres/internal/marks"
	"sitegrade/db/postgres/internal/pg"
	"sitegrade/sortfilter"
)

// reportColumns are those of a record, of the table reports as r.
const reportColumns = `r.id, r.project, r.created, r.updated, r.generated, r.queued, r.revision, r.result, r.status, r.score, r.privacy, r.settled,
	r.folded, r.url, r.password_hash, r.error_code, r.error_detail, r.traits`

// shownColumns are also those that only readers need, of projects as p and queue as q; $1 is the account.
const shownColumns = reportColumns + `, p.id, p.name, q.server IS NOT NULL, (SELECT share_key FROM accounts WHERE account = $1)`

// shownJoins belong to shownColumns.
const shownJoins = ` JOIN projects p ON p.account = r.account AND p.number = r.project LEFT JOIN queue q ON q.account = r.account AND q.id = r.id`

// row is a report with what readers are shown beside it.
type row struct {
	record.Record
	project  db.ProjectRef
	running  bool
	shareKey []byte
}

// nullable are the columns of a report that may be null.
type nullable struct {
	folded                   string
	url, hash, code, problem *string
	traits                   []byte
	settled                  bool
}

// columns returns where the columns of a report go. Afterwards n fills in the rest of r.
func (n *nullable) columns(r *record.Record) []any {
	return []any{&r.ID, &r.Project, &r.Created, &r.Updated, &r.Generated, &r.Queued, &r.Revision, &r.Result, &r.Status, &r.Score, &r.Privacy, &n.settled,
		&n.folded, &n.url, &n.hash, &n.code, &n.problem, &n.traits}
}

func (n *nullable) fill(r *record.Record) {
	text := func(s *string, otherwise string) string {
		if s == nil {
			return otherwise
		}
		return *s
	}
	r.URL, r.PasswordHash, r.Fresh = text(n.url, n.folded), text(n.hash, ""), !n.settled
	if n.code != nil {
		r.Failure = &audit.Failure{Code: audit.Code(*n.code), Detail: text(n.problem, "")}
	}
	for i := range min(len(r.Traits), len(n.traits)/8) {
		r.Traits[i] = binary.BigEndian.Uint64(n.traits[8*i:])
	}
}

// scanRow reads the columns shownColumns, and those behind them into more.
func scanRow(rows pgx.Row, more ...any) (r row, err error) {
	var n nullable
	dest := append(n.columns(&r.Record), &r.project.ID, &r.project.Name, &r.running, &r.shareKey)
	err = rows.Scan(append(dest, more...)...)
	n.fill(&r.Record)
	return r, err
}

// scanRecord reads reportColumns.
func scanRecord(rows pgx.Row) (*record.Record, error) {
	var n nullable
	r := new(record.Record)
	err := rows.Scan(n.columns(r)...)
	n.fill(r)
	return r, err
}

// show returns the report as readers see it.
func (d *DB) show(r *row) (db.Report, error) {
	status := r.Status
	if status == db.Queued && r.running {
		status = db.Running
	}
	shown := r.Record.Show(r.project, status)
	if r.Privacy == db.Private {
		return shown, nil
	}
	var err error
	shown.Share, err = d.share(r.shareKey, r.ID)
	return shown, err
}

// liveRow returns a report by its id, or ErrNotFound, also when its project was deleted.
func liveRow(tx *pg.Tx, account int32, id any) (row, error) {
	var r row
	var found bool
	err := tx.Each("SELECT "+shownColumns+" FROM reports r"+shownJoins+" WHERE r.account = $1 AND r.id = $2", []any{account, id}, func(rows pgx.Rows) (err error) {
		r, err = scanRow(rows)
		found = true
		return err
	})
	if err == nil && !found {
		err = errNoReport
	}
	return r, err
}

// values returns the values of a record in the order of insertReport.
func values(account int32, r *record.Record) []any {
	folded := sortfilter.Fold(r.URL)
	var url, hash, code, detail *string
	if r.URL != folded {
		url = &r.URL
	}
	if r.PasswordHash != "" {
		hash = &r.PasswordHash
	}
	if r.Failure != nil {
		text := string(r.Failure.Code)
		code, detail = &text, &r.Failure.Detail
	}
	return []any{account, r.ID, r.Project, r.Created, r.Updated, r.Generated, r.Queued, r.Revision, r.Result, r.Status, r.Score, r.Privacy, !r.Fresh,
		folded, url, hash, code, detail, traitBytes(r.Traits)}
}

// traitBytes returns traits as they are stored; nil where there are none.
func traitBytes(t record.Traits) []byte {
	if t == (record.Traits{}) {
		return nil
	}
	var b []byte
	for _, hash := range t {
		b = binary.BigEndian.AppendUint64(b, hash)
	}
	return b
}

const insertReport = `INSERT INTO reports (account, id, project, created, updated, generated, queued, revision, result, status, score, privacy, settled,
	folded, url, password_hash, error_code, error_detail, traits) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19)`

// updateReport stores what may change of a report.
const updateReport = `UPDATE reports SET updated = $3, generated = $4, queued = $5, revision = $6, result = $7, status = $8, score = $9, privacy = $10,
	settled = $11, password_hash = $12, error_code = $13, error_detail = $14, traits = $15 WHERE account = $1 AND id = $2`

// update has b store a record that exists.
func update(b *pgx.Batch, account int32, r *record.Record) {
	v := values(account, r)
	b.Queue(updateReport, account, r.ID, r.Updated, r.Generated, r.Queued, r.Revision, r.Result, r.Status, r.Score, r.Privacy, !r.Fresh, v[15], v[16], v[17], v[18])
}

// changeIndexes has b keep what is derived from a record in step with it, which was old (nil for nothing) and becomes new (nil for nothing).
func (d *DB) changeIndexes(b *pgx.Batch, a pg.Ref, old, new *record.Record) {
	account := a.Number
	r := cmp.Or(new, old)
	var change [4]int64
	if old != nil {
		change[old.Result]--
	}
	if new != nil {
		change[new.Result]++
	}
	if change != [4]int64{} {
		count(b, account, []uint32{0, r.Project}, [][4]int64{change, change})
	}
	d.changeMarks(b, a, old, new)
	var was, is record.Traits
	if old != nil {
		was = old.Traits
	}
	if new != nil {
		is = new.Traits
	}
	if was == is {
		return
	}
	if old != nil && was != (record.Traits{}) {
		noteTraits(b, removeTraits, account, old)
	}
	if new != nil && is != (record.Traits{}) {
		noteTraits(b, addTraits, account, new)
	}
}

const (
	addTraits    = "INSERT INTO alike SELECT $1, $2, t, h, $5, $6 FROM unnest($3::smallint[], $4::bigint[]) x(t, h) ON CONFLICT DO NOTHING"
	removeTraits = "DELETE FROM alike USING unnest($3::smallint[], $4::bigint[]) x(t, h) WHERE account = $1 AND project = $2 AND trait = t AND hash = h AND url_hash = $5 AND id = $6"
)

// noteTraits has b run addTraits or removeTraits for a report.
func noteTraits(b *pgx.Batch, statement string, account int32, r *record.Record) {
	var traits []int16
	var hashes []int64
	for i, hash := range r.Traits {
		if hash != 0 {
			traits, hashes = append(traits, int16(i)), append(hashes, int64(hash))
		}
	}
	b.Queue(statement, account, r.Project, traits, hashes, int64(record.Hash(r.URL)), r.ID)
}

// changeMarks has b keep the marks in step with a record, which was old (nil for nothing) and becomes new (nil for nothing).
func (d *DB) changeMarks(b *pgx.Batch, a pg.Ref, old, new *record.Record) {
	gone, come := marked(old), marked(new)
	if old != nil && new != nil && !old.Fresh && !new.Fresh && gone[0] == come[0] {
		return
	}
	d.marks.Change(b, a, gone, come)
}

// marked returns a record as the marks count it, if they do.
func marked(r *record.Record) []marks.Report {
	if r == nil || r.Fresh {
		return nil
	}
	return []marks.Report{{Place: marks.Place{Generated: r.Generated, URL: sortfilter.Fold(r.URL), ID: r.ID}, Project: r.Project, Result: r.Result}}
}

// count has b add to the counts of projects, of which 0 is the whole account.
func count(b *pgx.Batch, account int32, projects []uint32, changes [][4]int64) {
	columns := [4][]int64{}
	numbers := make([]int32, len(projects))
	for i, c := range changes {
		numbers[i] = int32(projects[i])
		for result := range columns {
			columns[result] = append(columns[result], c[result])
		}
	}
	b.Queue(`INSERT INTO counts (account, project, none, bad, decent, good) SELECT $1, * FROM unnest($2::int[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[])
		ON CONFLICT (account, project) DO UPDATE SET none = counts.none + EXCLUDED.none, bad = counts.bad + EXCLUDED.bad, decent = counts.decent + EXCLUDED.decent,
		good = counts.good + EXCLUDED.good`, account, numbers, columns[0], columns[1], columns[2], columns[3])
}

// recordsOf returns the reports for which a condition on them holds; $1 is the account.
func recordsOf(a *pg.Account, condition string, args ...any) ([]*record.Record, error) {
	return pg.All(a.Tx, "SELECT "+reportColumns+" FROM reports r WHERE "+condition, append([]any{a.Number}, args...), func(rows pgx.Rows) (*record.Record, error) { return scanRecord(rows) })
}

// anyRecord returns a report by its id, or ErrNotFound. One of a deleted project that is not removed yet is still given.
func anyRecord(a *pg.Account, id uuid.UUID) (*record.Record, error) {
	found, err := recordsOf(a, "account = $1 AND id = $2", id)
	if err == nil && len(found) == 0 {
		err = errNoReport
	}
	return firstOf(found), err
}

// firstOf returns the first record, nil where there is not one.
func firstOf(records []*record.Record) *record.Record {
	if len(records) == 0 {
		return nil
	}
	return records[0]
}
