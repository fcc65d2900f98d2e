package cli

import (
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync"
	"testing"
	"time"
)

var crashRounds = flag.Int("crash.rounds", 5, "how often the tests of killed servers kill them")

const (
	crashClients = 4
	wholeEvery   = 20 // rounds from one comparison of everything to the next; the others compare what the last round touched
)

// TestKilledServerLosesNothing starts the real binary, lets several clients write to it over HTTP, kills it at a random moment, starts
// it again, and compares all that was acknowledged with what is there. More rounds: go test ./cli -run KilledServer -crash.rounds 200
func TestKilledServerLosesNothing(t *testing.T) {
	t.Parallel() // it mostly waits
	c := newCrash(t, crashClients)
	for round := range *crashRounds {
		c.start()
		c.compare(round%wholeEvery == 0)
		c.writeUntilKilled()
		if t.Failed() {
			t.Fatalf("in round %d", round)
		}
	}
	c.start()
	c.compare(true)
	c.kill()
	t.Logf("%d rounds, %d acknowledged writes, %d repeated because of a kill, %d reports compared at the end", *crashRounds, c.written(), c.repeated(), c.live())
}

// crash is a server that ends again and again while clients write to it, with what is known of it.
type crash struct {
	*program
	site    string
	clients []*crashClient
}

func newCrash(t *testing.T, clients int) *crash {
	t.Helper()
	site := httptest.NewServer(testSite())
	t.Cleanup(site.Close)
	c := &crash{program: newProgram(t), site: site.URL}
	for i := range clients {
		c.clients = append(c.clients, &crashClient{crash: c, number: i, reports: map[string]*crashReport{}, touched: map[string]bool{}})
	}
	return c
}

// writeUntilKilled lets all clients write, and kills the server while they do.
func (c *crash) writeUntilKilled() {
	var writing sync.WaitGroup
	for _, client := range c.clients {
		clear(client.touched)
		writing.Go(client.write)
	}
	<-time.After(time.Duration(1+rand.IntN(400)) * time.Millisecond)
	c.kill()
	writing.Wait()
}

// compare finishes what the kill interrupted and holds that everything acknowledged is there, and nothing else.
func (c *crash) compare(everything bool) {
	c.t.Helper()
	var comparing sync.WaitGroup
	for _, client := range c.clients {
		comparing.Go(func() {
			client.repeat()
			client.compare(everything)
		})
	}
	comparing.Wait()
	var list struct{ Meta struct{ Total int } }
	if status := c.do("GET", "/reports", "", nil, &list); status != http.StatusOK || list.Meta.Total != c.live() {
		c.t.Errorf("the list has %d reports (%d), not %d", list.Meta.Total, status, c.live())
	}
	c.check()
}

func (c *crash) live() (n int) {
	for _, client := range c.clients {
		n += len(client.reports)
	}
	return n
}

func (c *crash) written() (n int) {
	for _, client := range c.clients {
		n += client.acknowledged
	}
	return n
}

func (c *crash) repeated() (n int) {
	for _, client := range c.clients {
		n += client.repeats
	}
	return n
}

// crashReport is what was acknowledged of a report.
type crashReport struct {
	url       string
	privacy   int
	generated string // when it was seen done; "" before that
}

// crashAnswer is what the API says of a report.
type crashAnswer struct {
	Data struct {
		ID          string
		URL         string
		Privacy     int
		GeneratedAt string `json:"generated_at"`
	}
}

// crashWrite is a write that may not have been acknowledged.
type crashWrite struct {
	method  string
	id      string // empty for a create
	url     string
	privacy int
	key     string // of idempotency
}

// crashClient is one client, with the reports that it made.
type crashClient struct {
	*crash
	number       int
	made         int
	acknowledged int
	repeats      int
	reports      map[string]*crashReport
	touched      map[string]bool // ids of this round, with those that were deleted
	pending      *crashWrite     // was sent when the server died
}

// unanswered reports whether a write was not acknowledged: there was no answer, or the server said that it ends.
func unanswered(status int) bool { return status == 0 || status == http.StatusServiceUnavailable }

