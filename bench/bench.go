package main

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"runtime/pprof"
	"slices"
	"strconv"
	"time"
)

// smallestSet is the smallest data set in which every kind of list still finds something.
const smallestSet = 2000

// smallSet is the size that the full one is compared with to see what grows.
const smallSet = 10_000

// bench is one run.
type bench struct {
	dir    string
	names  []string
	limits limits

	only    *regexp.Regexp // nil: everything
	profile string         // "": none
	inside  bool           // nothing over HTTP, and no deletion
}

// results are what a run found. Samples are by the name of the engine.
type results struct {
	set         *dataset
	engines     []string
	own         string // the product that the others are compared with; "" where it takes no part
	loads       map[string]load
	inProcess   []measured         // with the engines on the small set too, as smallName calls them
	overHTTP    map[int][]measured // by number of connections
	prepared    map[int]map[string]sample
	creates     map[int]map[string]sample // by number of clients
	shows       map[string]sample
	differences []string
	deletions   []deletion // of each product
}

// measured are the samples of a kind.
type measured struct {
	kind    kind
	own     string // as results have it
	samples map[string]sample
}

// load is how an engine took the data, and what it takes when it is idle, with the data and without.
type load struct {
	took        time.Duration
	size        int64
	idle, empty footprint
}

// environment are engines that hold the same data set.
type environment struct {
	set     *dataset
	engines []engine
}

// firstOf returns the first of names that is among others, or "".
func firstOf(names, others []string) string {
	for _, name := range names {
		if slices.Contains(others, name) {
			return name
		}
	}
	return ""
}

func smallName(engine string) string { return engine + " small" }

