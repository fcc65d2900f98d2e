package bolt

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/uuid"
	"go.etcd.io/bbolt"

	"sitegrade/audit"
	"sitegrade/auth"
	"sitegrade/db"
	"sitegrade/db/bolt/internal/bucket"
	"sitegrade/db/bolt/internal/file"
	"sitegrade/db/bolt/internal/order"
	"sitegrade/db/internal/record"
	"sitegrade/db/internal/tenant"
)

func TestCheckFindsEveryDifference(t *testing.T) {
	damage := map[string]func(*accountTx) error{
		"order lacks": func(a *accountTx) error {
			k, _ := a.bucket(orderBucket).Cursor().First()
			return a.bucket(orderBucket).Delete(bytes.Clone(k))
		},
		"order has": func(a *accountTx) error {
			return a.applyOrder([]order.Change{{Key: appendOrderKey(nil, byID, 1, &record.Record{ID: uuid.Max}, "")}})
		},
		"follow the mark": func(a *accountTx) error {
			k, _ := a.bucket(marksBucket).Cursor().First()
			return a.bucket(marksBucket).Put(bytes.Clone(k), []byte{0, 0, 0, 9})
		},
		"counts of":  func(a *accountTx) error { return a.addCounts(wholeAccount, [4]int{0, 1, 0, 0}) },
		"counts has": func(a *accountTx) error { return a.addCounts(77, [4]int{0, 1, 0, 0}) },
		"search block": func(a *accountTx) error {
			k, v := a.bucket(searchBucket).Cursor().First()
			v = bytes.Clone(v)
			v[100] ^= 1
			return a.bucket(searchBucket).Put(bytes.Clone(k), v)
		},
		"search lacks": func(a *accountTx) error {
			k, _ := a.bucket(searchBucket).Cursor().Last()
			return a.bucket(searchBucket).Delete(bytes.Clone(k))
		},
		"alike lacks": func(a *accountTx) error {
			k, _ := a.bucket(alikeBucket).Cursor().First()
			return a.bucket(alikeBucket).Delete(bytes.Clone(k))
		},
		"queue has":        func(a *accountTx) error { return a.bucket(queueBucket).Put(make([]byte, 24), nil) },
		"found has":        func(a *accountTx) error { return a.bucket(foundBucket).Put(make([]byte, 16), nil) },
		"is missing":       func(a *accountTx) error { return a.bucket(projectsBucket).Delete(numberKey(1)) },
		"answer_times has": func(a *accountTx) error { return a.bucket(keptTimesBucket).Put(make([]byte, 40), nil) },
		"is fresh and has": func(a *accountTx) error { return a.putRecord(&record.Record{ID: uuid.Max, Fresh: true, Project: 99}) },
		"secret does not": func(a *accountTx) error {
			return tenant.Put(bucket.Of(a.tx.Bucket(keysBucket)), uuid.Max[:], auth.Key{Account: "a", ID: uuid.Max, Scopes: auth.Read})
		},
		"project_ids lacks": func(a *accountTx) error {
			k, _ := a.bucket(projectIDsBucket).Cursor().First()
			return a.bucket(projectIDsBucket).Delete(bytes.Clone(k))
		},
		"record is damaged": func(a *accountTx) error { return a.bucket(reportsBucket).Put(make([]byte, 16), []byte{9}) },
		"standings has":     func(a *accountTx) error { return a.bucket(standingsBucket).Put(make([]byte, 16), []byte("{}")) },
		"break the budget": func(a *accountTx) error {
			return errors.Join(a.bucket(promisesBucket).Put(numberKey(1), []byte("{}")), a.bucket(breakingBucket).Put(append(numberKey(1), uuid.Max[:]...), nil))
		},
		"keeps the budget": func(a *accountTx) error {
			return a.bucket(promisesBucket).Put(numberKey(1), []byte(`{"Budget":{"min_score":99}}`))
		},
		"is broken":         func(a *accountTx) error { return a.bucket(promisesBucket).Put(numberKey(1), []byte(`{"Broken":true}`)) },
		"accepted_ends has": func(a *accountTx) error { return a.bucket(acceptedEndsBucket).Put(make([]byte, 28), nil) },
		"dropped and there": func(a *accountTx) error { return a.bucket(droppedBucket).Put(numberKey(1), nil) },
	}
	for want, apply := range damage {
		t.Run(want, func(t *testing.T) {
			d, err := Open(filepath.Join(t.TempDir(), "sitegrade.db"), Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer d.Close()
			finish(t, d, create(t, d, "https://example.com/1"), audit.Good)
			finish(t, d, create(t, d, "https://example.com/2"), audit.Bad)
			mustCheck(t, d)
			if err := d.add(t.Context(), "a", apply); err != nil {
				t.Fatal(err)
			}
			result, err := d.Check(t.Context())
			if err != nil || !strings.Contains(strings.Join(result.Differences, "\n"), want) {
				t.Errorf("found %v, %v", result.Differences, err)
			}
		})
	}
}

func TestOpenSaysWhatToDo(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sitegrade.db")
	d, err := Open(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Open(path, Options{}); !errors.Is(err, ErrInUse) {
		t.Errorf("a second process gets %v", err)
	}
	if err := d.file.Add(t.Context(), func(tx *bbolt.Tx) error { return putSchema(tx, schemaVersion+1) }); err != nil {
		t.Fatal(err)
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(path, Options{}); err == nil || !strings.Contains(err.Error(), "use a newer sitegrade") {
		t.Errorf("a newer schema gives %v", err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string][]byte{
		"text":       []byte(strings.Repeat("not a database\n", 1000)),
		"truncated":  whole[:len(whole)/2],
		"zeros":      make([]byte, 32768),
		"empty tail": append(bytes.Clone(whole[:8192]), make([]byte, len(whole)-8192)...),
	} {
		path := filepath.Join(t.TempDir(), "sitegrade.db")
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(path, Options{}); err == nil || !strings.Contains(err.Error(), "backup") && !strings.Contains(err.Error(), "not a database of") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestBackupIsWholeAndChecked(t *testing.T) {
	d := filled(t)
	path := filepath.Join(t.TempDir(), "backup.db")
	result, err := d.Backup(t.Context(), path)
	if err != nil || result.Reports != 4 || result.Keys != 1 {
		t.Fatalf("backup: %+v, %v", result, err)
	}
	if _, err := d.Backup(t.Context(), path); err == nil {
		t.Error("a backup overwrote another")
	}
	restored, err := Open(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer restored.Close()
	if got, want := export(t, restored), export(t, d); got != want {
		t.Errorf("the backup has\n%s\nnot\n%s", got, want)
	}
}

func TestCompactShrinksAndKeepsEverything(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sitegrade.db")
	d, err := Open(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 300 {
		create(t, d, fmt.Sprintf("https://example.com/%d", i))
	}
	want := export(t, d)
	if _, _, err := Compact(t.Context(), path); !errors.Is(err, ErrInUse) {
		t.Errorf("compacting under a server gives %v", err)
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	before, after, err := Compact(t.Context(), path)
	if err != nil || after >= before {
		t.Fatalf("from %d to %d bytes, %v", before, after, err)
	}
	if d, err = Open(path, Options{}); err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	mustCheck(t, d)
	if export(t, d) != want {
		t.Error("the contents changed")
	}
}

func TestFullDatabaseStillReadsAndDeletes(t *testing.T) {
	for _, size := range []int64{1 << 20, 5 << 20} {
		t.Run(fmt.Sprint(size), func(t *testing.T) { fillAndEmpty(t, size) })
	}
}

func fillAndEmpty(t *testing.T, size int64) {
	path := filepath.Join(t.TempDir(), "sitegrade.db")
	d, err := Open(path, Options{MaxSize: size})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	var last db.Report
	for i := 0; err == nil; i++ {
		var r db.Report
		if r, err = d.CreateReport(t.Context(), "a", db.NewReport{URL: fmt.Sprintf("https://example.com/%s%d", strings.Repeat("x", 1000), i)}); err == nil {
			last = r
		}
	}
	if !errors.Is(err, db.ErrFull) {
		t.Fatalf("a full database gives %v", err)
	}
	if info, err := os.Stat(path); err != nil || info.Size() < size/2 || info.Size() > size+file.LimitedStep {
		t.Errorf("a file limited to %d bytes has %d, %v", size, info.Size(), err)
	}
	if _, _, err := d.Report(t.Context(), "a", last.ID); err != nil {
		t.Errorf("reading: %v", err)
	}
	if err := d.DeleteReport(t.Context(), "a", last.ID, nil); err != nil {
		t.Errorf("deleting: %v", err)
	}
	if err := d.DeleteProject(t.Context(), "a", "example.com", nil); err != nil {
		t.Errorf("deleting the project: %v", err)
	}
	d.purging.Wait()
	mustCheck(t, d)
	create(t, d, "https://example.com/again")
}

// TestKilledProcessLosesNothing lets a child process create and delete until it is killed, and compares with what it acknowledged.
func TestKilledProcessLosesNothing(t *testing.T) {
	if os.Getenv("DB_TEST_CHILD") != "" {
		writeUntilKilled(os.Getenv("DB_TEST_CHILD"))
	}
	path := filepath.Join(t.TempDir(), "sitegrade.db")
	acknowledged := map[string]bool{}
	for round := range 3 {
		child := exec.Command(os.Args[0], "-test.run=^TestKilledProcessLosesNothing$")
		child.Env = append(os.Environ(), "DB_TEST_CHILD="+path)
		out, err := child.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := child.Start(); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(out)
		for n := 0; lines.Scan(); n++ {
			if id, created := strings.CutPrefix(lines.Text(), "+"); created {
				acknowledged[id] = true
			} else if id, deleted := strings.CutPrefix(lines.Text(), "-"); deleted {
				delete(acknowledged, id)
			}
			if n == 100+50*round {
				if err := child.Process.Kill(); err != nil {
					t.Fatal(err)
				}
			}
		}
		_ = child.Wait() // it was killed
		d, err := Open(path, Options{})
		if err != nil {
			t.Fatal(err)
		}
		mustCheck(t, d)
		for id := range acknowledged {
			if _, _, err := d.Report(t.Context(), "a", uuid.MustParse(id)); err != nil {
				t.Errorf("round %d: report %s: %v", round, id, err)
			}
		}
		if err := d.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

func writeUntilKilled(path string) {
	d, err := Open(path, Options{})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	for i := 0; ; i++ {
		r, err := d.CreateReport(context.Background(), "a", db.NewReport{URL: fmt.Sprintf("https://example.com/%d", i)})
		if err != nil {
			os.Exit(1)
		}
		fmt.Printf("+%s\n", r.ID)
		if i%3 == 0 && d.DeleteReport(context.Background(), "a", r.ID, nil) == nil {
			fmt.Printf("-%s\n", r.ID)
		}
	}
}