// write writes until the server does not answer.
func (k *crashClient) write() {
	for {
		k.pending = k.next()
		if !k.perform(k.pending, false) {
			return
		}
		k.pending = nil
		k.acknowledged++
	}
}

// next chooses a write: half of them make reports.
func (k *crashClient) next() *crashWrite {
	choice := rand.IntN(10)
	if id := k.anyReport(); id != "" && choice < 3 {
		return &crashWrite{method: "PUT", id: id, privacy: 1 - k.reports[id].privacy}
	} else if id != "" && choice < 5 {
		return &crashWrite{method: "DELETE", id: id}
	}
	k.made++
	name := fmt.Sprintf("%d-%d", k.number, k.made)
	return &crashWrite{method: "POST", url: k.site + "/good.html?" + name, key: name}
}

func (k *crashClient) anyReport() string {
	for id := range k.reports {
		return id
	}
	return ""
}

// repeat sends the write again whose answer the kill cut off. A create has the same idempotency key and must not make a second report.
func (k *crashClient) repeat() {
	if k.pending == nil {
		return
	}
	if !k.perform(k.pending, true) {
		k.t.Errorf("client %d cannot repeat %+v", k.number, *k.pending)
	}
	k.pending = nil
	k.repeats++
}

// perform sends a write and notes what was acknowledged. It says whether anything was.
func (k *crashClient) perform(w *crashWrite, again bool) bool {
	k.touched[w.id] = true
	switch w.method {
	case "POST":
		return k.create(w)
	case "PUT":
		return k.update(w)
	default:
		return k.delete(w, again)
	}
}

func (k *crashClient) create(w *crashWrite) bool {
	var answer crashAnswer
	status := k.do("POST", "/reports", w.key, url.Values{"url": {w.url}}, &answer)
	if unanswered(status) {
		return false
	}
	if status != http.StatusAccepted && status != http.StatusCreated || answer.Data.URL != w.url {
		k.t.Errorf("creating %s gives %d and %+v", w.url, status, answer)
	}
	k.touched[answer.Data.ID] = true
	k.reports[answer.Data.ID] = &crashReport{url: w.url}
	return true
}

func (k *crashClient) update(w *crashWrite) bool {
	var answer crashAnswer
	status := k.do("PUT", "/reports/"+w.id, "", url.Values{"privacy": {fmt.Sprint(w.privacy)}}, &answer)
	if unanswered(status) {
		return false
	}
	if status != http.StatusOK || answer.Data.Privacy != w.privacy {
		k.t.Errorf("updating %s gives %d and %+v", w.id, status, answer)
	}
	k.reports[w.id].privacy = w.privacy
	k.reports[w.id].generated = answer.Data.GeneratedAt
	return true
}

func (k *crashClient) delete(w *crashWrite, again bool) bool {
	status := k.do("DELETE", "/reports/"+w.id, "", nil, nil)
	if unanswered(status) {
		return false
	}
	if status != http.StatusNoContent && !(again && status == http.StatusNotFound) {
		k.t.Errorf("deleting %s gives %d", w.id, status)
	}
	delete(k.reports, w.id)
	return true
}

// compare holds that the reports are what was acknowledged: those of the last round, or all.
func (k *crashClient) compare(everything bool) {
	ids := maps.Clone(k.touched)
	if everything {
		for id := range k.reports {
			ids[id] = true
		}
	}
	delete(ids, "")
	for id := range ids {
		k.compareOne(id)
	}
}

func (k *crashClient) compareOne(id string) {
	var answer crashAnswer
	status := k.do("GET", "/reports/"+id, "", nil, &answer)
	want := k.reports[id]
	switch {
	case want == nil && status != http.StatusNotFound:
		k.t.Errorf("the deleted report %s is there: %d", id, status)
	case want == nil:
	case status != http.StatusOK || answer.Data.URL != want.url || answer.Data.Privacy != want.privacy:
		k.t.Errorf("report %s is %d %+v, not %+v", id, status, answer.Data, *want)
	case want.generated != "" && answer.Data.GeneratedAt != want.generated:
		k.t.Errorf("report %s was done at %s and is now at %q", id, want.generated, answer.Data.GeneratedAt)
	default:
		want.generated = answer.Data.GeneratedAt
	}
}