func (b *bench) run(n int) (r *results, err error) {
	if err := os.RemoveAll(b.dir); err != nil {
		return nil, err
	}
	r = &results{loads: map[string]load{}, overHTTP: map[int][]measured{}, prepared: map[int]map[string]sample{}, creates: map[int]map[string]sample{}}
	full, err := b.prepare("full", n, b.names, r)
	defer func() { err = errors.Join(err, full.close()) }()
	if err != nil {
		return nil, err
	}
	r.own = firstOf(products, b.names)
	var growing []string
	for _, e := range full.engines {
		r.engines = append(r.engines, e.name())
		if _, ok := e.(lister); ok && n > smallSet {
			growing = append(growing, e.name())
		}
	}
	small, err := b.prepare("small", min(n, smallSet), growing, nil)
	defer func() { err = errors.Join(err, small.close()) }()
	if err != nil {
		return nil, err
	}
	r.set = full.set
	steps := []func(*results, *environment, *environment) error{b.agree, b.measureInProcess}
	if !b.inside {
		steps = append(steps, b.measureHTTP)
	}
	switch {
	case b.only != nil:
	case b.inside:
		steps = append(steps, b.measureWrites)
	default:
		steps = append(steps, b.measurePrepared, b.measureWrites, b.measureDeletion)
	}
	stop, err := b.startProfile()
	if err != nil {
		return nil, err
	}
	defer stop()
	for _, step := range steps {
		if err := step(r, full, small); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// startProfile starts the profile that was asked for, if any, and gives what ends it.
func (b *bench) startProfile() (stop func(), err error) {
	if b.profile == "" {
		return func() {}, nil
	}
	file, err := os.Create(b.profile)
	if err != nil {
		return nil, err
	}
	if err := pprof.StartCPUProfile(file); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return func() {
		pprof.StopCPUProfile()
		_ = file.Close()
	}, nil
}

// wants reports whether a kind is to be measured.
func (b *bench) wants(k kind) bool { return b.only == nil || b.only.MatchString(k.name) }

// prepare makes a data set and loads it into the engines. Where r is not nil, it notes there how that went.
func (b *bench) prepare(label string, n int, names []string, r *results) (*environment, error) {
	dir := filepath.Join(b.dir, label)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return &environment{}, err
	}
	set, err := makeDataset(dir, n)
	if err != nil {
		return &environment{}, err
	}
	env := &environment{set: set}
	for _, name := range names {
		e, took, err := b.load(name, dir, set, r)
		if errors.Is(err, errNoPostgres) {
			say("%s is left out: %v", name, err)
			continue
		}
		if err != nil {
			return env, fmt.Errorf("%s: %w", name, err)
		}
		env.engines = append(env.engines, e)
		say("%s: %d reports loaded in %v", name, n, took.Round(time.Millisecond))
	}
	return env, nil
}

func say(format string, args ...any) { fmt.Fprintf(os.Stderr, format+"\n", args...) }

// load fills an engine and, where r is not nil, measures its footprint in between.
func (b *bench) load(name, dir string, set *dataset, r *results) (engine, time.Duration, error) {
	own := filepath.Join(dir, name)
	e := newEngine(name)
	if err := openNew(e, own); err != nil {
		return nil, 0, err
	}
	began := time.Now()
	if err := e.load(set.path); err != nil {
		return nil, 0, errors.Join(err, e.close())
	}
	took := time.Since(began)
	if r == nil {
		return e, took, nil
	}
	size, err := e.size()
	if err := errors.Join(err, e.close()); err != nil {
		return nil, 0, err
	}
	idle, err := measureFootprint(name, own)
	if err != nil {
		return nil, 0, err
	}
	empty, err := b.emptyFootprint(name, filepath.Join(dir, name+"-empty"))
	if err != nil {
		return nil, 0, err
	}
	r.loads[name] = load{took: took, size: size, idle: idle, empty: empty}
	return e, took, e.open(own)
}

func openNew(e engine, dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	return e.open(dir)
}

func (b *bench) emptyFootprint(name, dir string) (footprint, error) {
	e := newEngine(name)
	if err := openNew(e, dir); err != nil {
		return footprint{}, err
	}
	if err := e.close(); err != nil {
		return footprint{}, err
	}
	return measureFootprint(name, dir)
}

func (env *environment) close() error {
	var errs []error
	for _, e := range env.engines {
		errs = append(errs, e.close())
	}
	return errors.Join(errs...)
}

// measureInProcess asks every engine that can be asked so for all kinds of list, and those on the small set in the same turns.
func (b *bench) measureInProcess(r *results, full, small *environment) error {
	kinds, smallKinds := mix(full.set), mix(small.set)
	for i, k := range kinds {
		if !b.wants(k) {
			continue
		}
		subjects := listers(full.engines, k, func(name string) string { return name })
		subjects = append(subjects, listers(small.engines, smallKinds[i], smallName)...)
		samples, err := inTurns(subjects, 1, b.limits)
		if err != nil {
			return fmt.Errorf("%s: %w", k.name, err)
		}
		r.inProcess = append(r.inProcess, measured{k, r.own, samples})
		say("in process: %s: %v", k.name, samples[r.own].p50)
	}
	return nil
}

// listers returns the calls that ask the engines for a list.
func listers(engines []engine, k kind, label func(string) string) []subject {
	var subjects []subject
	for _, e := range engines {
		if l, ok := e.(lister); ok {
			subjects = append(subjects, subject{label(e.name()), func() error {
				_, err := l.list(k)
				return err
			}})
		}
	}
	return subjects
}

// connections are the numbers of connections that the lists are asked for over at the same time.
var connections = []int{1, 8}

// measureHTTP asks every engine's own handler for all kinds of list over kept-alive connections.
func (b *bench) measureHTTP(r *results, full, _ *environment) error {
	servers, err := serveAll(full.engines)
	if err != nil {
		return err
	}
	defer closeAll(servers)
	for _, n := range connections {
		for _, k := range mix(full.set) {
			if !b.wants(k) {
				continue
			}
			samples, err := b.overHTTP(servers, n, k)
			if err != nil {
				return fmt.Errorf("%s over HTTP: %w", k.name, err)
			}
			r.overHTTP[n] = append(r.overHTTP[n], measured{k, r.own, samples})
			say("over HTTP, %d connections: %s: %v", n, k.name, samples[r.own].p50)
		}
	}
	return nil
}

func serveAll(engines []engine) ([]*server, error) {
	var servers []*server
	for _, e := range engines {
		s, err := serve(e)
		if err != nil {
			closeAll(servers)
			return nil, err
		}
		servers = append(servers, s)
	}
	return servers, nil
}

func closeAll(servers []*server) {
	for _, s := range servers {
		_ = s.close()
	}
}

func (b *bench) overHTTP(servers []*server, callers int, k kind) (map[string]sample, error) {
	var subjects []subject
	for _, s := range servers {
		pool, err := newPool(s, callers)
		if err != nil {
			return nil, err
		}
		defer pool.close()
		request := s.request(k)
		subjects = append(subjects, subject{s.engine.name(), func() error { return pool.get(request, io.Discard) }})
	}
	return inTurns(subjects, callers, b.limits)
}

// measurePrepared compares the newest page with a handler that writes the same bytes and does nothing else.
func (b *bench) measurePrepared(r *results, full, _ *environment) error {
	for _, e := range full.engines {
		if e.name() != "sitegrade" {
			continue
		}
		product, err := serve(e)
		if err != nil {
			return err
		}
		defer product.close()
		body, err := product.body(kind{query: newest()})
		if err != nil {
			return err
		}
		prepared, err := serve(&preparedBytes{engine: e, body: body})
		if err != nil {
			return err
		}
		defer prepared.close()
		for _, n := range connections {
			if r.prepared[n], err = b.overHTTP([]*server{product, prepared}, n, kind{query: newest()}); err != nil {
				return err
			}
		}
	}
	return nil
}

// preparedBytes answers every request with the same bytes.
type preparedBytes struct {
	engine
	body []byte
}

func (p *preparedBytes) name() string { return "prepared" }

func (p *preparedBytes) handler() (http.Handler, error) {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Length", strconv.Itoa(len(p.body)))
		_, _ = w.Write(p.body) // the client is gone where this fails
	}), nil
}

// measureWrites comes last, since it changes what the engines hold.
func (b *bench) measureWrites(r *results, full, _ *environment) (err error) {
	if r.shows, err = shows(full.engines, full.set, b.limits); err != nil {
		return fmt.Errorf("shows: %w", err)
	}
	floor, err := openFloor(b.dir)
	if err != nil {
		return fmt.Errorf("bbolt's floor: %w", err)
	}
	defer func() { err = errors.Join(err, floor.close()) }()
	writes := b.limits
	writes.budget *= 3 // disks are less steady than processors
	for _, clients := range createClients {
		if r.creates[clients], err = creates(full.engines, full.set, floor, clients, writes); err != nil {
			return fmt.Errorf("creates by %d: %w", clients, err)
		}
		say("creates by %d clients: %.0f/s", clients, r.creates[clients][r.own].perSecond)
	}
	return nil
}
