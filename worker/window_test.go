package worker

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"sitegrade/db"
	"sitegrade/db/bolt"
)

// waitingFor returns entries of "account host" or "account host/path" each, in that order. A schedule asked for those with "~" before them.
func waitingFor(pages ...string) []*entry {
	var entries []*entry
	for _, p := range pages {
		p, isBackground := strings.CutPrefix(p, "~")
		account, address, _ := strings.Cut(p, " ")
		host, _, hasPath := strings.Cut(address, "/")
		if !hasPath {
			address = host + "/" + uuid.NewString()
		}
		job := db.Job{Account: account, ID: uuid.New(), URL: "https://" + address}
		if isBackground {
			job.Queued = db.Background
		}
		entries = append(entries, &entry{account: account, host: host, url: job.URL, jobs: []db.Job{job}})
	}
	return entries
}

func TestNextOfTheWindow(t *testing.T) {
	tests := []struct {
		name     string
		underWay []string
		silent   []string
		waiting  []string
		want     int
	}{
		{"nothing waits", nil, nil, nil, -1},
		{"the one that waits longest", nil, nil, []string{"a x", "b y"}, 0},
		{"the account with least under way", []string{"a x", "a y", "b z"}, nil, []string{"a v", "b w"}, 1},
		{"the account before the host", []string{"a x", "b y"}, nil, []string{"a v", "c y"}, 1},
		{"the host with least under way", []string{"a x"}, nil, []string{"a x", "a x", "a y", "a z"}, 2},
		{"not of a host that has all it may", []string{"b x", "b x"}, nil, []string{"a x", "b y"}, 1},
		{"another of a host that has one less", []string{"b x"}, nil, []string{"a x"}, 0},
		{"hosts are busy for all accounts", []string{"b x", "c x"}, nil, []string{"a x"}, -1},
		{"not an address that is under way", []string{"b x/1"}, nil, []string{"a x/1", "a x/2"}, 1},
		{"an account that is alone has half", []string{"a 1", "a 2", "a 3"}, nil, []string{"a x"}, 0},
		{"and not more", []string{"a 1", "a 2", "a 3", "a 4"}, nil, []string{"a x"}, -1},
		{"while there is a place for another", []string{"a 1", "a 2", "a 3", "a 4"}, nil, []string{"a x", "b y"}, 1},
		{"the last place", []string{"a 1", "a 2", "a 3", "a 4", "b 5", "b 6", "c 7"}, nil, []string{"a x", "b x", "c x", "d x"}, 3},
		{"all places are taken", []string{"a 1", "a 2", "a 3", "a 4", "b 5", "b 6", "c 7", "d 8"}, nil, []string{"e x"}, -1},
		{"people before schedules", []string{"a x"}, nil, []string{"~b y", "a z"}, 1},
		{"an address of a schedule", nil, nil, []string{"~a x"}, 0},
		{"schedules have three quarters", []string{"~a 1", "~b 2", "~c 3", "~d 4", "~e 5"}, nil, []string{"~f x"}, 0},
		{"and not more", []string{"~a 1", "~b 2", "~c 3", "~d 4", "~e 5", "~f 6"}, nil, []string{"~g x"}, -1},
		{"which leaves a place", []string{"~a 1", "~b 2", "~c 3", "~d 4", "~e 5", "~f 6"}, nil, []string{"~g x", "a x"}, 1},
		{"to the account of the schedules too", []string{"~a 1", "~a 2", "~a 3"}, nil, []string{"~a 4", "a x"}, 1},
		{"schedules of an account have half of theirs", []string{"~a 1", "~a 2", "~a 3"}, nil, []string{"~a x", "~b y"}, 1},
		{"schedules leave a place of a host", []string{"~a x"}, nil, []string{"~b x", "b x"}, 1},
		{"schedules do not count for people", []string{"~a 1", "~a 2", "b 3"}, nil, []string{"b x", "a y"}, 1},
		{"silent hosts go last", nil, []string{"x"}, []string{"a x", "a y"}, 1},
		{"unless their account has less under way", []string{"b z"}, []string{"x"}, []string{"b y", "a x"}, 1},
		{"a silent host has one at a time", []string{"b x"}, []string{"x"}, []string{"a x"}, -1},
		{"silent hosts have a quarter", []string{"a 1"}, []string{"1", "2"}, []string{"b 2"}, 0},
		{"and not more", []string{"a 1", "b 2"}, []string{"1", "2", "3"}, []string{"c 3"}, -1},
	}
	now := time.Now()
	for _, test := range tests {
		l := newLoad(8, 2)
		for _, host := range test.silent {
			l.note(host, false, now)
		}
		for _, e := range waitingFor(test.underWay...) {
			l.begin(e, now)
		}
		v := window{entries: waitingFor(test.waiting...)}
		if got := v.next(&l, now); got != test.want {
			t.Errorf("%s: %d, want %d", test.name, got, test.want)
		}
	}
}

