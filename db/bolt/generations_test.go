package bolt

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"go.etcd.io/bbolt"

	"sitegrade/audit"
	"sitegrade/db"
	"sitegrade/db/dbtest"
	"sitegrade/sortfilter"
)

// audited returns findings with an outcome for every check, of which some differ from last's: a share of them, from 0 to 1.
func audited(pick *rand.Rand, last *audit.Report, share float64, at time.Time) *audit.Report {
	found := &audit.Report{URL: "https://example.com/", Redirects: []string{}, HTTPStatus: 200, Grader: audit.GraderVersion, GeneratedAt: at}
	for i, e := range audit.Explanations() {
		if e.Category == "" {
			continue
		}
		o := audit.Outcome{ID: e.ID, Category: e.Category, Severity: e.Severity, Evidence: []audit.Evidence{}}
		if last != nil && pick.Float64() >= share {
			o.Status, o.Unseen = last.Checks[i].Status, last.Checks[i].Unseen
		} else {
			o.Status = []audit.Status{audit.Passed, audit.Failed, audit.Warning, audit.NotApplicable}[pick.IntN(4)]
			if o.Status == audit.NotApplicable && pick.IntN(10) == 0 {
				o.Unseen = audit.UnseenTimeout
			}
		}
		found.Checks = append(found.Checks, o)
	}
	for _, id := range []string{"seo", "performance", "security", "html", "ai"} {
		score := pick.IntN(101)
		found.Categories = append(found.Categories, audit.Category{ID: id, Score: &score})
	}
	found.Score = pick.IntN(101)
	found.Result = audit.ResultOf(found.Score)
	return found
}

// TestGenerationsAreSmall audits one page each day for ten years, of which a few outcomes change each time, or every one. In the file that
// takes at most 75 bytes for each audit, by the pages that hold generations.
func TestGenerationsAreSmall(t *testing.T) {
	const audits, most = 3650, 75
	for name, share := range map[string]float64{"few outcomes change": 0.05, "all outcomes change": 1} {
		t.Run(name, func(t *testing.T) {
			d := open(t)
			pick := rand.New(rand.NewPCG(1, 2))
			r := create(t, d, "https://example.com/")
			var last *audit.Report
			at := time.Date(2016, 1, 2, 3, 4, 5, 0, time.UTC)
			var want []int
			for len(want) < audits {
				if err := d.add(t.Context(), "a", func(a *accountTx) error {
					for range 25 {
						at = at.Add(24*time.Hour + time.Duration(pick.IntN(120_000)-60_000)*time.Millisecond)
						last = audited(pick, last, share, at)
						want = append(want, last.Score)
						if err := addAudit(a, r.ID, last); err != nil {
							return err
						}
					}
					return nil
				}); err != nil {
					t.Fatal(err)
				}
			}
			bytes := pageBytes(t, d, generationsBucket) + pageBytes(t, d, checkListsBucket)
			t.Logf("%d generations take %d bytes: %.1f each", audits, bytes, float64(bytes)/audits)
			if bytes > audits*most {
				t.Errorf("%d generations take %d bytes, more than %d each", audits, bytes, most)
			}
			var got []int
			for page := 1; len(got) < audits; page++ {
				rows, err := d.Generations(t.Context(), "a", r.ID, sortfilter.Query{PerPage: 100, Page: page})
				if err != nil || len(rows.Rows) == 0 {
					t.Fatalf("page %d: %v", page, err)
				}
				for _, g := range rows.Rows {
					got = append(got, g.Score)
				}
			}
			if slices.Reverse(got); !slices.Equal(got, want) {
				t.Error("the scores are others")
			}
		})
	}
}

// addAudit does what FinishReport does in its transaction, but for the findings.
func addAudit(a *accountTx, id uuid.UUID, found *audit.Report) error {
	r, err := a.record(id)
	if err != nil {
		return err
	}
	done, next := *r, db.GenerationOf(found)
	done.Finish(db.Job{}, found, nil, found.GeneratedAt.UnixMilli())
	var x indexing
	return errors.Join(a.generations().Add(r, &next, 10), a.replaceRecord(r, &done, &x), x.apply(a))
}

// pageBytes returns the size of the pages that a bucket of the account "a" has.
func pageBytes(t *testing.T, d *DB, bucket accountBucket) (bytes int) {
	t.Helper()
	if err := d.view(t.Context(), "a", func(a *accountTx) error {
		s := a.bucket(bucket).Stats()
		bytes = (s.BranchPageN + s.BranchOverflowN + s.LeafPageN + s.LeafOverflowN) * os.Getpagesize()
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return bytes
}

// TestCheckFindsDamagedGenerations spoils what is kept of a report's generations, and looks whether the check says so.
func TestCheckFindsDamagedGenerations(t *testing.T) {
	for want, spoil := range map[string]func(a *accountTx) error{
		"begin with 2":    func(a *accountTx) error { return moveChunk(a, 2) },
		"too much":        addStranger,
		"is missing":      func(a *accountTx) error { return emptied(a.bucket(checkListsBucket)) },
		"damaged":         func(a *accountTx) error { return changeChunk(a, func(c []byte) []byte { return c[:len(c)-1] }) },
		"newest success":  func(a *accountTx) error { return changeChunk(a, func(c []byte) []byte { c[6] = 1; return c }) },
		"generation 3 of": func(a *accountTx) error { return addFindings(a, 3) },
		"generation 0 of": func(a *accountTx) error { return addFindings(a, 0) },
	} {
		t.Run(want, func(t *testing.T) {
			d, err := Open(filepath.Join(t.TempDir(), "sitegrade.db"), Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer d.Close()
			r := create(t, d, "https://example.com/")
			for range 3 {
				dbtest.Again(t, d, r, dbtest.Graded(r.URL, 50, time.Now(), "h1 failed"), nil)
			}
			if err := d.add(t.Context(), "a", spoil); err != nil {
				t.Fatal(err)
			}
			result, err := d.Check(t.Context())
			if err != nil || !strings.Contains(strings.Join(result.Differences, "\n"), want) {
				t.Errorf("the check says %q, %v", result.Differences, err)
			}
		})
	}
}

// onlyEntry returns the one entry of a bucket.
func onlyEntry(b *bbolt.Bucket) (key, value []byte) {
	k, v := b.Cursor().First()
	return slices.Clone(k), slices.Clone(v)
}

func emptied(b *bbolt.Bucket) error {
	key, _ := onlyEntry(b)
	return b.Delete(key)
}

func changeChunk(a *accountTx, change func([]byte) []byte) error {
	key, chunk := onlyEntry(a.bucket(generationsBucket))
	return a.bucket(generationsBucket).Put(key, change(chunk))
}

// addStranger has a chunk for a report that does not exist.
func addStranger(a *accountTx) error {
	key, chunk := onlyEntry(a.bucket(generationsBucket))
	return a.bucket(generationsBucket).Put(append(make([]byte, 16), key[16:]...), chunk)
}

// moveChunk has the only chunk begin with another number.
func moveChunk(a *accountTx, first byte) error {
	key, chunk := onlyEntry(a.bucket(generationsBucket))
	if err := a.bucket(generationsBucket).Delete(key); err != nil {
		return err
	}
	key[19] = ^first
	return a.bucket(generationsBucket).Put(key, chunk)
}

func addFindings(a *accountTx, number byte) error {
	key, _ := onlyEntry(a.bucket(generationsBucket))
	return a.bucket(foundBeforeBucket).Put(append(key[:16], 0, 0, 0, number), []byte("{}"))
}
