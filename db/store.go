// Package db is what Sitegrade stores: the types, what is valid, the errors, and the methods of a store. The packages below it keep it.
package db

import (
	"context"
	"io"
	"time"

	"github.com/google/uuid"

	"sitegrade/audit"
	"sitegrade/auth"
	"sitegrade/sortfilter"
)

// A Store keeps accounts with their keys, projects and reports. It is safe for concurrent use. A method that writes returns when what it
// wrote survives a loss of power. Beside the errors that a method names, each can return ErrClosed and faults of the machine; one that makes
// the store grow can return ErrFull.
type Store interface {
	// CreateReport stores a new report, queued to be audited, under its project, which is made where there is none. The error is
	// *InvalidError where n is not valid, and ErrIdempotencyMismatch. When n's idempotency key made a report before, that one is given.
	CreateReport(ctx context.Context, account string, n NewReport) (Report, error)
	// CreateReports stores a new report of each address, all of them or none, and gives them in that order. Beside the address they are
	// as n says, which has no idempotency key.
	CreateReports(ctx context.Context, account string, n NewReport, addresses ...string) ([]Report, error)
	// Report returns a report and what its last successful audit found, which is nil before the first. What other reports of its project
	// have in common with it is compared now, from an index.
	Report(ctx context.Context, account string, id uuid.UUID) (Report, *audit.Report, error)
	// Status returns where a report stands, or ErrNotFound. It costs far less than Report.
	Status(ctx context.Context, account string, id uuid.UUID) (Status, error)
	// ReportByShare returns the report whose shared page has this address, with its account. It gives ErrNotFound for a private one.
	ReportByShare(ctx context.Context, share string) (account string, shown Report, found *audit.Report, err error)
	// SharedReport is ReportByShare without what was found, for those who only ask who may see the report.
	SharedReport(ctx context.Context, share string) (account string, shown Report, err error)
	// UpdateReport changes a report and gives it as the change left it, with what its last successful audit found. The error is ErrNotFound,
	// *InvalidError, or what check gave, which sees the report as it was.
	UpdateReport(ctx context.Context, account string, id uuid.UUID, c Change, check func(Report) error) (Report, *audit.Report, error)
	// DeleteReport removes a report. The error is ErrNotFound or what check gave.
	DeleteReport(ctx context.Context, account string, id uuid.UUID, check func(Report) error) error
	// DeleteOlder removes, in small transactions, the reports that were last generated before the moment, and those never generated
	// that were created before it, and gives how many it removed. What waits for an audit stays.
	DeleteOlder(ctx context.Context, before time.Time) (removed int, err error)
	// Reports returns one page of the reports of an account. An account or a project that does not exist has none.
	Reports(ctx context.Context, account string, q sortfilter.Query) (Page[Report], error)
	// History returns the reports with a result that the project of a report has for the same address, itself among them: the newest
	// limit of them by creation, ordered by when they were generated. Its cost does not depend on the size of the project.
	History(ctx context.Context, account string, of Report, limit int) ([]Report, error)

	// Projects returns one page of the projects of an account. An account that does not exist has none.
	Projects(ctx context.Context, account string, q sortfilter.Query) (Page[Project], error)
	// Project returns a project by its id or, where there is no such id, by its name.
	Project(ctx context.Context, account, nameOrID string) (Project, error)
	// DeleteProject removes a project with all its reports. To every reader they are gone at once; their records are removed
	// afterwards, in small transactions, and after a restart if need be. check, where not nil, may refuse.
	DeleteProject(ctx context.Context, account, nameOrID string, check func(Project) error) error

	// AccountsWaiting returns the names of the accounts that have jobs.
	AccountsWaiting(ctx context.Context) ([]string, error)
	// Waiting returns up to limit jobs of an account, those that wait longest first: the ones that come behind after in that order, or the
	// first where after is the zero Job. Fewer than limit mean that no more follow, and an account that does
	// not exist has none. A job whose audit runs is still one of them: only FinishReport ends it.
	Waiting(ctx context.Context, account string, after Job, limit int) ([]Job, error)
	// Claim has a job's report run, for readers, until Release or the end of the process. It reports whether the report still waits and
	// nobody else has claimed it.
	Claim(ctx context.Context, j Job) (bool, error)
	// Release ends a claim. A report whose audit was not stored waits again.
	Release(ctx context.Context, j Job) error
	// FinishReport stores what an audit found, or why it failed: one of the two is nil. An earlier result is replaced in the same
	// transaction by a new one, and kept by a failure. A report that was queued again meanwhile stays queued. The error is ErrNotFound
	// when the report was deleted meanwhile.
	FinishReport(ctx context.Context, j Job, found *audit.Report, failure *audit.Failure) error

	// Subscribe has hear called with the news of every later commit, after that commit and before the method that wrote returns, perhaps by
	// several goroutines at once. hear must neither block nor call the store. When cancel has returned, hear is not called any more.
	Subscribe(hear func(News)) (cancel func())

	// KeptResponse returns what is kept for the idempotency key of n. The error is ErrNotFound where there is nothing, and
	// ErrIdempotencyMismatch where the key was used for something else than n.
	KeptResponse(ctx context.Context, account string, n NewReport) (KeptResponse, error)
	// KeepResponse keeps the response to the create that used an idempotency key, for the rest of ResponseLife, or until the report is
	// deleted. The error is ErrNotFound where there was no such create.
	KeepResponse(ctx context.Context, account, key string, status int, response []byte) error
	// DeleteExpired removes, in small transactions, what is kept for a time that has passed, and returns how much it removed.
	DeleteExpired(ctx context.Context) (removed int, err error)

	// CreateKey stores an API key and makes its account where there is none. It fills in the id and the time where they are empty. The error
	// is *InvalidError where the account, the name or the scopes are not valid, or when the secret is known already.
	CreateKey(ctx context.Context, k auth.Key) (auth.Key, error)
	// KeyByHash returns the API key whose secret has this SHA-256, also an expired or a revoked one, or ErrNotFound.
	KeyByHash(ctx context.Context, hash auth.Hash) (auth.Key, error)
	// Keys returns the API keys of an account, "" for all accounts, in the order of account and creation.
	Keys(ctx context.Context, account string) ([]auth.Key, error)
	// RevokeKey makes a key useless from now on; one that is revoked already stays as it is. The error is ErrNotFound.
	RevokeKey(ctx context.Context, id uuid.UUID) (auth.Key, error)
	// TouchKeys notes when keys were last used. A key that is gone, or was used later, is passed over.
	TouchKeys(ctx context.Context, used map[uuid.UUID]time.Time) error

	// Export writes everything of an account, "" for all accounts, as JSON Lines: for each account the account, its keys, its projects and
	// its reports in the order of their ids. Secrets are there as hashes only. Writers go on meanwhile; what is created after its id was
	// passed is not in the export.
	Export(ctx context.Context, account string, w io.Writer) error
	// Import stores the lines of an export. account, where not empty, takes the place of the lines' own. What exists already (a report, a
	// project or a key by its id, a project by its name) is skipped and counted. A bad line ends the import with its number; the batches
	// before it stay. progress, where not nil, is called after each batch.
	Import(ctx context.Context, account string, r io.Reader, progress func(ImportStats)) (ImportStats, error)

	// Check recomputes what is derived from the stored records and compares.
	Check(ctx context.Context) (CheckResult, error)
	// Stats returns the numbers of this moment.
	Stats() (Stats, error)
	// Close waits for what is being written. Later calls get ErrClosed.
	Close() error
}

