package marks

import (
	"fmt"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"

	"sitegrade/db/postgres/internal/pg"
)

// Check counts all settled reports of an account anew, and tells differ of each stretch that has another number of them.
func Check(a *pg.Account, differ func(text string)) error {
	large, err := largeProjects(a)
	if err != nil {
		return err
	}
	for _, o := range orders {
		marks, err := all(a.Tx, a.Number, o)
		if err != nil {
			return err
		}
		if len(marks) == 0 || marks[0].Place != first {
			differ(fmt.Sprintf("order %d has no first mark", o))
			continue
		}
		want, at := make([]*piece, len(marks)), 0
		for i := range marks {
			want[i] = &piece{projects: map[uint32]*Counts{}}
		}
		if err := walk(a.Tx, a.Number, o, 0, first, nil, func(r *Report) {
			for at+1 < len(marks) && marks[at+1].compare(r.Place) <= 0 {
				at++
			}
			want[at].add(r)
		}); err != nil {
			return err
		}
		byNumber := map[int32]*piece{}
		for i, known := range marks {
			byNumber[known.number] = want[i]
			if known.Counts != want[i].Counts {
				differ(fmt.Sprintf("stretch %d of order %d has %v, not %v", known.number, o, known.Counts, want[i].Counts))
			}
		}
		if err := checkProjects(a, o, large, byNumber, differ); err != nil {
			return err
		}
	}
	return nil
}

// checkProjects compares what the stretches of an order have of large projects with what they should have.
func checkProjects(a *pg.Account, o Order, large []uint32, want map[int32]*piece, differ func(string)) error {
	missing := map[[2]uint32]bool{}
	for _, project := range large {
		for number := range want {
			missing[[2]uint32{project, uint32(number)}] = true
		}
	}
	if err := a.Each("SELECT project, number, none, bad, decent, good FROM project_marks WHERE account = $1 AND sorted = $2", []any{a.Number, o}, func(rows pgx.Rows) error {
		var project, number uint32
		var have, should Counts
		err := rows.Scan(&project, &number, &have[0], &have[1], &have[2], &have[3])
		if p := want[int32(number)]; p != nil && p.projects[project] != nil {
			should = *p.projects[project]
		}
		if key := [2]uint32{project, number}; !missing[key] || have != should {
			differ(fmt.Sprintf("stretch %d of order %d has %v of project %d, not %v", number, o, have, project, should))
		}
		delete(missing, [2]uint32{project, number})
		return err
	}); err != nil {
		return err
	}
	for _, key := range slices.SortedFunc(maps.Keys(missing), func(x, y [2]uint32) int { return slices.Compare(x[:], y[:]) }) {
		differ(fmt.Sprintf("stretch %d of order %d lacks what it has of project %d", key[1], o, key[0]))
	}
	return nil
}
