package bolt

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/google/uuid"
	"go.etcd.io/bbolt"

	"sitegrade/audit"
	"sitegrade/db"
	"sitegrade/db/bolt/internal/file"
	"sitegrade/db/bolt/internal/form"
	"sitegrade/db/bolt/internal/kept"
	"sitegrade/db/bolt/internal/keyring"
	"sitegrade/db/bolt/internal/order"
	"sitegrade/db/bolt/internal/search"
	"sitegrade/db/internal/crawled"
	"sitegrade/db/internal/front"
	"sitegrade/db/internal/issues"
	"sitegrade/db/internal/planned"
	"sitegrade/db/internal/promised"
	"sitegrade/db/internal/record"
	"sitegrade/db/internal/told"
)

// maxDifferences is how many differences are named.
const maxDifferences = 100

// Check recomputes every index, counter and search block from the records and compares, in one read transaction. Where nothing differs, it
// also compares all pages of the file, during which writers wait.
func (d *DB) Check(ctx context.Context) (db.CheckResult, error) {
	c := checker{ctx: ctx}
	if err := d.file.Read(ctx, file.Walk); err != nil {
		return db.CheckResult{}, err
	}
	err := d.file.Read(ctx, c.checkContents)
	if err == nil && len(c.Differences) == 0 {
		err = d.file.Remove(ctx, func(tx *bbolt.Tx) error {
			c.Differences, c.More = nil, 0
			c.checkPages(tx)
			return nil
		})
	}
	return c.CheckResult, err
}

// checkFile opens a database file that nobody uses, and checks it.
func checkFile(ctx context.Context, path string) (db.CheckResult, error) {
	c := checker{ctx: ctx}
	err := file.ViewCopy(path, func(tx *bbolt.Tx) error {
		if err := c.checkContents(tx); err != nil || len(c.Differences) > 0 {
			return err
		}
		c.checkPages(tx)
		return nil
	})
	return c.CheckResult, err
}

// checkPages compares the pages of the file with each other. Nobody may write meanwhile. bbolt does it in a goroutine of its own, where
// damage ends the process: everything must have been read and found right before.
func (c *checker) checkPages(tx *bbolt.Tx) {
	for err := range tx.Check() {
		c.differ("file: %v", err)
	}
}

func (c *checker) checkContents(tx *bbolt.Tx) error {
	if version, err := readSchema(tx); err != nil {
		return err
	} else if version != schemaVersion {
		c.differ("schema: %d, not %d", version, schemaVersion)
	}
	hasAccount := func(name string) bool { return tx.Bucket(accountsBucket).Bucket([]byte(name)) != nil }
	var err error
	if c.Keys, err = keyring.Check(tx, hasAccount, c.differ); err != nil {
		return err
	}
	return eachAccount(tx, func(a *accountTx) error {
		c.Accounts++
		return c.checkAccount(a)
	})
}

type checker struct {
	db.CheckResult
	ctx context.Context
}

func (c *checker) differ(format string, args ...any) {
	if len(c.Differences) >= maxDifferences {
		c.More++
		return
	}
	c.Differences = append(c.Differences, fmt.Sprintf(format, args...))
}

// accountChecker compares the indexes of one account with its records. It looks up what each record must have, and counts: where a
// bucket has more than that, it looks for what belongs to no record. So it needs no memory that grows with the database.
type accountChecker struct {
	*checker
	a       *accountTx
	dropped map[uint32]bool
	want    map[accountBucket]int // entries that a bucket must have
	counts  map[uint32]tally
}

func (c *checker) checkAccount(a *accountTx) error {
	for _, name := range accountBuckets {
		if a.root.Bucket([]byte(name)) == nil {
			c.differ("account %q: %s is missing", a.name, name)
			return nil
		}
	}
	ac := accountChecker{checker: c, a: a, dropped: a.dropped(), want: map[accountBucket]int{}, counts: map[uint32]tally{}}
	if err := errors.Join(ac.checkProjects(), ac.checkReports(), ac.checkFresh(), ac.checkKept(),
		told.Check(a.tenant(), c.differ), front.Check(a.tenant(), c.differ), planned.Check(a.tenant(), c.differ), crawled.Check(a.tenant(), c.differ),
		issues.Check(a.tenant(), c.differ, a.isOf, func(project uint32) bool { return !a.isDropped(project) }),
		promised.Check(a.tenant(), func(id uuid.UUID) (promised.Report, error) { return promisedReport(a.tenant(), id) }, c.differ)); err != nil {
		return err
	}
	ac.checkCounts()
	ac.checkMarks()
	ac.checkRows()
	ac.checkSlices()
	for _, name := range []accountBucket{orderBucket, alikeBucket, queueBucket, projectIDsBucket, keptTimesBucket} {
		if got := entries(a.bucket(name)); got != ac.want[name] {
			c.differ("account %q: %s has %d entries, not %d", a.name, name, got, ac.want[name])
			ac.nameStrangers(name)
		}
	}
	ac.checkFound()
	return errors.Join(ac.checkGenerations(), c.ctx.Err())
}

