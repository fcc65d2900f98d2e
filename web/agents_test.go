package web

import (
	"encoding/json"
	"html"
	"strings"
	"testing"

	"sitegrade/web/manual"
)

// TestDocsConfigureAgents holds that each of the four clients is told this server's address, in JSON that can be read, and nobody a key.
func TestDocsConfigureAgents(t *testing.T) {
	s := newServer(t, Options{Tools: "/mcp"})
	page := html.UnescapeString(s.visitor().page("/docs"))
	clients := manual.AgentClients(s.HTTP.URL + "/mcp")
	if len(clients) != 4 {
		t.Errorf("%d clients", len(clients))
	}
	for _, c := range clients {
		if !strings.Contains(page, c.Code) || !strings.Contains(c.Code, s.HTTP.URL+"/mcp") {
			t.Errorf("%s: the page lacks %s", c.Name, c.Code)
		}
		if strings.HasPrefix(c.Code, "{") && !json.Valid([]byte(c.Code)) {
			t.Errorf("%s: %s", c.Name, c.Code)
		}
	}
	if !strings.Contains(page, manual.LocalAgent) || strings.Contains(page, s.key) {
		t.Error("the page lacks the tools without a server, or has a key")
	}
	if page := newServer(t, Options{}).visitor().page("/docs"); strings.Contains(page, "mcp") {
		t.Error("a server without tools tells of them")
	}
}