func TestLoadEndsAsItBegan(t *testing.T) {
	now := time.Now()
	l := newLoad(8, 2)
	l.note("y", false, now)
	underWay := waitingFor("a x", "a y", "b x")
	for _, e := range underWay {
		l.begin(e, now)
	}
	l.note("y", true, now)
	for _, e := range underWay {
		l.end(e)
	}
	if l.audits != 0 || l.ofSilent != 0 || len(l.accounts)+len(l.hosts)+len(l.addresses)+len(l.silent) != 0 {
		t.Errorf("%+v is left", l)
	}
}

func TestSilenceEnds(t *testing.T) {
	now := time.Now()
	l := newLoad(8, 2)
	l.note("x", false, now)
	l.note("y", false, now)
	l.note("y", true, now)
	if l.isSilent("y", now) || !l.isSilent("x", now.Add(silentFor-1)) || l.isSilent("x", now.Add(silentFor)) {
		t.Errorf("silent until %v, noted at %v", l.silent, now)
	}
	for i := range maxSilent {
		l.note(fmt.Sprint(i), false, now)
	}
	if _, known := l.silent[fmt.Sprint(maxSilent-1)]; known || len(l.silent) != maxSilent {
		t.Errorf("%d silent hosts are remembered", len(l.silent))
	}
	l.note("later", false, now.Add(silentFor))
	if len(l.silent) != 1 {
		t.Errorf("%d hosts are remembered after their time", len(l.silent))
	}
}

func TestFairest(t *testing.T) {
	tests := []struct {
		name    string
		size    int
		waiting []string
		want    []int
	}{
		{"nothing", 2, nil, nil},
		{"all that there is", 3, []string{"a x", "b y"}, []int{0, 1}},
		{"one of each account first", 2, []string{"a x", "a y", "b z"}, []int{0, 2}},
		{"one of each account at least", 1, []string{"a x", "b y", "c z", "c z"}, []int{0, 1, 2}},
		{"one of each host of an account next", 3, []string{"a x", "a x", "a y", "a y", "a z"}, []int{0, 2, 4}},
		{"accounts by turns", 4, []string{"a x", "a x", "a x", "a y", "b z", "b z"}, []int{0, 3, 4, 5}},
		{"what waits longest of a host", 3, []string{"a x", "a x", "a x", "b x"}, []int{0, 1, 3}},
	}
	for _, test := range tests {
		entries := waitingFor(test.waiting...)
		kept, left := fairest(entries, test.size)
		var got []int
		for _, e := range kept {
			got = append(got, slices.Index(entries, e))
		}
		if !slices.Equal(got, test.want) || len(kept)+len(left) != len(entries) {
			t.Errorf("%s: %v, want %v, and %d are left", test.name, got, test.want, len(left))
		}
	}
}

// offered returns what a selection has chosen of these pages, as waitingFor takes them: "url xjobs" of each entry.
func offered(s *selection, pages ...string) []string {
	for _, e := range waitingFor(pages...) {
		s.offer(e.jobs[0])
	}
	var chosen []string
	for _, e := range s.entries {
		chosen = append(chosen, fmt.Sprintf("%s x%d", strings.TrimPrefix(e.url, "https://"), len(e.jobs)))
	}
	return chosen
}

func TestSelection(t *testing.T) {
	tests := []struct {
		name    string
		waiting []string
		want    []string
		isPart  bool
	}{
		{"all that there is", []string{"a x/1", "a x/2", "a y/1"}, []string{"x/1 x1", "x/2 x1", "y/1 x1"}, false},
		{"of a host no more than its share", []string{"a x/1", "a x/2", "a x/3", "a x/4", "a y/1"}, []string{"x/1 x1", "x/2 x1", "x/3 x1", "y/1 x1"}, true},
		{"one address is one entry", []string{"a x/1", "a x/1", "a x/2", "a x/3", "a x/1"}, []string{"x/1 x3", "x/2 x1", "x/3 x1"}, false},
		{"so many share", []string{"a x/1", "a x/1", "a x/1", "a y/1", "a y/1"}, []string{"x/1 x3", "y/1 x1"}, true},
		{"the more hosts the less of each", []string{"a x/1", "a x/2", "a x/3", "a y/1", "a y/2", "a y/3", "a z/1", "a w/1", "a x/4", "a y/4"},
			[]string{"x/1 x1", "y/1 x1", "z/1 x1", "w/1 x1"}, true},
	}
	for _, test := range tests {
		s := newSelection(4, 3, 2)
		if got := offered(s, test.waiting...); !slices.Equal(got, test.want) || s.isPart != test.isPart {
			t.Errorf("%s: %v, a part: %v", test.name, got, s.isPart)
		}
	}
}

// However long the rows are that stand before it, a host is seen, and the memory stays bounded.
func TestSelectionOfManyHosts(t *testing.T) {
	s := newSelection(10, 5, 0)
	for i := range 3000 {
		host := fmt.Sprint(i % 30)
		if i == 2999 {
			host = "last"
		}
		s.offer(db.Job{Account: "a", ID: uuid.New(), URL: fmt.Sprintf("https://%s/%d", host, i)})
		if n := len(s.entries); n >= 20 || n != len(s.byURL) {
			t.Fatalf("%d entries, %d of them known, after %d jobs", n, len(s.byURL), i+1)
		}
	}
	if last := s.entries[len(s.entries)-1]; last.host != "last" || !s.isPart {
		t.Errorf("the last is of %s, a part: %v", last.host, s.isPart)
	}
}

