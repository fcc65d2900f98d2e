package postgres

import (
	"maps"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"sitegrade/audit"
	"sitegrade/db"
	"sitegrade/db/internal/issues"
	"sitegrade/db/internal/promised"
	"sitegrade/db/internal/record"
	"sitegrade/db/internal/transfer"
	"sitegrade/db/postgres/internal/marks"
	"sitegrade/db/postgres/internal/pg"
	"sitegrade/sortfilter"
)

// reportTable are the columns of reports in the order of values.
var reportTable = []string{"account", "id", "project", "created", "updated", "generated", "queued", "revision", "result", "status", "score", "privacy", "settled", "folded", "url",
	"password_hash", "error_code", "error_detail", "traits"}

// storeReports stores the reports of a batch that are not there yet. Nobody else writes to the account, so they can be copied as they are.
func (s *storing) storeReports(a *storingAccount) error {
	if len(a.reports) == 0 {
		return nil
	}
	there, err := s.known(a)
	if err != nil {
		return err
	}
	names := make([]string, len(a.reports))
	for i, l := range a.reports {
		names[i] = l.Report.Project.Name
	}
	found, err := s.d.projectsFor(a.Account, distinct(names), s.now)
	if err != nil {
		return err
	}
	ahead(a, there, found)
	var c copying
	c.counts = map[uint32]*[4]int64{0: {}}
	for _, l := range a.reports {
		r := *l.Record
		if r.ID != uuid.Nil && there[r.ID] {
			s.skipped++
			continue
		}
		s.d.idsMu.Lock()
		r.Complete(&s.d.ids, s.now)
		s.d.idsMu.Unlock()
		there[r.ID] = true
		r.Project = found[sortfilter.Fold(l.Report.Project.Name)].number
		c.add(a.Number, &r, l.Packed)
		if r.Result != audit.Unrated {
			if err := a.issues.Set(tenantOf(a.Account), r.Project, r.ID, l.Findings); err != nil {
				return err
			}
		}
	}
	a.news.Queued = a.news.Queued || len(c.queue) > 0
	if err := c.store(s.d, a.Account); err != nil {
		return err
	}
	for project := range c.counts {
		if project != 0 {
			if err := promised.JudgeLater(tenantOf(a.Account), project); err != nil {
				return err
			}
		}
	}
	return nil
}

// ahead tells the engine what of the rooms is looked at for the reports that are stored now.
func ahead(a *storingAccount, there map[uuid.UUID]bool, projects map[string]*project) {
	reports := map[uint32][]uuid.UUID{}
	for _, l := range a.reports {
		if id := l.Record.ID; id != uuid.Nil && !there[id] {
			number := projects[sortfilter.Fold(l.Report.Project.Name)].number
			reports[number] = append(reports[number], id)
		}
	}
	issues.Ahead(tenantOf(a.Account), reports)
	promised.JudgeLaterAhead(tenantOf(a.Account), slices.Collect(maps.Keys(reports)))
}

// known returns which of the reports are there.
func (s *storing) known(a *storingAccount) (map[uuid.UUID]bool, error) {
	var ids []uuid.UUID
	for _, l := range a.reports {
		if l.Record.ID != uuid.Nil {
			ids = append(ids, l.Record.ID)
		}
	}
	there := map[uuid.UUID]bool{}
	found, err := pg.Column[uuid.UUID](a.Tx, "SELECT id FROM reports WHERE account = $1 AND id = ANY($2)", a.Number, ids)
	for _, id := range found {
		there[id] = true
	}
	return there, err
}

// copying is the rows of new reports and of what is derived from them.
type copying struct {
	reports, found, queue, alike [][]any
	counts                       map[uint32]*[4]int64
	marked                       []marks.Report
}

func (c *copying) add(account int32, r *record.Record, packed []byte) {
	if c.counts[r.Project] == nil {
		c.counts[r.Project] = &[4]int64{}
	}
	c.counts[0][r.Result]++
	c.counts[r.Project][r.Result]++
	c.reports = append(c.reports, values(account, r))
	c.marked = append(c.marked, marked(r)...)
	if packed != nil {
		c.found = append(c.found, []any{account, r.ID, packed})
	}
	if r.Status == db.Queued {
		c.queue = append(c.queue, []any{account, r.ID, r.Queued, r.URL})
	}
	for trait, hash := range r.Traits {
		if hash != 0 {
			c.alike = append(c.alike, []any{account, r.Project, int16(trait), int64(hash), int64(record.Hash(r.URL)), r.ID})
		}
	}
}

func (c *copying) store(d *DB, a *pg.Account) error {
	for _, t := range []struct {
		name    string
		columns []string
		rows    [][]any
	}{
		{"reports", reportTable, c.reports},
		{"found", []string{"account", "id", "packed"}, c.found},
		{"queue", []string{"account", "id", "queued", "url"}, c.queue},
		{"alike", []string{"account", "project", "trait", "hash", "url_hash", "id"}, c.alike},
	} {
		if len(t.rows) == 0 {
			continue
		}
		if err := a.Copy(t.name, t.columns, pgx.CopyFromRows(t.rows)); err != nil {
			return err
		}
	}
	var b pgx.Batch
	countAll(&b, a.Number, c.counts)
	d.marks.Change(&b, a.Ref, nil, c.marked)
	return a.Send(&b)
}

// storeBehind stores a line of those that may refer to lines before it.
func (s *storing) storeBehind(a *storingAccount, l transfer.Line) error {
	if l.Kind == db.GenerationLine {
		return s.storeGeneration(a, l)
	}
	return s.stored(s.importLine(a, l))
}
