package cli

import (
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// apiClient uses the API of a running server with a key.
type apiClient struct {
	t            *testing.T
	address, key string
}

// do sends a request and reads its answer into answer. It gives the status, or 0 when the server did not answer to the end.
func (c *apiClient) do(method, path, idempotency string, form url.Values, answer any) int {
	request, err := http.NewRequest(method, c.address+"/api/v1"+path, strings.NewReader(form.Encode()))
	if err != nil {
		c.t.Error(err)
		return 0
	}
	request.Header.Set("Authorization", "Bearer "+c.key)
	request.Header.Set("Prefer", "respond-async")
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
	if err != nil || answer != nil && json.Unmarshal(body, answer) != nil {
		return 0
	}
	return response.StatusCode
}
