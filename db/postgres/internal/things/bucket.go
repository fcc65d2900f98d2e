// Package things keeps what stands beside reports as rows of one table, as the buckets that the rooms of db/internal work with, and finds of all
// accounts what is due.
package things

import (
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
	if p, ok := b.Beside.(*pending); ok {
		if value, written := p.entries[spot{b.Number, b.name}][string(key)]; written {
			return value
		}
	}
	found := b.read("key = $3", "ASC", key, 1)
	if len(found) == 0 {
		return nil
	}
	return found[0].value
}

// entry is a key with its value.
type entry struct{ key, value []byte }

// read returns some entries whose keys have a place by a condition on $3. What cannot be read fails the transaction.
func (b bucket) read(condition, direction string, key []byte, limit int) []entry {
	if key == nil {
		key = []byte{}
	}
	if err := b.flush(); err != nil {
		b.Fail(err)
		return nil
	}
	found, err := pg.All(b.Tx, "SELECT key, value FROM things WHERE account = $1 AND bucket = $2 AND "+condition+" ORDER BY key "+direction+" LIMIT $4",
		[]any{b.Number, b.name, key, limit}, func(rows pgx.Rows) (e entry, err error) {
			err = rows.Scan(&e.key, &e.value)
			return e, err
		})
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
	return b.Write("DELETE FROM things WHERE account = $1 AND bucket = $2", b.Number, b.name+"/"+hex.EncodeToString(name))
}

// ForEachBucket is documented in tenant.Bucket.
func (b bucket) ForEachBucket(visit func(name []byte) error) error {
	if p, ok := b.Beside.(*pending); ok {
		if err := p.Flush(); err != nil {
			return err
		}
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

// pending is what was put and deleted in a transaction and is not written yet: all of it is written at once, before something is looked for in
// its bucket, or in the end.
type pending struct {
	tx      *pg.Tx
	entries map[spot]map[string][]byte // a nil value for what was deleted
}

// spot is a bucket of an account.
type spot struct {
	account int32
	bucket  string
}

// later has an entry written later, or deleted where value is nil.
func (b bucket) later(key, value []byte) {
	p, ok := b.Beside.(*pending)
	if !ok {
		p = &pending{b.Tx, map[spot]map[string][]byte{}}
		b.Beside = p
	}
	at := spot{b.Number, b.name}
	if p.entries[at] == nil {
		p.entries[at] = map[string][]byte{}
	}
	if value != nil {
		value = append([]byte{}, value...) // an empty one is not nil
	}
	p.entries[at][string(key)] = value
}

// flush writes what is pending, if some of it is of the bucket.
func (b bucket) flush() error {
	if p, ok := b.Beside.(*pending); ok && len(p.entries[spot{b.Number, b.name}]) > 0 {
		return p.Flush()
	}
	return nil
}

// Flush writes what is pending.
func (p *pending) Flush() error {
	var b pgx.Batch
	for at, entries := range p.entries {
		var put, values, deleted [][]byte
		for key, value := range entries {
			if value == nil {
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
	}
	clear(p.entries)
	return p.tx.Send(&b)
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
const firstRead, nextRead = 4, 256

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

// First is documented in tenant.Cursor.
func (c *cursor) First() (key, value []byte) { return c.start("key >= $3", nil, true, firstRead) }

// Last is documented in tenant.Cursor.
func (c *cursor) Last() (key, value []byte) {
	return c.start("($3::bytea IS NOT NULL)", nil, false, firstRead)
}

// Seek is documented in tenant.Cursor.
func (c *cursor) Seek(wanted []byte) (key, value []byte) {
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
