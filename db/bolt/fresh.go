package bolt

import (
	"errors"

	"github.com/google/uuid"

	"sitegrade/db/bolt/internal/form"
	"sitegrade/db/internal/record"
)

// freshLimit is how many reports may wait for their first audit without being in the indexes. Beyond it the older half is indexed at once,
// which costs far less than one by one.
const freshLimit = 256

// eachFresh calls visit for the fresh reports, the oldest first.
func (a *accountTx) eachFresh(visit func(*record.Record) error) error {
	c := a.bucket(freshBucket).Cursor()
	for k, v := c.First(); k != nil; k, v = c.Next() {
		r, err := form.ReadRecord(uuid.UUID(k), v)
		if err != nil {
			return err
		}
		r.Fresh = true
		if err := visit(r); err != nil {
			return err
		}
	}
	return nil
}

// freshCount counts the fresh reports.
func (a *accountTx) freshCount() int {
	n := 0
	c := a.bucket(freshBucket).Cursor()
	for k, _ := c.First(); k != nil; k, _ = c.Next() {
		n++
	}
	return n
}

// limitFresh indexes the older half of the fresh reports when there are too many.
func (a *accountTx) limitFresh() error {
	n := a.freshCount()
	if n <= freshLimit {
		return nil
	}
	left := n - freshLimit/2
	return a.indexFresh(func(*record.Record) bool {
		left--
		return left >= 0
	})
}

// removeFreshOf removes the fresh reports of one project.
func (a *accountTx) removeFreshOf(project uint32) error {
	var removing []*record.Record
	if err := a.eachFresh(func(r *record.Record) error {
		if r.Project == project {
			removing = append(removing, r)
		}
		return nil
	}); err != nil {
		return err
	}
	for _, r := range removing {
		if err := a.removeRecord(r); err != nil {
			return err
		}
	}
	return nil
}

// indexFresh moves the fresh reports that are wanted to the indexed ones.
func (a *accountTx) indexFresh(wanted func(*record.Record) bool) error {
	var moving []*record.Record
	if err := a.eachFresh(func(r *record.Record) error {
		if wanted(r) {
			moving = append(moving, r)
		}
		return nil
	}); err != nil {
		return err
	}
	var x indexing
	for _, r := range moving {
		if err := a.settle(r, &x); err != nil {
			return err
		}
	}
	return x.apply(a)
}

// settle moves a record from the fresh ones to the indexed ones.
func (a *accountTx) settle(r *record.Record, x *indexing) error {
	if err := a.bucket(freshBucket).Delete(r.ID[:]); err != nil {
		return err
	}
	r.Fresh = false
	x.replace(nil, r)
	return errors.Join(a.putRecord(r), a.enqueue(r))
}
