package bolt

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"sitegrade/audit"
	"sitegrade/db"
	"sitegrade/db/bolt/internal/file"
	"sitegrade/db/dbtest"
	"sitegrade/sortfilter"
)

// tracedDir names the environment variable with the directory of TestSyncedChild.
const tracedDir = "SITEGRADE_TRACED_DIR"

// TestOnlyWhatIsSyncedLasts runs a process that opens, fills, empties and compacts a database, and that says what is done whenever a
// method has returned. strace records what it tells the system. From that the states are made that a disk may have which keeps nothing but what
// it was told to sync, at the moment of each of these lines and at moments between. In each state everything that was said to be done must
// be there. More moments: go test ./db/bolt -run Synced -powerloss.rounds 500
func TestOnlyWhatIsSyncedLasts(t *testing.T) {
	dir := t.TempDir()
	d := &disk{t: t, random: rand.New(rand.NewPCG(uint64(os.Getpid()), 2)), open: map[string]*inode{}, names: map[string]*inode{}, lasting: map[string]*inode{}}
	calls := traced(t, "TestSyncedChild", tracedDir+"="+dir)
	moments := map[int]bool{}
	for range *powerLosses {
		moments[d.random.IntN(len(calls))] = true
	}
	path := filepath.Join(dir, "sitegrade.db")
	steps := stepsOf(t, calls)
	said := 0
	for i, c := range calls {
		if c.name == "write" && c.args[0] == "1" {
			if said++; said <= len(steps) {
				d.compare(path, nil, steps[said-1])
			}
			continue
		}
		d.apply(c)
		if moments[i] && said > 0 && said < len(steps) {
			d.compare(path, d.random, steps[said-1], steps[said])
		}
	}
	if said < 20 {
		t.Errorf("the process said only %d times what is done", said)
	}
}

// stepsOf returns which reports there are after each line of the process.
func stepsOf(t *testing.T, calls []call) []step {
	var steps []step
	have := map[string]bool{}
	for _, c := range calls {
		if c.name != "write" || c.args[0] != "1" {
			continue
		}
		what, id, _ := strings.Cut(strings.TrimSpace(string(c.data(t, 1))), " ")
		switch what {
		case "made":
			have[id] = true
		case "deleted":
			delete(have, id)
		case "PASS":
			return steps
		}
		var ids []string
		for id := range have {
			ids = append(ids, id)
		}
		slices.Sort(ids)
		steps = append(steps, step{what + " " + id, ids})
	}
	return steps
}

// step is what was done last, and the ids of the reports that there are then.
type step struct {
	done string
	ids  []string
}

// TestSyncedChild is the process of TestOnlyWhatIsSyncedLasts.
func TestSyncedChild(t *testing.T) {
	dir := os.Getenv(tracedDir)
	if dir == "" {
		t.Skip("it is for another test")
	}
	path := filepath.Join(dir, "sitegrade.db")
	var live []db.Report
	for round := range 3 {
		d, err := Open(path, Options{MaxSize: 64 << 20}) // which makes the file grow by small steps
		if err != nil {
			t.Fatal(err)
		}
		for i := range 8 {
			r := create(t, d, fmt.Sprintf("https://example.com/%d/%d", round, i))
			live = append(live, r)
			fmt.Println("made", r.ID)
			finishWith(t, d, r, 100_000)
			if i%3 == 2 {
				if err := d.DeleteReport(t.Context(), "a", live[0].ID, nil); err != nil {
					t.Fatal(err)
				}
				fmt.Println("deleted", live[0].ID)
				live = live[1:]
			}
		}
		if err := d.Close(); err != nil {
			t.Fatal(err)
		}
		fmt.Println("closed", round)
		if _, _, err := Compact(t.Context(), path); err != nil {
			t.Fatal(err)
		}
		fmt.Println("compacted", round)
	}
}