func entries(b *bbolt.Bucket) int {
	n := 0
	c := b.Cursor()
	for k, _ := c.First(); k != nil; k, _ = c.Next() {
		n++
	}
	return n
}

// need says that a bucket must have this entry.
func (c *accountChecker) need(bucket accountBucket, key, value []byte) {
	c.want[bucket]++
	k, v := c.a.bucket(bucket).Cursor().Seek(key)
	switch {
	case !bytes.Equal(k, key):
		c.differ("account %q: %s lacks %s", c.a.name, bucket, shown(key))
	case !bytes.Equal(v, value):
		c.differ("account %q: %s has %x at %s, not %x", c.a.name, bucket, v, shown(key), value)
	}
}

func shown(key []byte) string { return strconv.QuoteToASCII(string(key)) }

func (c *accountChecker) checkProjects() error {
	return c.a.bucket(projectsBucket).ForEach(func(number, stored []byte) error {
		c.Projects++
		p, err := decodeProject(binary.BigEndian.Uint32(number), stored)
		if err != nil {
			c.differ("account %q: %v", c.a.name, err)
			return nil
		}
		if c.dropped[p.number] {
			c.differ("account %q: project %d is dropped and there", c.a.name, p.number)
		}
		for _, key := range p.orderKeys() {
			c.need(orderBucket, key, number)
		}
		c.need(projectIDsBucket, p.id[:], number)
		return nil
	})
}

func (c *accountChecker) checkReports() error {
	return c.a.bucket(reportsBucket).ForEach(func(id, stored []byte) error {
		r, err := form.ReadRecord(uuid.UUID(id), stored)
		if err != nil {
			c.differ("account %q: %v", c.a.name, err)
			return nil
		}
		c.checkIndexes(r)
		switch {
		case c.dropped[r.Project]:
			return c.ctx.Err()
		case c.a.isDropped(r.Project):
			c.differ("account %q: report %s: its project %d is missing", c.a.name, r.ID, r.Project)
		}
		c.Reports++
		for _, scope := range [...]uint32{wholeAccount, r.Project} {
			t := c.counts[scope]
			t[r.Result]++
			c.counts[scope] = t
		}
		return c.ctx.Err()
	})
}

func (c *accountChecker) checkIndexes(r *record.Record) {
	d := derive(r)
	for _, key := range d.order {
		c.need(orderBucket, key, orderValue(key, r.Project))
	}
	for _, key := range d.alike {
		c.need(alikeBucket, key, nil)
	}
	if r.Status == db.Queued {
		c.need(queueBucket, queueKey(r), nil)
	}
}

func (c *accountChecker) checkFresh() error {
	return c.a.eachFresh(func(r *record.Record) error {
		c.Reports++
		if r.Result != audit.Unrated || r.Status != db.Queued || c.a.isDropped(r.Project) {
			c.differ("account %q: report %s is fresh and has %s, project %d", c.a.name, r.ID, r.Status, r.Project)
		}
		if c.a.bucket(reportsBucket).Get(r.ID[:]) != nil {
			c.differ("account %q: report %s is fresh and indexed", c.a.name, r.ID)
		}
		return nil
	})
}

func (c *accountChecker) checkKept() error {
	return c.a.bucket(keptBucket).ForEach(func(hash, stored []byte) error {
		k, err := form.ReadKept(stored)
		if err != nil {
			c.differ("account %q: kept response %x: %v", c.a.name, hash, err)
			return nil
		}
		c.need(keptTimesBucket, kept.TimeKey(k.Stored, hash), nil)
		return nil
	})
}

func (c *accountChecker) checkCounts() {
	for scope, want := range c.counts {
		if got := c.a.counts(scope); got != want {
			c.differ("account %q: counts of %d are %v, not %v", c.a.name, scope, got, want)
		}
	}
	if got := entries(c.a.bucket(countsBucket)); got != len(c.counts) {
		c.differ("account %q: counts has %d entries, not %d", c.a.name, got, len(c.counts))
	}
}

// checkMarks walks order and marks side by side.
func (c *accountChecker) checkMarks() {
	entries, marks := c.a.bucket(orderBucket).Cursor(), c.a.bucket(marksBucket).Cursor()
	k, _ := entries.First()
	for mark, count := marks.First(); mark != nil; {
		next, nextCount := marks.Next()
		n := 0
		for ; k != nil && bytes.HasPrefix(k, mark[:order.RangeSize]) && (next == nil || bytes.Compare(k, next) < 0); k, _ = entries.Next() {
			if bytes.Compare(k, mark) < 0 {
				c.differ("account %q: order has %s before the mark %s", c.a.name, shown(k), shown(mark))
			}
			n++
		}
		if want := int(binary.BigEndian.Uint32(count)); n != want || n == 0 || n > order.MaxSegment {
			c.differ("account %q: %d entries of order follow the mark %s, not %d", c.a.name, n, shown(mark), want)
		}
		mark, count = next, nextCount
	}
	if k != nil {
		c.differ("account %q: order has %s behind all marks", c.a.name, shown(k))
	}
}

