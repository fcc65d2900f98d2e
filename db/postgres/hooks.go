package postgres

import (
	"context"
	"encoding/json"
	"errors"
	"io"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"sitegrade/db"
	"sitegrade/db/internal/record"
	"sitegrade/db/internal/transfer"
	"sitegrade/db/postgres/internal/pg"
)

// What follows is called by the engine where the rooms beside the reports have a part.

// promise fills in what projects with these numbers promise, and the addresses of their pages. shareKey is that of the account.
func (d *DB) promise(a *pg.Account, numbers []uint32, shown []db.Project, shareKey []byte) error {
	for i := range shown {
		shown[i].Privacy = db.Private
	}
	return nil
}

// projectDropped removes what stands beside the reports of a project that is deleted.
func (d *DB) projectDropped(a *pg.Account, number uint32, id uuid.UUID) error { return nil }

// reportsRemoved removes what stands beside reports that are deleted.
func (d *DB) reportsRemoved(a *pg.Account, project uint32, ids []uuid.UUID) error { return nil }

// acceptedFor returns what is accepted of a report, by check.
func (d *DB) acceptedFor(a *pg.Account, r *record.Record) (map[string]db.Accepted, error) {
	return nil, nil
}

// finished judges a report whose audit has ended, and tells others of it; it reports whether somebody is told.
func (d *DB) finished(a *pg.Account, old, done *record.Record, o *auditEnd) (raised bool, err error) {
	return false, nil
}

// judgeRest has the reports judged, in the background, whose budget has changed.
func (d *DB) judgeRest(account string) {}

// checkRooms compares what the rooms derive from their records.
func (d *DB) checkRooms(a *pg.Account, c *checker) error { return nil }

// judgeLater has the reports of a project judged anew, by judgeRest.
func (d *DB) judgeLater(a *pg.Account, project uint32) error { return nil }

// exportSettings returns how an account is set up, with its logo where it has one.
func (d *DB) exportSettings(a *pg.Account) (db.Account, *db.Logo, error) {
	return db.Account{Name: a.Name}, nil, nil
}

// exportProjects writes the projects of an account, each with what is accepted in it behind it.
func (d *DB) exportProjects(a *pg.Account, out *json.Encoder) error {
	all, err := d.showProjects(a, "true")
	for _, p := range all {
		err = errors.Join(err, out.Encode(db.LineOfProject(a.Name, p)))
	}
	return err
}

// exportTold writes webhooks, forms and schedules, some of which are for reports and so come behind them.
func (d *DB) exportTold(a *pg.Account, out *json.Encoder) error { return nil }

// exportCrawls writes the crawls of an account with what they found.
func (d *DB) exportCrawls(ctx context.Context, account string, w io.Writer) error { return nil }

// importSettings stores how an account is set up, unless that is known. It reports whether it did.
func (d *DB) importSettings(a *pg.Account, l transfer.Line) (stored bool, err error) {
	return false, nil
}

// importPromise stores what a new project promises.
func (d *DB) importPromise(a *pg.Account, number uint32, l db.Project) error { return nil }

// importLine stores a line of what stands beside the reports, and reports whether it was new.
func (s *storing) importLine(a *storingAccount, l transfer.Line) (stored bool, err error) {
	return false, errNotBuilt
}

var errNotBuilt = errors.New("not built yet")

// giveBackRooms has b give back what servers that are gone had claimed beside audits.
func giveBackRooms(b *pgx.Batch, gone []uuid.UUID) {}