// finishWith ends the audit of a report with so much that compression cannot make small.
func finishWith(t *testing.T, d *DB, r db.Report, size int) {
	t.Helper()
	noise := make([]byte, size)
	_, _ = rand.NewChaCha8([32]byte(bytes.Repeat(r.ID[:], 2))).Read(noise)
	found := &audit.Report{URL: r.URL, FinalURL: r.URL, HTTPStatus: 200, Result: audit.Good, Score: 90, GeneratedAt: r.CreatedAt}
	found.Page.Title = fmt.Sprintf("%x", noise)
	if err := d.FinishReport(t.Context(), dbtest.JobOf(t, d, r), found, nil); err != nil {
		t.Fatal(err)
	}
}

// A call is one call of the system that has succeeded.
type call struct {
	name string
	args []string
	ret  string
}

// data returns a string argument.
func (c call) data(t *testing.T, i int) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.ReplaceAll(strings.Trim(c.args[i], `"`), `\x`, ""))
	if err != nil {
		t.Fatalf("%s: argument %d: %v", c.name, i, err)
	}
	return b
}

// traced runs a test of this binary in a process of its own, with one more variable in its environment, and returns its calls.
func traced(t *testing.T, test, env string) []call {
	t.Helper()
	strace, err := exec.LookPath("strace")
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal("there is no strace, which this test needs")
		}
		t.Skip("there is no strace")
	}
	output := filepath.Join(t.TempDir(), "calls")
	cmd := exec.Command(strace, "-f", "-xx", "-s", "67108864", "-e", "signal=none", "-o", output,
		"-e", "trace=openat,pwrite64,write,fsync,fdatasync,ftruncate,linkat,renameat,renameat2,unlinkat",
		os.Args[0], "-test.run", "^"+test+"$")
	cmd.Env = append(os.Environ(), env)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	lines, err := os.ReadFile(output)
	if err != nil {
		t.Fatal(err)
	}
	return parseCalls(string(lines))
}

// parseCalls reads what strace wrote, in the order in which the calls ended. A call during which another thread made one is in two lines.
func parseCalls(output string) []call {
	var calls []call
	begun := map[string]string{}
	for line := range strings.Lines(output) {
		thread, text, _ := strings.Cut(strings.TrimSpace(line), " ")
		text = strings.TrimSpace(text)
		if rest, ok := strings.CutSuffix(text, " <unfinished ...>"); ok {
			begun[thread] = rest
			continue
		}
		if strings.HasPrefix(text, "<... ") {
			_, rest, _ := strings.Cut(text, " resumed>")
			text = begun[thread] + rest
		}
		head, ret, ok := strings.Cut(text, " = ")
		head = strings.TrimSuffix(strings.TrimSpace(head), ")")
		name, args, _ := strings.Cut(head, "(")
		if ret = strings.Fields(ret + " -")[0]; ok && !strings.HasPrefix(ret, "-") && ret != "?" {
			calls = append(calls, call{name, strings.Split(args, ", "), ret})
		}
	}
	return calls
}

// disk is a file system that keeps through a loss of power only what it was told to sync: the content of a file by fsync or
// fdatasync, its length by fsync, and the names in a directory by fsync of that.
type disk struct {
	t              *testing.T
	random         *rand.Rand
	open           map[string]*inode // by number
	names, lasting map[string]*inode // now, and after a loss of power
}

type inode struct {
	path    string // by which it was opened
	synced  []byte
	length  int     // that lasts
	size    int     // now
	pending []piece // written since the last sync
}

type piece struct {
	at   int
	data []byte
}

