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
	"sitegrade/db/bolt/internal/form"
	"sitegrade/db/bolt/internal/tenant"
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

// failingOf returns the checks that fail, as they are stored.
func failingOf(found *audit.Report) []byte {
	var failing []check
	for _, o := range found.Checks {
		if o.Status == audit.Failed {
			failing = append(failing, checkOf(o.ID))
		}
	}
	slices.Sort(failing)
	stored := make([]byte, 0, 4*len(failing))
	for _, c := range failing {
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
	failing := a.Bucket(Failing)
	k, new := key(project, report), failingOf(found)
	old := failing.Get(k)
	if old != nil && bytes.Equal(old, new) {
		return nil
	}
	if err := count(a, project, old, new); err != nil {
		return err
	}
	return failing.Put(k, new)
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
		if err := count(a, project, old, nil); err != nil {
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
		return t, fmt.Errorf("%w: the counts of issues", form.Err)
	}
	t.reports = int(binary.BigEndian.Uint32(stored))
	for rest := stored[4:]; len(rest) > 0; rest = rest[8:] {
		t.failing[binary.BigEndian.Uint32(rest)] = int(binary.BigEndian.Uint32(rest[4:]))
	}
	return t, nil
}

// count takes what was noted of a report, nil for nothing, for what is noted now.
func count(a tenant.Account, project uint32, old, new []byte) error {
	t, err := readTally(a, project)
	if err != nil {
		return err
	}
	t.add(old, -1)
	t.add(new, 1)
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

// Known returns of how many reports of a project it is known what fails on them.
func Known(a tenant.Account, project uint32) (int, error) {
	t, err := readTally(a, project)
	return t.reports, err
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
