// Package issues keeps which checks fail on which reports of a project, and on how many: what a site's owner asks for first would otherwise take
// reading all that was ever found.
package issues

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"slices"

	"github.com/google/uuid"

	"sitegrade/audit"
	"sitegrade/db/internal/record"
	"sitegrade/db/internal/tenant"
)

// The buckets of an account that this package keeps; the schema tells what is in them.
const (
	Failing = "failing"
	Counts  = "failing_counts"
)

// A check is stored as 4 bytes, those of a hash of its id: the table of checks changes from version to version. Checks are sorted by them.
type check = uint32

// checkOf returns what stands for a check.
func checkOf(id string) check {
	h := fnv.New32a()
	_, _ = h.Write([]byte(id)) // never fails
	return h.Sum32()
}

// failedIn returns the checks that fail.
func failedIn(found *audit.Report) (failed []string) {
	if found == nil {
		return nil // an import knew no more than the result
	}
	for _, o := range found.Checks {
		if o.Status == audit.Failed {
			failed = append(failed, o.ID)
		}
	}
	return failed
}

// encode returns checks as they are stored.
func encode(ids []string) []byte {
	checks := make([]check, len(ids))
	for i, id := range ids {
		checks[i] = checkOf(id)
	}
	slices.Sort(checks)
	stored := make([]byte, 0, 4*len(checks))
	for _, c := range checks {
		stored = binary.BigEndian.AppendUint32(stored, c)
	}
	return stored
}

func key(project uint32, report uuid.UUID) []byte {
	return append(binary.BigEndian.AppendUint32(nil, project), report[:]...)
}

func projectKey(project uint32) []byte { return binary.BigEndian.AppendUint32(nil, project) }

// Set notes what the newest successful audit of a report found.
func Set(a tenant.Account, project uint32, report uuid.UUID, found *audit.Report) error {
	var n Notes
	if err := n.Set(a, project, report, found); err != nil {
		return err
	}
	return n.Flush()
}

// Ahead tells the engine that Set or Remove follows for these reports, by their projects.
func Ahead(a tenant.Account, reports map[uint32][]uuid.UUID) {
	var keys, projects [][]byte
	for project, ids := range reports {
		projects = append(projects, projectKey(project))
		for _, id := range ids {
			keys = append(keys, key(project, id))
		}
	}
	a.Bucket(Failing).Ahead(keys...)
	a.Bucket(Counts).Ahead(projects...)
}

// Notes note what was found of many reports in one transaction, which changes the counts of their projects in no other way.
type Notes struct {
	account tenant.Account
	tallies map[uint32]*tally
}

// Set is as the function of that name, but for the counts, which Flush stores. found is nil where no more is known than that there is a result.
func (n *Notes) Set(a tenant.Account, project uint32, report uuid.UUID, found *audit.Report) error {
	return n.set(a, project, report, encode(failedIn(found)))
}

func (n *Notes) set(a tenant.Account, project uint32, report uuid.UUID, failing []byte) error {
	k := key(project, report)
	old := a.Bucket(Failing).Get(k)
	if old != nil && bytes.Equal(old, failing) {
		return nil
	}
	if n.tallies == nil {
		n.account, n.tallies = a, map[uint32]*tally{}
	}
	t := n.tallies[project]
	if t == nil {
		read, err := readTally(a, project)
		if err != nil {
			return err
		}
		t = &read
		n.tallies[project] = t
	}
	t.add(old, -1)
	t.add(failing, 1)
	return a.Bucket(Failing).Put(k, failing)
}

// Flush stores the counts.
func (n *Notes) Flush() error {
	for project, t := range n.tallies {
		if err := t.put(n.account, project); err != nil {
			return err
		}
	}
	return nil
}

// has reports whether it is known what fails on a report.
func has(a tenant.Account, project uint32, report uuid.UUID) bool {
	return a.Bucket(Failing).Get(key(project, report)) != nil
}

// Remove forgets a report. That of a deleted project is counted no longer.
func Remove(a tenant.Account, project uint32, report uuid.UUID) error {
	k := key(project, report)
	old := a.Bucket(Failing).Get(k)
	if old == nil {
		return nil
	}
	if a.Bucket(Counts).Get(projectKey(project)) != nil {
		t, err := readTally(a, project)
		if err != nil {
			return err
		}
		t.add(old, -1)
		if err := t.put(a, project); err != nil {
			return err
		}
	}
	return a.Bucket(Failing).Delete(k)
}