func (d *disk) apply(c call) {
	d.t.Helper()
	name := func(i int) string { return string(c.data(d.t, i)) }
	file := d.open[c.args[0]]
	switch c.name {
	case "openat":
		path := name(1)
		if d.names[path] == nil {
			d.names[path] = &inode{path: path}
		}
		d.open[c.ret] = d.names[path]
	case "linkat":
		d.names[name(3)] = d.names[name(1)]
	case "renameat", "renameat2":
		d.names[name(3)] = d.names[name(1)]
		delete(d.names, name(1))
	case "unlinkat":
		delete(d.names, name(1))
	case "pwrite64":
		data := c.data(d.t, 1)
		at := number(d.t, c.args[3])
		file.pending = append(file.pending, piece{at, data})
		file.size = max(file.size, at+len(data))
	case "ftruncate":
		file.size = number(d.t, c.args[1])
	case "fdatasync", "fsync":
		d.sync(file, c.name == "fsync")
	}
}

func number(t *testing.T, s string) int {
	t.Helper()
	n, err := strconv.Atoi(s)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func (d *disk) sync(file *inode, whole bool) {
	for _, p := range file.pending {
		file.synced = overwrite(file.synced, p)
	}
	file.pending = nil
	if whole {
		file.length = file.size
	}
	for path, node := range d.names { // when it is their directory
		if filepath.Dir(path) == file.path {
			d.lasting[path] = node
		}
	}
	for path := range d.lasting {
		if filepath.Dir(path) == file.path && d.names[path] == nil {
			delete(d.lasting, path)
		}
	}
}

// overwrite returns b with p in its place, longer if need be.
func overwrite(b []byte, p piece) []byte {
	if missing := p.at + len(p.data) - len(b); missing > 0 {
		b = append(b, make([]byte, missing)...)
	}
	copy(b[p.at:], p.data)
	return b
}

// content returns what a file has after a loss of power: what lasts, and, with a source of chance, any part of what was written since.
func (n *inode) content(random *rand.Rand) []byte {
	b := bytes.Clone(n.synced)
	length := n.length
	if random != nil {
		length = n.size
		share := random.Float64()
		for _, p := range n.pending {
			for at := 0; at < len(p.data); at += sector {
				if random.Float64() < share {
					b = overwrite(b, piece{p.at + at, p.data[at:min(at+sector, len(p.data))]})
				}
			}
		}
	}
	return append(b, make([]byte, max(0, length-len(b)))...)[:length]
}

// compare cuts the power and holds that the file at path has what it had after one of the steps.
func (d *disk) compare(path string, random *rand.Rand, steps ...step) {
	d.t.Helper()
	names := d.lasting
	if random != nil && random.IntN(2) == 0 {
		names = d.names
	}
	kept := names[path]
	if kept == nil {
		d.t.Fatalf("%s: the file has no name that lasts", steps[0].done)
	}
	cut := filepath.Join(d.t.TempDir(), "cut.db")
	if err := os.WriteFile(cut, kept.content(random), 0o600); err != nil {
		d.t.Fatal(err)
	}
	if pages, err := file.ListedPages(cut); err != nil || pages == file.Unlisted {
		d.t.Fatalf("%s: a start would have to look for the free pages (%v)", steps[0].done, err)
	}
	ids := d.reportsIn(cut, steps[0].done)
	if !slices.ContainsFunc(steps, func(s step) bool { return slices.Equal(s.ids, ids) }) {
		d.t.Fatalf("%s: there are\n%v, not\n%v", steps[0].done, ids, steps)
	}
}

// reportsIn opens a file, holds that it is consistent, and returns the ids of its reports.
func (d *disk) reportsIn(path, when string) (ids []string) {
	d.t.Helper()
	store, err := Open(path, Options{MaxSize: 64 << 20})
	if err != nil {
		d.t.Fatalf("%s: %v", when, err)
	}
	defer store.Close()
	mustCheck(d.t, store)
	page, err := store.Reports(d.t.Context(), "a", sortfilter.Query{SortBy: sortfilter.ByID, PerPage: 100, Page: 1})
	if err != nil {
		d.t.Fatal(err)
	}
	for _, r := range page.Rows {
		ids = append(ids, r.ID.String())
	}
	slices.Sort(ids)
	return ids
}