// The queue is read in pages, each job once, without those whose audit is under way.
func TestReadingTheQueue(t *testing.T) {
	b := newBench(t, bolt.Options{})
	var pages []string
	for i := range 25 {
		pages = append(pages, fmt.Sprintf("https://host%d.example/", i))
	}
	ids := b.createAll("default", pages...)
	w := New(b.store, b.auditor, Options{})
	w.readPage = 10
	for _, running := range []int{0, 1} {
		if running > 0 {
			w.running[db.ReportKey{Account: "default", ID: ids[3]}] = db.Job{}
		}
		entries, isPart, err := w.choose(b.ctx)
		jobs := 0
		for _, e := range entries {
			jobs += len(e.jobs)
		}
		if want := len(ids) - running; err != nil || isPart || len(entries) != want || jobs != want {
			t.Errorf("%d entries of %d jobs, want %d (a part: %t, %v)", len(entries), jobs, want, isPart, err)
		}
	}
}

func TestHostsAreBusyWithinBounds(t *testing.T) {
	b := newBench(t, bolt.Options{})
	gate := make(chan struct{})
	slow, quick := newSite(t, gate), newSite(t, nil)
	var ofSlow, ofQuick []uuid.UUID
	for i := range 8 {
		ofSlow = append(ofSlow, b.create(fmt.Sprintf("%s/%d", slow.URL, i)))
	}
	for i := range 4 {
		ofQuick = append(ofQuick, b.create(fmt.Sprintf("%s/%d", quick.URL, i)))
	}
	w, _ := b.start(Options{})
	b.arrival(slow)
	b.arrival(slow)
	b.wait(w, ofQuick...)
	close(gate)
	b.wait(w, ofSlow...)
	if all, peak := slow.requests(); all != 8 || peak != 2 {
		t.Errorf("%d requests to the slow host, %d at once; want 8, 2 at once", all, peak)
	}
}

// More reports of one host than a reading brings neither hide the report of another host, nor fill the memory, nor get lost.
func TestOneHostDoesNotHideAnother(t *testing.T) {
	b := newBench(t, bolt.Options{})
	gate := make(chan struct{})
	slow, quick := newSite(t, gate), newSite(t, nil)
	narrow := func() *Worker {
		w := New(b.store, b.auditor, Options{Grace: time.Millisecond})
		w.windowSize, w.hostShare = 20, 5
		return w
	}
	var ofSlow []uuid.UUID
	for i := range 60 {
		ofSlow = append(ofSlow, b.create(fmt.Sprintf("%s/%d", slow.URL, i)))
	}
	behind := b.create(quick.URL + "/")
	w := narrow()
	stop := b.run(w)
	b.wait(w, behind)
	b.wantStatus(behind, db.Done)
	stop()
	if n := len(w.window.entries); n > w.hostShare {
		t.Errorf("the window holds %d reports of one host", n)
	}

	close(gate)
	w = narrow()
	b.run(w)
	b.wait(w, ofSlow...)
	for _, id := range ofSlow {
		b.wantStatus(id, db.Done)
	}
	if all, _ := slow.requests(); all > len(ofSlow)+w.PerHost { // those that were broken off
		t.Errorf("%d requests for %d reports", all, len(ofSlow))
	}
}

// A host with a long row does not keep all places for itself.
func TestHostsTakeTurns(t *testing.T) {
	b := newBench(t, bolt.Options{})
	gate := make(chan struct{})
	first, second := newSite(t, gate), newSite(t, nil)
	const row = 50
	for i := range row {
		b.create(fmt.Sprintf("%s/%d", first.URL, i))
	}
	w, _ := b.start(Options{Audits: 4})
	b.arrival(first)
	b.arrival(first)
	late := b.create(second.URL + "/")
	waiting, answered := context.WithCancel(b.ctx)
	go func() { // lets the first host answer one by one while the other waits, and then at once
		defer close(gate)
		for {
			select {
			case gate <- struct{}{}:
			case <-waiting.Done():
				return
			}
		}
	}()
	b.wait(w, late)
	all, _ := first.requests()
	answered()
	b.wantStatus(late, db.Done)
	if all == row {
		t.Error("the other host came after the whole row of the first")
	}
}

func TestNoMoreAuditsThanAllowed(t *testing.T) {
	b := newBench(t, bolt.Options{})
	gate := make(chan struct{})
	var ids []uuid.UUID
	var sites []*site
	for range 8 {
		site := newSite(t, gate)
		sites = append(sites, site)
		ids = append(ids, b.create(site.URL+"/"))
	}
	w, stop := b.start(Options{Audits: 6})
	for _, site := range sites[:3] {
		b.arrival(site)
	}
	if n := w.Stats().Running; n != 3 {
		t.Errorf("%d audits of one account at once, want half of what there may be", n)
	}
	close(gate)
	b.wait(w, ids...)
	stop()
	if s := w.Stats(); s.Done != 8 || s.Running != 0 {
		t.Errorf("stats %+v", s)
	}
}
