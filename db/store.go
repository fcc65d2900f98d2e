// Package db says what Sitegrade stores and how a store is used: its types, what is valid, its errors, and the methods of a Store. The engines
// that keep it are packages of their own below this one, and dbtest holds what each of them must do.
package db

import (
	"context"
	"io"
	"time"

	"github.com/google/uuid"

	"sitegrade/audit"
	"sitegrade/sortfilter"
)

// A Store keeps accounts with their keys, projects and reports. It is safe for concurrent use. A method that writes returns once what it
// wrote survives a loss of power. Besides the errors that its comment names, every method may return ErrClosed or a fault of the machine, every
// method with a context the error of one that has ended, and every method that makes the store grow may return ErrFull.
//
// Some methods take a function named check. It runs inside the transaction, on what is stored at that moment, and an error of it stops the
// method, which returns that error. It may run twice, and must not call the store. It may be nil.
type Store interface {
	// CreateReport stores a new report under its project, which it makes if need be, and queues it to be audited. If the idempotency key of n
	// has made a report before, it returns that one. The error is *InvalidError if n is not valid, and ErrIdempotencyMismatch if the key was
	// used for something else.
	CreateReport(ctx context.Context, account string, n NewReport) (Report, error)
	// CreateReports stores a new report of each address, all of them or none, and returns them in that order. In everything but the address
	// they are as n says. If the idempotency key of n has made reports before, it returns those as they are now, with the zero Report for each
	// that was deleted since, unless all were; the URL of n then stands for what is asked. The error is *InvalidError if n is not valid, and
	// ErrIdempotencyMismatch if the key was used for something else, or for another number of addresses.
	CreateReports(ctx context.Context, account string, n NewReport, addresses ...string) ([]Report, error)
	// Report returns a report with the findings of its last successful audit, nil before the first. They include what other reports of its
	// project have in common with it now. The error is ErrNotFound.
	Report(ctx context.Context, account string, id uuid.UUID) (Report, *audit.Report, error)
	// Status returns where a report stands, at a fraction of the cost of Report. The error is ErrNotFound.
	Status(ctx context.Context, account string, id uuid.UUID) (Status, error)
	// ReportByShare returns the report whose shared page has this address (Report.Share), with its account and its findings. The error is
	// ErrNotFound, also if the report is private.
	ReportByShare(ctx context.Context, share string) (account string, shown Report, found *audit.Report, err error)
	// SharedReport is ReportByShare without the findings, for callers that only ask who may see the report.
	SharedReport(ctx context.Context, share string) (account string, shown Report, err error)
	// UpdateReport changes a report and returns it as it is then, with its findings. check sees the report as it was. The error is
	// ErrNotFound, *InvalidError, or that of check.
	UpdateReport(ctx context.Context, account string, id uuid.UUID, c Change, check func(Report) error) (Report, *audit.Report, error)
	// DeleteReport removes a report, its findings, and the response kept for its idempotency key: a create that is repeated makes a report anew,
	// unless it had made others too. The error is ErrNotFound, or that of check.
	DeleteReport(ctx context.Context, account string, id uuid.UUID, check func(Report) error) error
	// DeleteOlder removes the reports of all accounts that were last generated before a moment, and those that were created before it and
	// never generated. It leaves those that wait for an audit. It works in small transactions and returns how many reports it removed, also
	// with an error.
	DeleteOlder(ctx context.Context, before time.Time) (removed int, err error)
	// Reports returns one page of the reports of an account. The page is empty if the account or the project does not exist.
	Reports(ctx context.Context, account string, q sortfilter.Query) (Page[Report], error)

	// Generations returns one page of the generations of a report, the newest first unless q is ascending. Only its page and direction count.
	// The cost does not depend on how many there are. The error is ErrNotFound.
	Generations(ctx context.Context, account string, id uuid.UUID, q sortfilter.Query) (Page[Generation], error)
	// Generation returns one generation of a report, and the report as it is now. Of the newest ones the findings are kept whole; they are nil
	// for the others and for failed ones. The error is ErrNotFound, also if there is no such generation.
	Generation(ctx context.Context, account string, id uuid.UUID, number int) (Generation, Report, *audit.Report, error)
	// Diff returns what differs between two generations of a report, of which from must come before to. Where to is 0 it is the newest
	// successful one, and where from is 0 the newest successful one before to. The error is ErrNotFound, or *InvalidError if there are no such
	// generations, with the fields from and to.
	Diff(ctx context.Context, account string, id uuid.UUID, from, to int) (Diff, error)

	// Projects returns one page of the projects of an account. The page is empty if the account does not exist.
	Projects(ctx context.Context, account string, q sortfilter.Query) (Page[Project], error)
	// Project returns the project that has nameOrID as its id or, if there is no such project, as its name. The error is ErrNotFound.
	Project(ctx context.Context, account, nameOrID string) (Project, error)
	// DeleteProject removes the project that Project would return, with all its reports. No reader sees any of them once it has returned,
	// though the store may remove them bit by bit afterwards. The error is ErrNotFound, or that of check.
	DeleteProject(ctx context.Context, account, nameOrID string, check func(Project) error) error

	// AccountsWaiting returns the names of the accounts that may have jobs.
	AccountsWaiting(ctx context.Context) ([]string, error)
	// Waiting returns up to limit jobs of an account, those that have waited longest first. It begins behind the job after, or with the first
	// job if after is the zero Job. If it returns fewer than limit, no more follow. An account that does not exist has no jobs. A job whose
	// audit is running is still among them: only FinishReport ends it.
	Waiting(ctx context.Context, account string, after Job, limit int) ([]Job, error)
	// Claim takes a job, and reports whether it could: the report still waits, and nobody else has claimed it. Its status is Running from
	// then until Release, or until the process ends.
	Claim(ctx context.Context, j Job) (bool, error)
	// Release ends a claim. If FinishReport did not end the job, the report waits again.
	Release(ctx context.Context, j Job) error
	// Ended returns those of these reports that neither wait nor run any more, as far as this process would not hear of it by its own FinishReport
	// or by News: where others have the store open too.
	Ended(ctx context.Context, waited []ReportKey) ([]ReportKey, error)
	// FinishReport ends a job with the findings of its audit or with why it failed; one of the two is nil. That is the report's next
	// generation, stored in the same transaction. A job that another process has ended or runs now is left to that. New findings take the place of those that the report showed; a failure leaves them. A report
	// that was queued again since stays queued. The error is ErrNotFound if the report was deleted since.
	FinishReport(ctx context.Context, j Job, found *audit.Report, failure *audit.Failure) error

	// Subscribe has hear called for what later methods of this process queue or delete. It is called after the commit and before the method
	// returns, perhaps by several goroutines at once, and must neither block nor call the store. Once cancel has returned, it is not called
	// again.
	Subscribe(hear func(News)) (cancel func())

	webhooks
	deliveries
	schedules
	keys
	crawls
	issues
	promises
	accounts
	sessions
	forms
	fleet

	// KeptResponse returns the response that is kept for the idempotency key of n. The error is ErrNotFound if there is none, and
	// ErrIdempotencyMismatch if the key was used for something else.
	KeptResponse(ctx context.Context, account string, n NewReport) (KeptResponse, error)
	// KeepResponse keeps the response to the create that used an idempotency key until ResponseLife has passed since the create, or a
	// report that it made is deleted. The error is ErrNotFound if there was no such create.
	KeepResponse(ctx context.Context, account, key string, status int, response []byte) error
	// DeleteExpired removes the kept responses whose ResponseLife has passed, in small transactions, and returns how many it removed, also
	// with an error.
	DeleteExpired(ctx context.Context) (removed int, err error)

	// Export writes all that an account has as JSON Lines (Line), or what all accounts have if account is "": for each of them the account,
	// its keys, its projects with what is accepted in them, its reports sorted by id, each with its generations behind it, its webhooks, its
	// schedules, and its crawls sorted by id, each with its rows behind it: pages, links, folders, and issues sorted by check. Of the secrets of
	// people it has only hashes, and of the headers of crawls and schedules nothing. A crawl that has not ended is queued in it, without what
	// it has seen: it begins anew where it is imported. If it has headers it has failed there, and if somebody asked for its end it is stopped.
	// Others may write in the meantime, and what they write may or may not be in the export. The error is ErrNotFound if the account does not
	// exist.
	Export(ctx context.Context, account string, w io.Writer) error
	// Import stores the lines of an export, in the account of that name or, if account is "", in those that the lines name. It skips what
	// exists already: reports, projects, keys and what else has an id by that, projects by name, generations and rows of crawls by their
	// number, and all rows of a crawl that has not ended. Lines are stored in batches. A bad line ends the import with an error that names it,
	// and the batches before it stay. progress, if not nil, is called after each batch.
	Import(ctx context.Context, account string, r io.Reader, progress func(ImportStats)) (ImportStats, error)

	// Check compares everything that the store derives from its records with the records. A difference is no error.
	Check(ctx context.Context) (CheckResult, error)
	// Stats returns the numbers of this moment.
	Stats() (Stats, error)
	// Close waits for what is being written and closes the store. Every later call returns ErrClosed.
	Close() error
}

// Job is a report that waits to be audited.
type Job struct {
	Account string
	ID      uuid.UUID
	URL     string
	Queued  int64 // its turn: rises with the time that it was queued at; another for each audit of a report that is asked for
}

// ReportKey names a report of all accounts.
type ReportKey struct {
	Account string
	ID      uuid.UUID
}

// Background is added to the turn of a job that nobody waits for, since a schedule asks for it: such jobs come behind all that people asked for.
const Background = 1 << 48

// IsBackground reports whether a schedule asked for the job.
func (j Job) IsBackground() bool { return j.Queued >= Background }

// News tells those who wait for jobs, or for the end of a job, what a commit changed.
type News struct {
	Account string
	Queued  bool // reports were queued to be audited
	Deleted bool // reports were deleted, and may have been waiting
	Told    bool // deliveries to webhooks wait
	Planned bool // a schedule may have become due earlier than was known
	Crawls  bool // crawls were queued, stopped, ended or deleted
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
	Lines    int // that were read
	Imported int
	Skipped  int // that exist already
}

// DefaultAccount is the first account of a server, and the account of imported lines that name no other.
const DefaultAccount = "default"
