package postgres

import (
	"github.com/google/uuid"

	"sitegrade/db"
	"sitegrade/db/internal/record"
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

// addGeneration stores the generation that follows in a report, which is still as it was before.
func (d *DB) addGeneration(a *pg.Account, old *record.Record, next *db.Generation) error { return nil }

// finished judges a report whose audit has ended, and tells others of it; it reports whether somebody is told.
func (d *DB) finished(a *pg.Account, old, done *record.Record, o *auditEnd) (raised bool, err error) {
	return false, nil
}

// judgeRest has the reports judged, in the background, whose budget has changed.
func (d *DB) judgeRest(account string) {}

// checkRooms compares what the rooms derive from their records.
func (d *DB) checkRooms(a *pg.Account, c *checker) error { return nil }

func (d *DB) deleteSurplus(a *pg.Account, r *record.Record, keep int) error { return nil }
