package main

import (
	"fmt"
	"runtime"
	"slices"
	"sync"
	"time"
)

// sample is what was measured of one thing.
type sample struct {
	p50, p99  time.Duration
	perSecond float64
}

// recorder collects how long single calls took, and how long all of them together.
type recorder struct {
	mu    sync.Mutex
	took  []time.Duration
	total time.Duration // wall time
}

func (r *recorder) sample() sample {
	if len(r.took) == 0 {
		return sample{}
	}
	slices.Sort(r.took)
	return sample{
		p50: r.took[len(r.took)/2], p99: r.took[min(len(r.took)-1, len(r.took)*99/100)],
		perSecond: float64(len(r.took)) / r.total.Seconds(),
	}
}

// limits say how long a thing is measured.
type limits struct {
	budget     time.Duration // of all rounds together
	iterations int           // at least so many where the budget allows
}

// rounds is how often the engines take turns at a kind, so that a noisy moment of the machine does not hit one of them alone.
const rounds = 3

// subject is one of the things that are measured in turns.
type subject struct {
	name string
	call func() error
}

// inTurns measures the subjects alternately with so many callers at a time. Each gets one round to warm up that does not count.
func inTurns(subjects []subject, callers int, l limits) (map[string]sample, error) {
	samples := make(map[string]sample, len(subjects))
	recorders := make([]recorder, len(subjects))
	for round := range rounds + 1 {
		for i, s := range subjects {
			into, budget := &recorders[i], l.budget/rounds
			if round == 0 {
				into, budget = &recorder{}, l.budget/10
			}
			runtime.GC()
			if err := into.run(s.call, callers, budget, l.iterations/rounds); err != nil {
				return nil, fmt.Errorf("%s: %w", s.name, err)
			}
		}
	}
	for i, s := range subjects {
		samples[s.name] = recorders[i].sample()
	}
	return samples, nil
}

// run calls until the budget is used up, or earlier once there are plenty of calls for a median and a 99th percentile.
func (r *recorder) run(call func() error, callers int, budget time.Duration, iterations int) error {
	const enough = 2000 // of calls, at most a fifth of the budget
	began := time.Now()
	var all sync.WaitGroup
	failures := make(chan error, callers)
	for range callers {
		all.Go(func() {
			took := make([]time.Duration, 0, max(iterations, 64))
			for n := 0; n == 0 || !spent(n, time.Since(began), budget, iterations, enough); n++ {
				start := time.Now()
				if err := call(); err != nil {
					failures <- err
					return
				}
				took = append(took, time.Since(start))
			}
			r.mu.Lock()
			r.took = append(r.took, took...)
			r.mu.Unlock()
		})
	}
	all.Wait()
	r.total += time.Since(began)
	close(failures)
	return <-failures // nil when nobody failed
}

// spent says that a caller has called long or often enough.
func spent(calls int, passed, budget time.Duration, iterations, enough int) bool {
	return passed >= budget || (calls >= iterations && passed >= budget/5) || calls >= enough
}

// openLoop calls so many times a second, whether or not the earlier calls have returned, as clients do that know nothing of each other.
// A call takes from the moment at which it was due: what waits behind a slow one counts as slow, too.
func openLoop(perSecond int, length time.Duration, call func(n int) error) (sample, error) {
	step := time.Second / time.Duration(perSecond)
	calls := int(length / step)
	failures := make(chan error, calls)
	var r recorder
	var all sync.WaitGroup
	began := time.Now()
	for n := range calls {
		due := began.Add(time.Duration(n) * step)
		time.Sleep(time.Until(due))
		all.Go(func() {
			if err := call(n); err != nil {
				failures <- err
			}
			r.mu.Lock()
			defer r.mu.Unlock()
			r.took = append(r.took, time.Since(due))
		})
	}
	all.Wait()
	r.total = time.Since(began)
	close(failures)
	return r.sample(), <-failures // nil when nobody failed
}