// Job is a report that waits to be audited.
type Job struct {
	Account string
	ID      uuid.UUID
	URL     string
	Queued  int64 // when it was queued, in ms since 1970; another moment for each audit of a report that is asked for
}

// News is what a commit changed for those who wait: for a job, or for the end of one.
type News struct {
	Account string
	Queued  bool // reports were queued to be audited
	Deleted bool // reports were deleted that may have been waiting
}

// Stats is how a store is at one moment.
type Stats struct {
	Queued       int       // reports that wait for an audit or are in one, of all accounts
	OldestQueued time.Time // since when the first of them waits; zero when nothing waits
	WritingSince time.Time // when the write began that is being stored now; zero when none is
	Gauges       []Gauge   // what is peculiar to the engine
}

// Gauge is a number of an engine, for those who watch a server.
type Gauge struct {
	Name  string // in snake case with its unit, as "size_bytes"
	Help  string // what it tells, in a sentence
	Value float64
}

// CheckResult is what a check counted and found.
type CheckResult struct {
	Accounts, Projects, Reports, Keys int
	Differences                       []string // the first of them
	More                              int      // how many are not named
}

// ImportStats counts what an import did.
type ImportStats struct {
	Lines    int // read
	Imported int
	Skipped  int // they exist already
}

// DefaultAccount is the account of a line that names none, and the first account of a server.
const DefaultAccount = "default"
