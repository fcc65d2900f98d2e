package cli

import (
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// closedPort is an address that can be audited and where nobody listens.
const closedPort = "http://127.0.0.1:1/"

// apiClient uses the API of a running server with a key.
type apiClient struct {
	t            *testing.T
	address, key string
	waits        bool // for reports, as long as the server lets it by default
	whole        bool // an answer that has begun must not break off
}

// do sends a request and reads its answer into answer. It gives the status, or 0 when the server did not answer to the end.
func (c *apiClient) do(method, path, idempotency string, form url.Values, answer any) int {
	request, err := http.NewRequest(method, c.address+"/api/v1"+path, strings.NewReader(form.Encode()))
	if err != nil {
		c.t.Error(err)
		return 0
	}
	request.Header.Set("Authorization", "Bearer "+c.key)
	if !c.waits {
		request.Header.Set("Prefer", "respond-async")
	}
	if form != nil {
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	if idempotency != "" {
		request.Header.Set("Idempotency-Key", idempotency)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil && c.whole {
		c.t.Errorf("%s %s: the answer %d breaks off: %v", method, path, response.StatusCode, err)
	}
	if err != nil || answer != nil && json.Unmarshal(body, answer) != nil {
		return 0
	}
	return response.StatusCode
}

// create makes a report that must be taken, and gives its id.
func (c *apiClient) create(address string) string {
	c.t.Helper()
	var answer crashAnswer
	if status := c.do("POST", "/reports", "", url.Values{"url": {address}}, &answer); status != http.StatusAccepted && status != http.StatusCreated {
		c.t.Fatalf("creating gives %d", status)
	}
	return answer.Data.ID
}

// readKey returns the first key of a data directory.
func readKey(t *testing.T, data string) string {
	t.Helper()
	key, err := os.ReadFile(filepath.Join(data, firstKeyName))
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(key))
}
