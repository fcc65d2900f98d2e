package marks

import (
	"fmt"
	"slices"
	"strings"

	"sitegrade/audit"
)

// List is a list of reports of which a page far from the front is looked for, by a statement of which $1 is the account, $2 the project or 0,
// and $3 how many rows are skipped.
type List struct {
	// Column is what the list is sorted by before the id: generated, folded or result; "" for nothing.
	Column     string
	Descending bool
	Results    []audit.Result // those that are in it
	Unsettled  bool           // those that were never audited are in it too
	OfProject  bool           // it is of the project alone
	Scope      string         // the condition on reports that says whose they are
}

// Ids and addresses that are before all others, or behind them.
const (
	lowestID   = "'00000000-0000-0000-0000-000000000000'::uuid"
	highestID  = "'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid"
	highestURL = `U&'\+10FFFF' COLLATE "C"`
)

// Find returns the tables, for WITH, that find where the page begins; the last of them is at, of one row, or of none where the project has no counts
// of its own. A table c must come before them, whose total is how many rows the list has.
//
// Stretches are counted in ascending order. A page of a list that descends begins in the stretch that has the row as far from the end.
func (l *List) Find() string {
	position := "$3"
	rest := "$3 - (upto - n)"
	if l.Descending {
		position, rest = "c.total - 1 - $3", "$3 - (c.total - upto)"
	}
	return "w AS (SELECT first, id, n, lead(first) OVER o AS next_first, lead(id) OVER o AS next_id FROM (" + l.stretches() + ") s WINDOW o AS (ORDER BY first, id)), " +
		"m AS (SELECT first, id, next_first, next_id, n, sum(n) OVER (ORDER BY first, id) AS upto FROM (SELECT first, id, next_first, next_id, (n + " + l.unsettled() + ")::int AS n FROM w OFFSET 0) w), " +
		"at AS (SELECT first, id, next_first, next_id, greatest(" + rest + ", 0) AS rest FROM m, c WHERE upto - n <= " + position + " AND " + position + " < upto LIMIT 1)"
}

// Skipped is how many rows are skipped from the bound on.
const Skipped = "coalesce((SELECT rest FROM at), $3)"

// stretches returns the query for the stretches in which the list has its settled reports, and how many.
func (l *List) stretches() string {
	from, of := "marks b", "b"
	if l.OfProject {
		from, of = "project_marks p JOIN marks b ON b.account = $1 AND b.sorted = p.sorted AND b.number = p.number", "p"
	}
	where := fmt.Sprintf(" WHERE %s.account = $1 AND %s.sorted = %d", of, of, l.order())
	if l.OfProject {
		where += " AND p.project = $2"
	}
	names := [...]string{"none", "bad", "decent", "good"}
	if l.Column == "result" {
		var values []string
		for _, result := range l.Results {
			values = append(values, fmt.Sprintf("(%d, %s.%s)", result, of, names[result]))
		}
		return "SELECT v.first, b.id, v.n FROM " + from + " CROSS JOIN LATERAL (VALUES " + strings.Join(values, ", ") + ") v(first, n)" + where
	}
	var sum []string
	for _, result := range l.Results {
		sum = append(sum, of+"."+names[result])
	}
	first := "0"
	if l.Column != "" {
		first = "b." + l.Column
	}
	return "SELECT " + first + " AS first, b.id, " + strings.Join(sum, " + ") + " AS n FROM " + from + where
}

func (l *List) order() Order {
	switch l.Column {
	case "generated":
		return ByGenerated
	case "folded":
		return ByURL
	}
	return ByID
}

// unsettled returns how many unsettled reports of the list stand in the stretch w. Nothing counts them but this: they are few, or become settled soon.
// They have neither a result nor a time of generation.
func (l *List) unsettled() string {
	if !l.Unsettled {
		return "0"
	}
	some := "FROM reports r WHERE " + l.Scope + " AND NOT settled"
	between := "w.first <= 0 AND coalesce(w.next_first, 1) >= 0 AND r.id >= CASE WHEN w.first < 0 THEN " + lowestID + " ELSE w.id END AND r.id < CASE WHEN coalesce(w.next_first, 1) > 0 THEN " +
		highestID + " ELSE w.next_id END"
	if l.Column == "folded" {
		between = "(r.folded, r.id) >= (w.first, w.id) AND (r.folded, r.id) < (coalesce(w.next_first, " + highestURL + "), coalesce(w.next_id, " + highestID + "))"
	}
	return "CASE WHEN (SELECT EXISTS (SELECT " + some + ")) THEN (SELECT count(*) " + some + " AND " + between + ") ELSE 0 END"
}

// Rows returns the queries whose rows together, in the order of the list, begin Skipped rows before the page. Each gives the columns that the
// list is sorted by, of at most limit rows.
func (l *List) Rows(limit int) []string {
	columns := strings.TrimPrefix(l.Column+", id", ", ")
	direction := ""
	if l.Descending {
		direction = " DESC"
	}
	order := strings.ReplaceAll(columns, ",", direction+",") + direction
	arm := func(condition, bound, order string) string {
		return fmt.Sprintf("(SELECT %s FROM reports WHERE %s AND %s AND %s AND $3 < (SELECT total FROM c) ORDER BY %s LIMIT %d)", columns, l.Scope, condition, bound, order, limit)
	}
	if l.Column == "" && l.Unsettled && !l.OfProject {
		return []string{arm("true", l.bound(), order)}
	}
	var arms []string
	if l.Column == "result" && len(l.Results) > 1 {
		arms = []string{arm("settled", l.bound(), order)}
	} else {
		for _, result := range l.Results {
			arms = append(arms, arm(fmt.Sprintf("settled AND result = %d", result), l.bound(), order))
		}
	}
	if l.Unsettled {
		if l.Column != "folded" {
			order = "id" + direction
		}
		arms = append(arms, arm("NOT settled", l.unsettledBound(), order))
	}
	return arms
}

// bound returns the condition that a settled report is not before the stretch of the page.
func (l *List) bound() string {
	lowest, highest := "0", "0"
	switch l.Column {
	case "generated":
		lowest, highest = fmt.Sprint("(", first.Generated, ")"), "9223372036854775807"
	case "folded":
		lowest, highest = "''", highestURL
	case "result":
		lowest, highest = "0", fmt.Sprint(int(slices.Max(l.Results))+1)
	}
	comparison, column, id := ">=", "coalesce((SELECT first FROM at), "+lowest+")", "coalesce((SELECT id FROM at), "+lowestID+")"
	if l.Descending {
		comparison, column, id = "<", "coalesce((SELECT next_first FROM at), "+highest+")", "coalesce((SELECT next_id FROM at), "+highestID+")"
	}
	if l.Column == "" {
		return "id " + comparison + " " + id
	}
	return "(" + l.Column + ", id) " + comparison + " (" + column + ", " + id + ")"
}

// unsettledBound is bound for an unsettled report, whose result and time of generation are 0.
func (l *List) unsettledBound() string {
	switch {
	case l.Column == "folded":
		return l.bound()
	case l.Descending:
		return "id < coalesce((SELECT CASE WHEN next_first > 0 THEN " + highestID + " WHEN next_first < 0 THEN " + lowestID + " ELSE next_id END FROM at), " + highestID + ")"
	}
	return "id >= coalesce((SELECT CASE WHEN first < 0 THEN " + lowestID + " WHEN first > 0 THEN " + highestID + " ELSE id END FROM at), " + lowestID + ")"
}
