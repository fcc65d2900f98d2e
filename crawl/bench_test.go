package crawl

import (
	"flag"
	"fmt"
	"runtime"
	"testing"
	"time"

	"sitegrade/weburl"
)

var pagesOfFrontier = flag.Int("frontier.pages", 10_000, "pages that the benchmark of a frontier crawls")

// BenchmarkFrontier crawls a site of pages with a hundred links each, in memory, and rates it: what the frontier costs without requests and
// audits. MB is what it holds in the end.
func BenchmarkFrontier(b *testing.B) {
	n := *pagesOfFrontier
	for b.Loop() {
		f := New(Options{MaxPages: n}, weburl.Restore(fakeBase+"/page/0/"))
		now := time.Unix(1e9, 0)
		for {
			next, _, ok := f.Next(now)
			if !ok {
				break
			}
			f.Done(benchVisit(next, n))
		}
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		b.ReportMetric(float64(m.HeapAlloc)/(1<<20), "MB")
		began := time.Now()
		if sum := f.Findings().Summary(); sum.Pages != n {
			b.Fatalf("%d pages of %d: %v", sum.Pages, n, f.Progress())
		}
		b.ReportMetric(time.Since(began).Seconds(), "s/findings")
		runtime.ReadMemStats(&m)
		b.ReportMetric(float64(m.Sys)/(1<<20), "MBsys")
	}
}

// benchVisit returns what is seen at an address: forty links of the navigation, and sixty to pages near it.
func benchVisit(a Address, n int) Visit {
	v := Visit{URL: a.URL.String(), Kind: a.Kind, Status: 404}
	if a.Kind != Page {
		return v
	}
	var k int
	fmt.Sscanf(a.URL.Path(), "/page/%d/", &k)
	v.Status, v.IsPage, v.Report, v.Score, v.Words = 200, true, "018f2c4e-0000-7000-8000-000000000000", 80, 400
	v.Title = fmt.Sprintf("The title of the page with the number %d", k)
	v.Description = fmt.Sprintf("What there is to say of the page with the number %d, in about as many words as descriptions have.", k)
	v.H1, v.TextHash = v.Title, fmt.Sprintf("%064x", k)
	v.SimHash = uint64(k) * 0x9e3779b97f4a7c15
	v.Canonical = v.URL
	for i := range 100 {
		to := i
		if i >= 40 {
			to = (10*k + i) % n
		}
		v.Links = append(v.Links, Link{Target: fmt.Sprintf("%s/page/%d/", fakeBase, to), Text: fmt.Sprintf("Page %d", to), Line: 20 + i})
	}
	return v
}

func BenchmarkSimHash(b *testing.B) {
	page := text(1, 3700)
	for b.Loop() {
		SimHash(page)
	}
}
