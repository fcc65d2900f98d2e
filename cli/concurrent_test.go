package cli

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
)

// TestConcurrentClientsSeeOneOrder has clients that read a report and change it with If-Match, all at once. In one order of all changes, as
// it must seem, each version is replaced by one client only, and there are as many versions as changes.
func TestConcurrentClientsSeeOneOrder(t *testing.T) {
	s := startServer(t, func(s *settings) { s.RateLimit, s.Wait = 0, 0 })
	client := &apiClient{t: t, address: s.address(), key: readKey(t, s.settings.Data)}
	c := &chain{apiClient: client, path: "/reports/" + client.create("https://192.0.2.1/"), replaced: map[string]bool{}}
	for client.status(c.path) == "queued" || client.status(c.path) == "running" {
		continue // the audit changes the report too
	}
	first := c.read()
	var changing sync.WaitGroup
	for number := range 8 {
		changing.Go(func() {
			for i := range 40 {
				c.change((number + i) % 2)
			}
		})
	}
	changing.Wait()
	if last := c.read(); revision(t, last)-revision(t, first) != len(c.replaced) || len(c.replaced) == 0 {
		t.Errorf("%d changes lead from %s to %s", len(c.replaced), first, last)
	}
}

// revision gives the number that an entity tag of a report begins with: how often it was written.
func revision(t *testing.T, tag string) int {
	t.Helper()
	var n int
	if _, err := fmt.Sscanf(tag, "\"%d-", &n); err != nil {
		t.Fatalf("the entity tag %s has no revision: %v", tag, err)
	}
	return n
}

// chain is a report that is changed, with the versions that were replaced.
type chain struct {
	*apiClient
	path     string
	mu       sync.Mutex
	replaced map[string]bool
}

// read gives the present version.
func (c *chain) read() string {
	return c.send(http.MethodGet, "", "").Header.Get("ETag")
}

// change tries to replace the present version.
func (c *chain) change(privacy int) {
	seen := c.read()
	response := c.send(http.MethodPut, seen, fmt.Sprintf("privacy=%d", privacy))
	switch response.StatusCode {
	case http.StatusPreconditionFailed:
	case http.StatusOK:
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.replaced[seen] {
			c.t.Errorf("the version %s was replaced twice", seen)
		}
		c.replaced[seen] = true
	default:
		c.t.Errorf("a change gives %d", response.StatusCode)
	}
}

func (c *chain) send(method, match, form string) *http.Response {
	request, err := http.NewRequest(method, c.address+"/api/v1"+c.path, strings.NewReader(form))
	if err != nil {
		c.t.Error(err)
		return &http.Response{Header: http.Header{}}
	}
	request.Header.Set("Authorization", "Bearer "+c.key)
	if form != "" {
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		request.Header.Set("If-Match", match)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		c.t.Error(err)
		return &http.Response{Header: http.Header{}}
	}
	response.Body.Close()
	return response
}

// status gives the status of a report.
func (c *apiClient) status(path string) string {
	var answer struct{ Data struct{ Status string } }
	c.do(http.MethodGet, path, "", nil, &answer)
	return answer.Data.Status
}
