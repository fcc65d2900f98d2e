package bolt

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/google/uuid"

	"sitegrade/audit"
	"sitegrade/db"
	"sitegrade/db/bolt/internal/form"
	"sitegrade/db/bolt/internal/order"
	"sitegrade/db/internal/crawled"
	"sitegrade/db/internal/front"
	"sitegrade/db/internal/issues"
	"sitegrade/db/internal/planned"
	"sitegrade/db/internal/promised"
	"sitegrade/db/internal/record"
	"sitegrade/db/internal/told"
	"sitegrade/sortfilter"
)

// project is a project as it is stored, under its number.
type project struct {
	number  uint32
	id      uuid.UUID
	created int64 // ms
	name    string
}

func decodeProject(number uint32, stored []byte) (*project, error) {
	id, created, name, err := form.ReadProject(stored)
	if err != nil {
		return nil, fmt.Errorf("%w: project %d", err, number)
	}
	return &project{number, id, created, name}, nil
}

func (p *project) ref() db.ProjectRef { return db.ProjectRef{ID: p.id, Name: p.name} }

func numberKey(number uint32) []byte { return binary.BigEndian.AppendUint32(nil, number) }

// project returns a project by its number.
func (a *accountTx) project(number uint32) (*project, error) {
	stored := a.get(projectsBucket, numberKey(number))
	if stored == nil {
		return nil, fmt.Errorf("%w: project %d is missing", form.Err, number)
	}
	return decodeProject(number, stored)
}

// findProject returns a project by its id or its name, or ErrNotFound. An id wins over a name of the same spelling: whoever names a project
// like the id of another does not get what is meant for that one.
func (a *accountTx) findProject(nameOrID string) (*project, error) {
	var number []byte
	if id, err := uuid.Parse(nameOrID); err == nil && len(nameOrID) == 36 {
		number = a.bucket(projectIDsBucket).Get(id[:])
	}
	if number == nil {
		number = a.numberOf(nameOrID)
	}
	if number == nil {
		return nil, fmt.Errorf("project: %w", db.ErrNotFound)
	}
	return a.project(binary.BigEndian.Uint32(number))
}

// numberOf returns the stored number of the project of that name, or nil.
func (a *accountTx) numberOf(name string) []byte {
	start := append(appendRange(nil, byName, wholeAccount, audit.Unrated), sortfilter.Fold(name)...)
	start = append(start, 0)
	if k, v := a.bucket(orderBucket).Cursor().Seek(start); bytes.HasPrefix(k, start) {
		return v
	}
	return nil
}

// orderKeys returns the keys by which lists of projects find a project.
func (p *project) orderKeys() [2][]byte {
	byTheName := append(appendRange(nil, byName, wholeAccount, audit.Unrated), sortfilter.Fold(p.name)...)
	byTheTime := binary.BigEndian.AppendUint64(appendRange(nil, byCreated, wholeAccount, audit.Unrated), uint64(p.created))
	return [2][]byte{append(append(byTheName, 0), p.id[:]...), append(byTheTime, p.id[:]...)}
}

// orderChanges puts a project into its lists, or removes it.
func (p *project) orderChanges(remove bool) []order.Change {
	var changes []order.Change
	for _, key := range p.orderKeys() {
		changes = append(changes, order.Change{Key: key, Value: numberKey(p.number), Remove: remove})
	}
	return changes
}

// makeProject returns the project of that name, and makes it if it does not exist.
func (a *accountTx) makeProject(name string, ids *record.IDs, now int64) (*project, error) {
	if number := a.numberOf(name); number != nil {
		return a.project(binary.BigEndian.Uint32(number))
	}
	return a.addProject(&project{id: ids.Next(record.Instant(now)), created: now, name: name})
}

// addProject stores a project under the next number. Its name and id must be free.
func (a *accountTx) addProject(p *project) (*project, error) {
	projects := a.bucket(projectsBucket)
	number, err := projects.NextSequence()
	if err != nil {
		return nil, err
	}
	p.number = uint32(number)
	return p, errors.Join(
		projects.Put(numberKey(p.number), form.Project(p.id, p.created, p.name)),
		a.bucket(projectIDsBucket).Put(p.id[:], numberKey(p.number)),
		a.applyOrder(p.orderChanges(false)))
}