// DropProject forgets the counts of a project. Its reports are to be removed one by one.
func DropProject(a tenant.Account, project uint32) error {
	return a.Bucket(Counts).Delete(projectKey(project))
}

// tally is on how many reports of a project checks fail, and of how many reports that is known.
type tally struct {
	reports int
	failing map[check]int
}

func readTally(a tenant.Account, project uint32) (t tally, err error) {
	t.failing = map[check]int{}
	stored := a.Bucket(Counts).Get(projectKey(project))
	if stored == nil {
		return t, nil
	}
	if len(stored)%8 != 4 {
		return t, fmt.Errorf("%w: the counts of issues", record.ErrDamaged)
	}
	t.reports = int(binary.BigEndian.Uint32(stored))
	for rest := stored[4:]; len(rest) > 0; rest = rest[8:] {
		t.failing[binary.BigEndian.Uint32(rest)] = int(binary.BigEndian.Uint32(rest[4:]))
	}
	return t, nil
}

func (t *tally) put(a tenant.Account, project uint32) error {
	stored := binary.BigEndian.AppendUint32(nil, uint32(t.reports))
	for c, n := range t.failing {
		if n > 0 {
			stored = binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(stored, c), uint32(n))
		}
	}
	return a.Bucket(Counts).Put(projectKey(project), stored)
}

// add counts a report n times; nil is no report.
func (t *tally) add(failing []byte, n int) {
	if failing == nil {
		return
	}
	t.reports += n
	for rest := failing; len(rest) >= 4; rest = rest[4:] {
		t.failing[binary.BigEndian.Uint32(rest)] += n
	}
}

// known returns of how many reports of a project it is known what fails on them.
func known(a tenant.Account, project uint32) int {
	stored := a.Bucket(Counts).Get(projectKey(project))
	if len(stored) < 4 {
		return 0
	}
	return int(binary.BigEndian.Uint32(stored))
}

// Of returns on how many reports of a project each check of this version fails.
func Of(a tenant.Account, project uint32) (map[string]int, error) {
	t, err := readTally(a, project)
	all := map[string]int{}
	for _, e := range audit.Explanations() {
		if n := t.failing[checkOf(e.ID)]; n > 0 {
			all[e.ID] = n
		}
	}
	return all, err
}

// eachReport calls visit for the reports of a project on which a check fails, the oldest first, until it returns false.
func eachReport(a tenant.Account, project uint32, id string, visit func(uuid.UUID) bool) {
	wanted, prefix := checkOf(id), projectKey(project)
	c := a.Bucket(Failing).Cursor()
	for k, v := c.Seek(prefix); bytes.HasPrefix(k, prefix); k, v = c.Next() {
		for rest := v; len(rest) >= 4; rest = rest[4:] {
			if binary.BigEndian.Uint32(rest) == wanted {
				if !visit(uuid.UUID(k[4:])) {
					return
				}
				break
			}
		}
	}
}

// Check compares the counts with what is noted of the reports, and calls differ for each difference. exists reports whether there is such a
// report, and live whether its project is.
func Check(a tenant.Account, differ func(format string, args ...any), exists func(project uint32, report uuid.UUID) bool, live func(project uint32) bool) error {
	counted := map[uint32]*tally{}
	if err := a.Bucket(Failing).ForEach(func(k, v []byte) error {
		project, report := binary.BigEndian.Uint32(k), uuid.UUID(k[4:])
		if !exists(project, report) {
			differ("account %q: failing has report %s, which does not exist", a.Name, report)
		}
		if counted[project] == nil {
			counted[project] = &tally{failing: map[check]int{}}
		}
		counted[project].add(v[:len(v):len(v)], 1)
		return nil
	}); err != nil {
		return err
	}
	for project, want := range counted {
		if !live(project) {
			continue
		}
		got, err := readTally(a, project)
		if err != nil {
			return err
		}
		same := got.reports == want.reports
		for c, n := range want.failing {
			same = same && got.failing[c] == n
		}
		if !same || len(got.failing) != len(want.failing) {
			differ("account %q: failing_counts of project %d differ from its reports", a.Name, project)
		}
	}
	return a.Bucket(Counts).ForEach(func(k, v []byte) error {
		if project := binary.BigEndian.Uint32(k); counted[project] == nil && len(v) > 4 {
			differ("account %q: failing_counts has project %d, which has no reports", a.Name, project)
		}
		return nil
	})
}
