package main

import (
	"flag"
	"fmt"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

var (
	createsOf     = flag.String("of", "sitegrade", "which engine BenchmarkCreates measures")
	storedReports = flag.Int("stored", 20_000, "how many reports BenchmarkCreates finds stored")
)

// BenchmarkCreates creates reports in all projects of a store that has others, by so many clients at a time:
//
//	go test -tags sqlite_fts5 -run xxx -bench Creates -benchtime 100000x -stored 300000 -cpuprofile out.prof
func BenchmarkCreates(b *testing.B) {
	set, err := makeDataset(b.TempDir(), *storedReports)
	if err != nil {
		b.Fatal(err)
	}
	s := newEngine(*createsOf)
	if err := openNew(s, filepath.Join(openTempDir(b), s.name())); err != nil {
		b.Fatal(err)
	}
	if err := s.load(set.path); err != nil {
		b.Fatal(err)
	}
	var made atomic.Int64
	for _, clients := range createClients {
		b.Run(fmt.Sprintf("clients=%d", clients), func(b *testing.B) {
			took := make([]time.Duration, b.N)
			var next atomic.Int64
			var all sync.WaitGroup
			began := processorTime(b)
			b.ReportAllocs()
			b.ResetTimer()
			for range clients {
				all.Go(func() {
					for i := next.Add(1) - 1; i < int64(b.N); i = next.Add(1) - 1 {
						n := made.Add(1)
						start := time.Now()
						if err := s.create(fmt.Sprintf("https://%s/created/page-%d.html", set.ranked[int(n*7919)%len(set.ranked)].name, n)); err != nil {
							b.Error(err)
							return
						}
						took[i] = time.Since(start)
					}
				})
			}
			all.Wait()
			b.StopTimer()
			slices.Sort(took)
			b.ReportMetric(float64((processorTime(b)-began).Microseconds())/float64(b.N), "cpu-µs/op")
			b.ReportMetric(float64(took[b.N*99/100].Microseconds())/1000, "p99-ms")
		})
	}
	if err := s.close(); err != nil {
		b.Fatal(err)
	}
}

// processorTime returns what the process has used of the processors.
func processorTime(b *testing.B) time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		b.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