// freshTallies counts the fresh reports of each project that has some.
func (a *accountTx) freshTallies() map[uint32]int {
	n := map[uint32]int{}
	c := a.bucket(freshBucket).Cursor()
	for id, stored := c.First(); id != nil; id, stored = c.Next() {
		project, _ := form.PeekRecord(stored)
		n[project]++
	}
	return n
}

func (a *accountTx) showProject(p *project, fresh int) (db.Project, error) {
	t := a.counts(p.number)
	shown := db.Project{
		ProjectRef: p.ref(), CreatedAt: record.Instant(p.created),
		Reports: db.Counts{Total: t.total() + fresh, Bad: t[1], Decent: t[2], Good: t[3]},
	}
	promise, err := a.promise(p.number)
	promise.Show(&shown)
	if err == nil && shown.Privacy != db.Private {
		shown.Share, err = a.share(record.SiteOf(p.id))
	}
	return shown, err
}

// Project is documented in db.Store.
func (d *DB) Project(ctx context.Context, account, nameOrID string) (shown db.Project, err error) {
	err = d.view(ctx, account, func(a *accountTx) error {
		shown, err = a.findAndShowProject(nameOrID)
		return err
	})
	return shown, err
}

func (a *accountTx) findAndShowProject(nameOrID string) (db.Project, error) {
	p, err := a.findProject(nameOrID)
	if err != nil {
		return db.Project{}, err
	}
	return a.showProject(p, a.freshTallies()[p.number])
}

// DeleteProject is documented in db.Store.
func (d *DB) DeleteProject(ctx context.Context, account, nameOrID string, check func(db.Project) error) error {
	err := d.remove(ctx, account, func(a *accountTx) error {
		shown, err := a.findAndShowProject(nameOrID)
		if err != nil {
			return err
		}
		if check != nil {
			if err := check(shown); err != nil {
				return err
			}
		}
		p, err := a.findProject(nameOrID)
		if err != nil {
			return err
		}
		return a.dropProject(p)
	})
	if err == nil {
		d.Listeners.Tell(db.News{Account: account, Deleted: true})
		d.purge(account)
	}
	return err
}

// dropProject takes a project out of everything that readers look at, but for its reports' own entries.
func (a *accountTx) dropProject(p *project) error {
	if err := a.removeFreshOf(p.number); err != nil {
		return err
	}
	t := a.counts(p.number)
	return errors.Join(
		told.DropProject(a.tenant(), p.id),
		planned.Drop(a.tenant(), p.id),
		front.DropProject(a.tenant(), p.id),
		crawled.DropProject(a.tenant(), p.id),
		issues.DropProject(a.tenant(), p.number),
		promised.DropProject(a.tenant(), p.number),
		a.addCounts(wholeAccount, [4]int{-t[0], -t[1], -t[2], -t[3]}),
		a.putCounts(p.number, tally{}),
		a.bucket(projectsBucket).Delete(numberKey(p.number)),
		a.bucket(projectIDsBucket).Delete(p.id[:]),
		a.applyOrder(p.orderChanges(true)),
		a.bucket(droppedBucket).Put(numberKey(p.number), nil))
}

// dropped returns the numbers of the deleted projects whose reports are still being removed, or nil.
func (a *accountTx) dropped() map[uint32]bool {
	var numbers map[uint32]bool
	c := a.bucket(droppedBucket).Cursor()
	for k, _ := c.First(); k != nil; k, _ = c.Next() {
		if numbers == nil {
			numbers = map[uint32]bool{}
		}
		numbers[binary.BigEndian.Uint32(k)] = true
	}
	return numbers
}

func (a *accountTx) isDropped(project uint32) bool {
	return a.bucket(droppedBucket).Get(numberKey(project)) != nil || a.bucket(projectsBucket).Get(numberKey(project)) == nil
}
