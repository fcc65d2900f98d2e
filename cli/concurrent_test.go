package cli

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
)

// TestConcurrentClientsSeeOneOrder has clients that read a report and change it with If-Match, all at once. It must seem that all changes
// came one after the other: from the first version to the last leads one chain, of what each change replaced and what it answered.
func TestConcurrentClientsSeeOneOrder(t *testing.T) {
	s := startServer(t, func(s *settings) { s.RateLimit, s.Wait = 0, 0 })
	client := &apiClient{t: t, address: s.address(), key: readKey(t, s.settings.Data)}
	c := &chain{apiClient: client, path: "/reports/" + client.create(closedPort), next: map[string]string{}}
	for client.status(c.path) == "queued" || client.status(c.path) == "running" {
		continue // the audit changes the report too
	}
	version := c.read()
	var changing sync.WaitGroup
	for number := range 8 {
		changing.Go(func() {
			for i := range 40 {
				c.change((number + i) % 2)
			}
		})
	}
	changing.Wait()
	for range len(c.next) {
		version = c.next[version]
	}
	if last := c.read(); version != last || len(c.next) == 0 {
		t.Errorf("%d changes lead to %q, and the report is at %s", len(c.next), version, last)
	}
}

// chain is a report that is changed, with the version that followed on each.
type chain struct {
	*apiClient
	path string
	mu   sync.Mutex
	next map[string]string
}

// read returns the present version.
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
		if c.next[seen] != "" {
			c.t.Errorf("the version %s was replaced twice", seen)
		}
		c.next[seen] = response.Header.Get("ETag")
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

// status returns the status of a report.
func (c *apiClient) status(path string) string {
	var answer struct{ Data struct{ Status string } }
	c.do(http.MethodGet, path, "", nil, &answer)
	return answer.Data.Status
}
