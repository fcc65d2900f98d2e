// Package things keeps what stands beside reports as rows of one table, as the buckets that the rooms of db/internal work with, and finds of all
// accounts what is due.
package things

import (
	"bytes"
	"encoding/hex"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"sitegrade/db/internal/tenant"
	"sitegrade/db/postgres/internal/pg"
)

// root is what the rooms see of an account.
type root struct{ *pg.Account }

// Bucket is documented in tenant.Root.
func (r root) Bucket(name string) tenant.Bucket { return bucket{r.Account, name} }

// Tenant returns an account for the rooms that keep records beside the reports.
func Tenant(a *pg.Account) tenant.Account { return tenant.Account{Name: a.Name, Root: root{a}} }

// Account returns the account that a room has.
func Account(t tenant.Account) *pg.Account { return t.Root.(root).Account }

// bucket is a tenant.Bucket: rows of the table things.
type bucket struct {
	*pg.Account
	name string
}

// Get is documented in tenant.Bucket.
func (b bucket) Get(key []byte) []byte {
	known := b.seen().of(b)
	if value, is := known.values[string(key)]; is {
		return value
	}
	found := b.query("key = $3", "ASC", key, 1)
	if len(found) == 0 {
		known.note(key, nil)
		return nil
	}
	known.note(key, found[0].value)
	return found[0].value
}

// Ahead is documented in tenant.Bucket.
func (b bucket) Ahead(keys ...[]byte) {
	known := b.seen().of(b)
	wanted := slices.DeleteFunc(keys, func(key []byte) bool { _, is := known.values[string(key)]; return is })
	if len(wanted) == 0 {
		return
	}
	found, err := pg.All(b.Tx, "SELECT key, value FROM things WHERE account = $1 AND bucket = $2 AND key = ANY($3)", []any{b.Number, b.name, wanted}, scanEntry)
	if err != nil {
		b.Fail(err)
		return
	}
	for _, key := range wanted {
		known.note(key, nil)
	}
	for _, e := range found {
		known.note(e.key, e.value)
	}
}

// entry is a key with its value.
type entry struct{ key, value []byte }

func scanEntry(rows pgx.Rows) (e entry, err error) {
	err = rows.Scan(&e.key, &e.value)
	return e, err
}

// read returns some entries whose keys have a place by a condition on $3, as they are after all that was put and deleted.
func (b bucket) read(condition, direction string, key []byte, limit int) []entry {
	if err := b.flush(); err != nil {
		b.Fail(err)
		return nil
	}
	return b.query(condition, direction, key, limit)
}

// query is read for what is not among the entries that are pending. What cannot be read fails the transaction.
func (b bucket) query(condition, direction string, key []byte, limit int) []entry {
	if key == nil {
		key = []byte{}
	}
	found, err := pg.All(b.Tx, "SELECT key, value FROM things WHERE account = $1 AND bucket = $2 AND "+condition+" ORDER BY key "+direction+" LIMIT $4",
		[]any{b.Number, b.name, key, limit}, scanEntry)
	if err != nil {
		b.Fail(err)
		return nil
	}
	return found
}

// Put is documented in tenant.Bucket.
func (b bucket) Put(key, value []byte) error {
	if value == nil {
		value = []byte{}
	}
	b.later(key, value)
	return nil
}

// Delete is documented in tenant.Bucket.
func (b bucket) Delete(key []byte) error {
	b.later(key, nil)
	return nil
}

// ForEach is documented in tenant.Bucket.
func (b bucket) ForEach(visit func(key, value []byte) error) error {
	c := b.Cursor()
	for key, value := c.First(); key != nil; key, value = c.Next() {
		if err := visit(key, value); err != nil {
			return err
		}
	}
	return b.Failure()
}

// Bucket is documented in tenant.Bucket. One that has nothing exists.
func (b bucket) Bucket(name []byte) tenant.Bucket {
	return bucket{b.Account, b.name + "/" + hex.EncodeToString(name)}
}

// CreateBucketIfNotExists is documented in tenant.Bucket.
func (b bucket) CreateBucketIfNotExists(name []byte) (tenant.Bucket, error) {
	return b.Bucket(name), nil
}

// DeleteBucket is documented in tenant.Bucket.
func (b bucket) DeleteBucket(name []byte) error {
	within := bucket{b.Account, b.name + "/" + hex.EncodeToString(name)}
	if err := within.flush(); err != nil {
		return err
	}
	delete(b.seen().spots, within.spot())
	return b.Write("DELETE FROM things WHERE account = $1 AND bucket = $2", b.Number, b.name+"/"+hex.EncodeToString(name))
}

// ForEachBucket is documented in tenant.Bucket.
func (b bucket) ForEachBucket(visit func(name []byte) error) error {
	if err := b.seen().Flush(); err != nil {
		return err
	}
	names, err := pg.Column[string](b.Tx, "SELECT DISTINCT bucket FROM things WHERE account = $1 AND bucket > $2 AND bucket < $3 ORDER BY bucket", b.Number, b.name+"/", b.name+"0")
	if err != nil {
		return err
	}
	for _, text := range names {
		name, err := hex.DecodeString(strings.TrimPrefix(text, b.name+"/"))
		if err != nil {
			return err
		}
		if err := visit(name); err != nil {
			return err
		}
	}
	return nil
}

// seen is what a transaction knows of buckets: what it has read of them, and what was put and deleted in it. That is written later: all of it at
// once, before something else than a single key is looked for in its bucket, or in the end.
type seen struct {
	tx    *pg.Tx
	spots map[spot]*known
}

// spot is a bucket of an account.
type spot struct {
	account int32
	bucket  string
}