// checkRows walks the search blocks and the reports side by side.
func (c *accountChecker) checkRows() {
	records := c.a.bucket(reportsBucket).Cursor()
	id, stored := records.First()
	blocks := c.a.bucket(searchBucket).Cursor()
	for k, v := blocks.First(); k != nil; k, v = blocks.Next() {
		rows := search.OpenBlock(v).Decode()
		var want []search.Row
		for ; id != nil && len(want) < len(rows); id, stored = records.Next() {
			if r, err := form.ReadRecord(uuid.UUID(id), stored); err == nil {
				want = append(want, derive(r).row)
			}
		}
		if len(rows) == 0 || len(rows) > search.BlockRows || !bytes.Equal(k, rows[0].ID[:]) || !slices.Equal(rows, want) {
			c.differ("account %q: the search block %x is not what its reports give", c.a.name, k)
		} else if !bytes.Equal(v, search.EncodeBlock(rows)) {
			c.differ("account %q: the search block %x has the wrong trigrams", c.a.name, k)
		}
	}
	if id != nil {
		c.differ("account %q: search lacks reports from %x on", c.a.name, id)
	}
}

// checkSlices walks the slices and the search blocks side by side.
func (c *accountChecker) checkSlices() {
	blocks := c.a.bucket(searchBucket).Cursor()
	key, stored := blocks.First()
	slices := c.a.bucket(slicesBucket).Cursor()
	for first, slice := slices.First(); first != nil; first, slice = slices.Next() {
		if !bytes.Equal(first, key) || len(slice) != search.SliceSize || slice[0] == 0 || slice[0] > search.SliceBlocks {
			c.differ("account %q: the slice %x is not where the one before it ends", c.a.name, first)
			return
		}
		var covered [][]byte
		for ; key != nil && len(covered) < int(slice[0]); key, stored = blocks.Next() {
			covered = append(covered, stored)
		}
		for i, b := range search.EncodeSlice(covered) {
			if b&^slice[i] != 0 {
				c.differ("account %q: the slice %x lacks trigrams of its blocks", c.a.name, first)
				break
			}
		}
	}
}

// checkFound finds findings without a result. A result without findings is possible: an import need not bring them.
func (c *accountChecker) checkFound() {
	cursor := c.a.bucket(foundBucket).Cursor()
	for k, _ := cursor.First(); k != nil; k, _ = cursor.Next() {
		if r, err := c.a.record(uuid.UUID(k)); err != nil || r.Result == audit.Unrated {
			c.differ("account %q: found has %s too much", c.a.name, uuid.UUID(k))
		}
	}
}

// nameStrangers names the entries of an index that belong to no report. What lists projects and kept responses has too few entries for that to help.
func (c *accountChecker) nameStrangers(bucket accountBucket) {
	if bucket == projectIDsBucket || bucket == keptTimesBucket {
		return
	}
	cursor := c.a.bucket(bucket).Cursor()
	for k, _ := cursor.First(); k != nil; k, _ = cursor.Next() {
		listsProject := bucket == orderBucket && (column(k[order.RangeSize-1]) == byName || column(k[order.RangeSize-1]) == byCreated)
		if !listsProject && !c.belongs(bucket, k) {
			c.differ("account %q: %s has %s too much", c.a.name, bucket, shown(k))
		}
	}
}

// belongs reports whether the report whose id a key ends with has that key.
func (c *accountChecker) belongs(bucket accountBucket, key []byte) bool {
	r, err := c.a.record(keyID(key))
	if err != nil || r.Fresh {
		return false
	}
	d := derive(r)
	same := func(k []byte) bool { return bytes.Equal(k, key) }
	switch bucket {
	case orderBucket:
		return slices.ContainsFunc(d.order, same)
	case alikeBucket:
		return slices.ContainsFunc(d.alike, same)
	}
	return r.Status == db.Queued && same(queueKey(r))
}

// checkGenerations holds generations and earlier findings against the reports.
func (c *accountChecker) checkGenerations() error {
	return c.a.generations().Check(func(report uuid.UUID) *record.Record {
		r, err := c.a.record(report)
		if err != nil || r.Fresh {
			return nil
		}
		return r
	}, func(format string, args ...any) { c.differ("account %q: "+format, append([]any{c.a.name}, args...)...) })
}
