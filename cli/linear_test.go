package cli

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"

	"sitegrade/db/postgres/pgtest"
)

const (
	linearReports = 40
	linearClients = 8
	linearSteps   = 50 // of each client
)

// absent stands for a report that does not exist, in the place of its privacy.
const absent = '-'

// TestClientsSeeOneDatabase has clients create, show, change, delete and list the same reports at once, and holds that all answers together
// could have come from one database that does one thing after the other (linearizability): whoever was answered sees it in every
// later answer, and a list is what all reports were at one moment.
func TestClientsSeeOneDatabase(t *testing.T) {
	s := startServer(t, func(s *settings) { s.RateLimit = 0 })
	seeOneDatabase(t, readKey(t, s.settings.Data), s)
}

// TestClientsOfTwoServersSeeOneDatabase is the same over two servers.
func TestClientsOfTwoServersSeeOneDatabase(t *testing.T) {
	p := newPair(t, pgtest.New(t), func(*settings) {})
	seeOneDatabase(t, p.key, p.servers[:]...)
}

// seeOneDatabase has clients ask servers and holds that all seem to ask one.
func seeOneDatabase(t *testing.T, key string, servers ...*server) {
	h := &history{t: t, began: time.Now()}
	var asking sync.WaitGroup
	for number := range linearClients {
		asking.Go(func() {
			client := &linearClient{history: h, number: number, apiClient: apiClient{t: t, address: servers[number%len(servers)].address(), key: key}}
			for range linearSteps {
				client.step()
			}
		})
	}
	asking.Wait()
	model := porcupine.Model{
		Init: func() any { return string(bytes.Repeat([]byte{absent}, linearReports)) },
		Step: func(state, input, output any) (bool, any) {
			return input.(request).from(state.(string), output.(reply))
		},
		DescribeOperation: func(input, output any) string { return fmt.Sprint(input, output) },
	}
	if result := porcupine.CheckOperationsTimeout(model, h.operations, time.Minute); result != porcupine.Ok {
		t.Errorf("%d requests: %s", len(h.operations), result)
	}
}

// request is one request about the report with that number; lists are about all.
type request struct {
	method  string
	number  int
	privacy byte // that a PUT wants, as a digit
}

// reply is what came back: the status, and the privacy of each report that the answer shows, by its number.
type reply struct {
	status int
	shown  string
}

// from reports whether an answer is right when the reports are in a state, which has the privacy of each, and gives the state after it.
func (r request) from(state string, a reply) (right bool, next string) {
	if r.method == "LIST" {
		return a == reply{http.StatusOK, state}, state
	}
	there := state[r.number] != absent
	one := func(status int, privacy byte) reply { return reply{status, string(privacy)} }
	next = state
	switch {
	case r.method == http.MethodPost:
		next = state[:r.number] + "0" + state[r.number+1:]
		return !there && a == one(http.StatusCreated, '0'), next
	case !there:
		return a == one(http.StatusNotFound, absent), state
	case r.method == http.MethodPut:
		next = state[:r.number] + string(r.privacy) + state[r.number+1:]
		return a == one(http.StatusOK, r.privacy), next
	case r.method == http.MethodDelete:
		next = state[:r.number] + string(absent) + state[r.number+1:]
		return a == one(http.StatusNoContent, absent), next
	default:
		return a == one(http.StatusOK, state[r.number]), state
	}
}

// history is what clients have asked and got.
type history struct {
	t          *testing.T
	began      time.Time
	mu         sync.Mutex
	wanted     int      // how many creates were begun
	ids        []string // by number; "" while the create is on its way
	operations []porcupine.Operation
}

// linearClient is one client, of one server.
type linearClient struct {
	*history
	apiClient
	number int
}

// step makes one request and notes it.
func (h *linearClient) step() {
	r, id := h.next()
	called := time.Since(h.began)
	a := h.answer(r, id)
	returned := time.Since(h.began)
	h.mu.Lock()
	defer h.mu.Unlock()
	h.operations = append(h.operations, porcupine.Operation{ClientId: h.number, Input: r, Call: int64(called), Output: a, Return: int64(returned)})
}

// next chooses a request, and gives the id of the report that it is about.
func (h *history) next() (r request, id string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	choice := rand.IntN(10)
	if h.wanted < linearReports && (choice < 2 || len(h.ids) == 0) {
		r = request{method: http.MethodPost, number: h.wanted}
		h.wanted++
		h.ids = append(h.ids, "")
		return r, ""
	}
	number := rand.IntN(len(h.ids))
	switch id = h.ids[number]; {
	case id == "" || choice < 4:
		return request{method: "LIST"}, ""
	case choice < 6:
		return request{method: http.MethodPut, number: number, privacy: byte('0' + rand.IntN(2))}, id
	case choice < 7:
		return request{method: http.MethodDelete, number: number}, id
	default:
		return request{method: http.MethodGet, number: number}, id
	}
}

// answer makes a request.
func (h *linearClient) answer(r request, id string) reply {
	if r.method == "LIST" {
		return h.list()
	}
	var one struct {
		Data struct {
			ID      string
			Privacy int
		}
	}
	path, form := "/reports/"+id, url.Values{}
	switch r.method {
	case http.MethodPost:
		path, form = "/reports", url.Values{"url": {fmt.Sprintf("%s%d", closedPort, r.number)}}
	case http.MethodPut:
		form.Set("privacy", string(r.privacy))
	case http.MethodDelete:
		return reply{h.do(r.method, path, "", nil, nil), string(absent)}
	}
	status := h.do(r.method, path, "", form, &one)
	if r.method == http.MethodPost {
		h.mu.Lock()
		h.ids[r.number] = one.Data.ID
		h.mu.Unlock()
		if status == http.StatusAccepted { // the audit is not done yet, which is nothing of the order
			status = http.StatusCreated
		}
	}
	if status == http.StatusNotFound {
		return reply{status, string(absent)}
	}
	return reply{status, fmt.Sprint(one.Data.Privacy)}
}

// list shows all reports at one moment. Those whose create is on its way it knows by their address.
func (h *linearClient) list() reply {
	var all struct {
		Data []struct {
			URL     string
			Privacy int
		}
	}
	status := h.do(http.MethodGet, "/reports?per_page=100", "", nil, &all)
	shown := slices.Repeat([]byte{absent}, linearReports)
	for _, report := range all.Data {
		var number int
		if _, err := fmt.Sscanf(report.URL, closedPort+"%d", &number); err != nil {
			h.history.t.Error(report.URL, err)
		}
		shown[number] = byte('0' + report.Privacy)
	}
	return reply{status, string(shown)}
}