// known is what is known of a bucket.
type known struct {
	values map[string][]byte // by key; nil where there is no such entry
	dirty  map[string]bool   // keys whose values are to be written
	whole  []entry           // all entries, where isWhole
	is     bool              // whole is known
}

// maxKnown bounds how many values of a bucket are remembered.
const maxKnown = 4096

// note remembers the value of a key.
func (k *known) note(key, value []byte) {
	if len(k.values)-len(k.dirty) >= maxKnown {
		for old := range k.values {
			if !k.dirty[old] {
				delete(k.values, old)
			}
		}
	}
	k.values[string(key)] = value
}

// seen returns what the transaction knows.
func (b bucket) seen() *seen {
	s, ok := b.Beside.(*seen)
	if !ok {
		s = &seen{b.Tx, map[spot]*known{}}
		b.Beside = s
	}
	return s
}

func (b bucket) spot() spot { return spot{b.Number, b.name} }

// of returns what is known of a bucket.
func (s *seen) of(b bucket) *known {
	k := s.spots[b.spot()]
	if k == nil {
		k = &known{values: map[string][]byte{}, dirty: map[string]bool{}}
		s.spots[b.spot()] = k
	}
	return k
}

// later has an entry written later, or deleted where value is nil.
func (b bucket) later(key, value []byte) {
	k := b.seen().of(b)
	if value != nil {
		value = append([]byte{}, value...) // an empty one is not nil
	}
	k.values[string(key)], k.dirty[string(key)] = value, true
	k.whole, k.is = nil, false
}

// flush writes what is pending of the bucket.
func (b bucket) flush() error {
	if len(b.seen().of(b).dirty) > 0 {
		return b.seen().Flush()
	}
	return nil
}

// Flush has what is pending written before anything else is asked.
func (s *seen) Flush() error {
	var b pgx.Batch
	for at, k := range s.spots {
		var put, values, deleted [][]byte
		for key := range k.dirty {
			if value := k.values[key]; value == nil {
				deleted = append(deleted, []byte(key))
			} else {
				put, values = append(put, []byte(key)), append(values, value)
			}
		}
		if put != nil {
			b.Queue(`INSERT INTO things (account, bucket, key, value) SELECT $1, $2, * FROM unnest($3::bytea[], $4::bytea[])
				ON CONFLICT (account, bucket, key) DO UPDATE SET value = EXCLUDED.value`, at.account, at.bucket, put, values)
		}
		if deleted != nil {
			b.Queue("DELETE FROM things WHERE account = $1 AND bucket = $2 AND key = ANY($3)", at.account, at.bucket, deleted)
		}
		clear(k.dirty)
	}
	if b.Len() > 0 {
		s.tx.Later(&b)
	}
	return nil
}

// Cursor is documented in tenant.Bucket.
func (b bucket) Cursor() tenant.Cursor { return &cursor{bucket: b} }

// cursor is a tenant.Cursor, which reads some entries ahead.
type cursor struct {
	bucket
	entries   []entry // from that on where the cursor is
	forwards  bool
	exhausted bool   // nothing comes behind entries
	at        []byte // its key; nil beyond the ends
}

// A cursor reads so many entries at first, since most often only one or two are wanted, and so many from then on.
const firstRead, nextRead = 8, 256

// go on from a place, which is the first entry that is read.
func (c *cursor) start(condition string, key []byte, forwards bool, limit int) (k, v []byte) {
	direction := "ASC"
	if c.forwards = forwards; !forwards {
		direction = "DESC"
	}
	c.entries = c.read(condition, direction, key, limit)
	c.exhausted = len(c.entries) < limit
	return c.show()
}

// show returns the entry that the cursor is at.
func (c *cursor) show() (key, value []byte) {
	if len(c.entries) == 0 {
		c.at = nil
		return nil, nil
	}
	c.at = c.entries[0].key
	return slices.Clip(c.entries[0].key), slices.Clip(c.entries[0].value)
}

// First is documented in tenant.Cursor. What is in a small bucket is remembered.
func (c *cursor) First() (key, value []byte) {
	k := c.seen().of(c.bucket)
	if k.is {
		c.entries, c.forwards, c.exhausted = k.whole, true, true
		return c.show()
	}
	key, value = c.start("key >= $3", nil, true, firstRead)
	if c.exhausted && c.Failure() == nil {
		k.whole, k.is = c.entries, true
	}
	return key, value
}

// Last is documented in tenant.Cursor.
func (c *cursor) Last() (key, value []byte) {
	return c.start("($3::bytea IS NOT NULL)", nil, false, firstRead)
}

// Seek is documented in tenant.Cursor.
func (c *cursor) Seek(wanted []byte) (key, value []byte) {
	if k := c.seen().of(c.bucket); k.is {
		from, _ := slices.BinarySearchFunc(k.whole, wanted, func(e entry, wanted []byte) int { return bytes.Compare(e.key, wanted) })
		c.entries, c.forwards, c.exhausted = k.whole[from:], true, true
		return c.show()
	}
	return c.start("key >= $3", wanted, true, firstRead)
}

// Next is documented in tenant.Cursor.
func (c *cursor) Next() (key, value []byte) { return c.step(true, "key > $3") }

// Prev is documented in tenant.Cursor.
func (c *cursor) Prev() (key, value []byte) { return c.step(false, "key < $3") }

// step goes on by one entry.
func (c *cursor) step(forwards bool, behind string) (key, value []byte) {
	switch {
	case c.at == nil:
		return nil, nil
	case c.forwards != forwards, len(c.entries) < 2 && !c.exhausted:
		return c.start(behind, c.at, forwards, nextRead)
	}
	c.entries = c.entries[1:]
	return c.show()
}
