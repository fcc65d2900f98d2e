// Package db keeps accounts, projects, reports, API keys and their indexes in one bbolt file. An exported method is one transaction.
package db

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/google/uuid"

	"sitegrade/audit"
	"sitegrade/auth"
	"sitegrade/sortfilter"
)

// Options are how a database is opened. The zero value of a field means its default.
type Options struct {
	MaxSize int64            // bytes that the file may grow to; 0: no limit
	Now     func() time.Time // time.Now
}

// DB is an open database, safe for concurrent use.
type DB struct{ Options }

var errTODO = errors.New("not written yet")

func Open(path string, o Options) (*DB, error) { return nil, errTODO }
func (d *DB) Close() error                     { return errTODO }

// Keys. Any account name that a key is made for exists from then on.
func (d *DB) CreateKey(ctx context.Context, k auth.Key) (auth.Key, error) { return k, errTODO } // fills ID and CreatedAt
func (d *DB) KeyByHash(ctx context.Context, hash [32]byte) (auth.Key, error) {
	return auth.Key{}, errTODO
}
func (d *DB) Keys(ctx context.Context, account string) ([]auth.Key, error) { return nil, errTODO } // "" for all accounts
func (d *DB) RevokeKey(ctx context.Context, id uuid.UUID) (auth.Key, error) {
	return auth.Key{}, errTODO
}
func (d *DB) TouchKeys(ctx context.Context, used map[uuid.UUID]time.Time) error { return errTODO } // last use, batched by the caller

// Reports. check, where not nil, is called inside the transaction with the record as it is and may refuse with an error of its own (If-Match).
func (d *DB) CreateReport(ctx context.Context, account string, n NewReport) (Report, error) {
	return Report{}, errTODO
}

// Report gives a report and what its last successful audit found (nil before the first).
func (d *DB) Report(ctx context.Context, account string, id uuid.UUID) (Report, *audit.Report, error) {
	return Report{}, nil, errTODO
}
func (d *DB) UpdateReport(ctx context.Context, account string, id uuid.UUID, c Change, check func(Report) error) (Report, error) {
	return Report{}, errTODO
}
func (d *DB) DeleteReport(ctx context.Context, account string, id uuid.UUID, check func(Report) error) error {
	return errTODO
}
func (d *DB) Reports(ctx context.Context, account string, q sortfilter.Query) (Page[Report], error) {
	return Page[Report]{}, errTODO
}
func (d *DB) ReportByShare(ctx context.Context, share string) (string, Report, *audit.Report, error) {
	return "", Report{}, nil, errTODO
} // also its account

// Projects; nameOrID is an id or a name.
func (d *DB) Project(ctx context.Context, account, nameOrID string) (Project, error) {
	return Project{}, errTODO
}
func (d *DB) Projects(ctx context.Context, account string, q sortfilter.Query) (Page[Project], error) {
	return Page[Project]{}, errTODO
}
func (d *DB) DeleteProject(ctx context.Context, account, nameOrID string, check func(Project) error) error {
	return errTODO
}

// Idempotency: the answer that was given to a create, kept for 24 h.
type StoredAnswer struct {
	ReportID uuid.UUID
	Body     [32]byte // the hash that came with the create
	Status   int      // 0 while there is no answer yet (the server died in between)
	Answer   []byte   // whatever the caller stored
}

func (d *DB) IdempotentAnswer(ctx context.Context, account, key string) (StoredAnswer, error) {
	return StoredAnswer{}, errTODO
} // ErrNotFound
func (d *DB) StoreAnswer(ctx context.Context, account, key string, status int, answer []byte) error {
	return errTODO
}

// The queue. Queued gives up to limit jobs of all accounts that wait, the oldest first, leaving out those for which skip says true.
func (d *DB) Queued(ctx context.Context, limit int, skip func(Job) bool) ([]Job, error) {
	return nil, errTODO
}

// SetRunning marks a job as running (in memory only), so that readers see it; FinishReport ends that.
func (d *DB) SetRunning(j Job, running bool) {}

// FinishReport stores what an audit found, or why it failed (exactly one of the two is not nil). ErrNotFound when the report was deleted meanwhile.
func (d *DB) FinishReport(ctx context.Context, j Job, found *audit.Report, failure *audit.Failure) error {
	return errTODO
}

// Maintenance.
func (d *DB) Check(ctx context.Context) (CheckResult, error)                { return CheckResult{}, errTODO } // recomputes every index
func (d *DB) Export(ctx context.Context, account string, w io.Writer) error { return errTODO }                // "" for all accounts
func (d *DB) Import(ctx context.Context, account string, r io.Reader, progress func(ImportStats)) (ImportStats, error) {
	return ImportStats{}, errTODO
}                                                           // account overrides the lines'
func (d *DB) Backup(ctx context.Context, path string) error { return errTODO } // writes a verified copy to a new file
func Compact(path string) (before, after int64, err error)  { return 0, 0, errTODO }

type CheckResult struct {
	Accounts, Projects, Reports, Keys int
	Differences                       []string // at most 100 are named
	More                              int      // how many beyond those
}
type ImportStats struct{ Lines, Imported, Skipped int }
