package bolt

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"sitegrade/db/dbtest"
	"sitegrade/db/internal/issues"
)

// TestCheckFindsDamagedCrawls spoils what is kept of crawls, and of which checks fail, and looks whether the check says so.
func TestCheckFindsDamagedCrawls(t *testing.T) {
	data := func(a *accountTx, id uuid.UUID, kind string) []byte { return append(id[:], kind...) }
	for want, spoil := range map[string]func(a *accountTx, done uuid.UUID) error{
		"crawls_open lacks": func(a *accountTx, _ uuid.UUID) error { return emptied(a.bucket(crawlsOpenBucket)) },
		"crawls_open has":   func(a *accountTx, done uuid.UUID) error { return a.bucket(crawlsOpenBucket).Put(done[:], nil) },
		"crawls_of lacks": func(a *accountTx, _ uuid.UUID) error {
			key, _ := onlyEntry(a.bucket(crawlsOfBucket))
			return a.bucket(crawlsOfBucket).Delete(key)
		},
		"crawls_of has":        func(a *accountTx, done uuid.UUID) error { return a.bucket(crawlsOfBucket).Put(make([]byte, 32), nil) },
		"is damaged":           func(a *accountTx, done uuid.UUID) error { return a.bucket(crawlsBucket).Put(done[:], []byte("{")) },
		"has 256 pages":        func(a *accountTx, done uuid.UUID) error { return dropLast(a, data(a, done, "p\x00\x00c")) },
		"has 256 links":        func(a *accountTx, done uuid.UUID) error { return dropLast(a, data(a, done, "l\x00\x00r")) },
		"has 0 folders, not 1": func(a *accountTx, done uuid.UUID) error { return dropLast(a, data(a, done, "f\x00\x00c")) },
		"the columns of a crawl": func(a *accountTx, done uuid.UUID) error {
			return changeFirst(a, data(a, done, "p"), func(v []byte) []byte { return v[:len(v)-1] })
		},
		"the columns of row 0 are {200 0 https": func(a *accountTx, done uuid.UUID) error {
			return changeFirst(a, data(a, done, "p"), func(v []byte) []byte { v[4] = 0; return v })
		},
		"issues broken-target, not 2": func(a *accountTx, done uuid.UUID) error {
			return changeStored(a, done, func(c map[string]any) { c["Issues"].(map[string]any)["broken-target"] = 2 })
		},
		"issues duplicate-h1, not 1": func(a *accountTx, done uuid.UUID) error {
			return changeStored(a, done, func(c map[string]any) { c["Issues"].(map[string]any)["duplicate-h1"] = 1 })
		},
		"belongs to no list": func(a *accountTx, done uuid.UUID) error {
			return changeStored(a, done, func(c map[string]any) { delete(c["Issues"].(map[string]any), "broken-target") })
		},
		"has 1 batches of visits, not 0": func(a *accountTx, _ uuid.UUID) error {
			key, _ := onlyEntry(a.bucket(crawlsOpenBucket))
			return a.bucket(crawlDataBucket).Put(append(key, "v\x00\x00\x00\x00"...), nil)
		},
		"something of 00000000": func(a *accountTx, _ uuid.UUID) error { return a.bucket(crawlDataBucket).Put(make([]byte, 21), nil) },
		"failing has report": func(a *accountTx, _ uuid.UUID) error {
			return a.bucket(failingBucket).Put(append(numberKey(1), uuid.Max[:]...), nil)
		},
		"failing_counts of project": func(a *accountTx, _ uuid.UUID) error { return emptied(a.bucket(failingBucket)) },
		"failing_counts has project": func(a *accountTx, _ uuid.UUID) error {
			return a.bucket(failingCountsBucket).Put(numberKey(99), make([]byte, 12))
		},
	} {
		t.Run(want, func(t *testing.T) {
			d, err := Open(filepath.Join(t.TempDir(), "sitegrade.db"), Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer d.Close()
			for _, path := range []string{"1", "2"} {
				r := create(t, d, "https://example.com/"+path)
				dbtest.Again(t, d, r, dbtest.Graded(r.URL, 50, r.CreatedAt, "h1 failed", "hsts failed"), nil)
			}
			done := dbtest.FillCrawls(t, d, 300)
			d.purging.Wait()
			mustCheck(t, d)
			if err := d.add(t.Context(), "a", func(a *accountTx) error { return spoil(a, done) }); err != nil {
				t.Fatal(err)
			}
			result, err := d.Check(t.Context())
			if err != nil || !strings.Contains(strings.Join(result.Differences, "\n"), want) {
				t.Errorf("the check says %q, %v", result.Differences, err)
			}
		})
	}
}

// dropLast removes the last entry of a crawl's data that begins so.
func dropLast(a *accountTx, prefix []byte) error {
	var last []byte
	c := a.bucket(crawlDataBucket).Cursor()
	for k, _ := c.Seek(prefix); bytes.HasPrefix(k, prefix); k, _ = c.Next() {
		last = slices.Clone(k)
	}
	return a.bucket(crawlDataBucket).Delete(last)
}

// changeFirst changes the first entry of a crawl's data that begins so.
func changeFirst(a *accountTx, prefix []byte, change func([]byte) []byte) error {
	k, v := a.bucket(crawlDataBucket).Cursor().Seek(prefix)
	return a.bucket(crawlDataBucket).Put(slices.Clone(k), change(slices.Clone(v)))
}

// changeStored changes a crawl as it is stored.
func changeStored(a *accountTx, id uuid.UUID, change func(map[string]any)) error {
	var c map[string]any
	if err := json.Unmarshal(a.bucket(crawlsBucket).Get(id[:]), &c); err != nil {
		return err
	}
	change(c)
	stored, err := json.Marshal(c)
	if err != nil {
		return err
	}
	return a.bucket(crawlsBucket).Put(id[:], stored)
}

// TestReportsOfAnEarlierVersionAreCounted opens a file whose reports were stored before it was noted what fails on them; some have been audited since.
func TestReportsOfAnEarlierVersionAreCounted(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sitegrade.db")
	d := mustOpen(t, path)
	var lines strings.Builder
	for i := range 450 {
		line := map[string]any{"kind": "report", "project": []string{"few", "many"}[min(i/10, 1)], "url": "https://example.com/", "result": "bad"}
		if i%3 > 0 {
			line["checks"] = []map[string]any{{"id": "h1", "status": "failed"}, {"id": "hsts", "status": []string{"failed", "passed"}[i%2]}}
		}
		text, err := json.Marshal(line)
		if err != nil {
			t.Fatal(err)
		}
		lines.Write(append(text, '\n'))
	}
	importAll(t, d, "a", lines.String())
	named := func() (all []string) {
		t.Helper()
		for _, project := range []string{"few", "many"} {
			page, err := d.Issues(t.Context(), "a", project, query(nil))
			if err != nil {
				t.Fatal(err)
			}
			for _, i := range page.Rows {
				all = append(all, string(i.AppendJSON(nil)))
			}
		}
		return all
	}
	want := named()
	if len(want) != 4 {
		t.Fatalf("imported they are %v", want)
	}
	if err := d.add(t.Context(), "a", func(a *accountTx) error { return forgetFailing(a, 2) }); err != nil {
		t.Fatal(err)
	}
	if slices.Equal(named(), want) {
		t.Fatal("nothing was forgotten")
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	d = mustOpen(t, path)
	defer d.Close()
	d.purging.Wait()
	if got := named(); !slices.Equal(got, want) {
		t.Errorf("counted are %v, not %v", got, want)
	}
	mustCheck(t, d)
}

// forgetFailing forgets what fails on all reports but each so-manyth.
func forgetFailing(a *accountTx, but int) error {
	var ids []uuid.UUID
	if err := a.bucket(reportsBucket).ForEach(func(id, _ []byte) error {
		ids = append(ids, uuid.UUID(id))
		return nil
	}); err != nil {
		return err
	}
	for i, id := range ids {
		r, err := a.record(id)
		if err != nil {
			return err
		}
		if i%but == 0 {
			continue
		}
		if err := issues.Remove(a.tenant(), r.Project, id); err != nil {
			return err
		}
	}
	return nil
}
