// Package marks keeps count of the reports of an account along each of their orders, so that a page far from the front is found without passing
// all that stand before it.
//
// Marks cut each order of an account's settled reports into stretches of some thousands: a mark stands where its stretch begins, with how many
// reports of each result the stretch has. The first mark of an order stands before everything. Large projects have counts of their own in the
// stretches of their account, so that a project that is deleted can be taken out of them at once. All of it is written in the transaction
// that changes the reports, but for the cutting of stretches that have grown, which comes later.
package marks

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"sitegrade/audit"
	"sitegrade/db/postgres/internal/pg"
)

// Order is one of the orders of reports that have marks.
type Order int16

// The orders, as they are stored. Each has the id behind what it is named after.
const (
	ByID Order = iota
	ByGenerated
	ByURL
)

// orders are all of them.
var orders = []Order{ByID, ByGenerated, ByURL}

// DefaultStretch is how many reports a stretch has that was cut just now. It is cut again once it has twice as many.
const DefaultStretch = 4000

// Marks keeps the marks of all accounts.
type Marks struct {
	// Stretch is how many reports a stretch has that was cut just now; DefaultStretch.
	Stretch int
	// Full is called, inside the transaction that made it so, for an account in which a stretch is to be cut.
	Full func(pg.Ref)
}

// Counts are how many reports there are of each result.
type Counts [4]int64

// Place is where a report stands in an order. What the order does not look at is zero.
type Place struct {
	Generated int64 // ms since 1970
	URL       string
	ID        uuid.UUID
}

// first is where the first mark of an order stands.
var first = Place{Generated: math.MinInt64}

func (p Place) compare(other Place) int {
	return cmp.Or(cmp.Compare(p.Generated, other.Generated), strings.Compare(p.URL, other.URL), slices.Compare(p.ID[:], other.ID[:]))
}

// Report is what the marks know of a report. URL is folded.
type Report struct {
	Place
	Project uint32
	Result  audit.Result
}

// in returns the place of a report in an order.
func (r *Report) in(o Order) Place {
	switch o {
	case ByGenerated:
		return Place{Generated: r.Generated, ID: r.ID}
	case ByURL:
		return Place{URL: r.URL, ID: r.ID}
	}
	return Place{ID: r.ID}
}

// Open has b make the marks of a new account.
func Open(b *pgx.Batch, account int32) {
	b.Queue("INSERT INTO marks (account, sorted, number, generated, folded, id, none, bad, decent, good) SELECT $1, s, 0, $2, '', $3, 0, 0, 0, 0 FROM unnest($4::smallint[]) s",
		account, first.Generated, first.ID, orders)
}

// changes are reports that come and go, as columns.
type changes struct {
	orders    []int16
	projects  []int32
	generated []int64
	urls      []string
	ids       []uuid.UUID
	counts    [4][]int64
}

func (c *changes) add(r *Report, o Order, by int64) {
	place := r.in(o)
	c.orders, c.projects = append(c.orders, int16(o)), append(c.projects, int32(r.Project))
	c.generated, c.urls, c.ids = append(c.generated, place.Generated), append(c.urls, place.URL), append(c.ids, place.ID)
	for result := range c.counts {
		n := int64(0)
		if result == int(r.Result) {
			n = by
		}
		c.counts[result] = append(c.counts[result], n)
	}
}

// changeMarks finds the stretches of reports that come and go, and counts them there. It returns the stretches that have grown too long.
const changeMarks = `WITH x AS MATERIALIZED (SELECT k.sorted, n.number, k.project, sum(k.none)::bigint none, sum(k.bad)::bigint bad, sum(k.decent)::bigint decent, sum(k.good)::bigint good
	FROM unnest($2::smallint[], $3::int[], $4::bigint[], $5::text[], $6::uuid[], $7::bigint[], $8::bigint[], $9::bigint[], $10::bigint[])
		k(sorted, project, generated, folded, id, none, bad, decent, good)
	CROSS JOIN LATERAL (SELECT number FROM marks WHERE account = $1 AND sorted = k.sorted AND (generated, folded, id) <= (k.generated, k.folded, k.id)
		ORDER BY generated DESC, folded DESC, id DESC LIMIT 1) n GROUP BY k.sorted, n.number, k.project),
	p AS (UPDATE project_marks m SET none = m.none + x.none, bad = m.bad + x.bad, decent = m.decent + x.decent, good = m.good + x.good
		FROM x WHERE m.account = $1 AND m.project = x.project AND m.sorted = x.sorted AND m.number = x.number)
	UPDATE marks m SET none = m.none + y.none, bad = m.bad + y.bad, decent = m.decent + y.decent, good = m.good + y.good
	FROM (SELECT sorted, number, sum(none)::bigint none, sum(bad)::bigint bad, sum(decent)::bigint decent, sum(good)::bigint good FROM x GROUP BY sorted, number) y
	WHERE m.account = $1 AND m.sorted = y.sorted AND m.number = y.number RETURNING m.none + m.bad + m.decent + m.good > $11`

// Change has b count reports that go and others that come. The same report in both is one that changes.
func (m *Marks) Change(b *pgx.Batch, account pg.Ref, gone, come []Report) {
	var c changes
	for _, o := range orders {
		for i := range gone {
			c.add(&gone[i], o, -1)
		}
		for i := range come {
			c.add(&come[i], o, 1)
		}
	}
	if c.orders == nil {
		return
	}
	b.Queue(changeMarks, account.Number, c.orders, c.projects, c.generated, c.urls, c.ids, c.counts[0], c.counts[1], c.counts[2], c.counts[3], m.longest()).Query(func(rows pgx.Rows) error {
		full := false
		for rows.Next() {
			var tooLong bool
			if err := rows.Scan(&tooLong); err != nil {
				return err
			}
			full = full || tooLong
		}
		if full {
			m.Full(account)
		}
		return rows.Err()
	})
}

// Deep is from how many skipped rows on a page is found by the marks.
func (m *Marks) Deep() int { return m.stretch() / 2 }

func (m *Marks) stretch() int { return cmp.Or(m.Stretch, DefaultStretch) }

// longest is how many reports a stretch may have.
func (m *Marks) longest() int { return 2 * m.stretch() }
