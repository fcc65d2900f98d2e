package manual

import "strings"

// AgentClient is a program whose agents can use the tools, and what it needs for that.
type AgentClient struct {
	Name  string
	Where string // where the configuration goes
	Code  string
}

// AgentClients returns the configuration of the usual clients for the tools at an address. Not one holds a key: it comes from the environment, or
// is asked for.
func AgentClients(address string) []AgentClient {
	const key = "SITEGRADE_KEY"
	remote := []string{"-y", "mcp-remote", address, "--header", "Authorization:${SITEGRADE_AUTHORIZATION}"}
	if strings.HasPrefix(address, "http:") {
		remote = append(remote, "--allow-http")
	}
	type object = map[string]any
	return []AgentClient{
		{
			"Claude Code", "In a shell where `" + key + "` is set:",
			`claude mcp add --transport http sitegrade '` + address + `' --header "Authorization: Bearer $` + key + `"`,
		},
		{
			"Claude Desktop", "In claude_desktop_config.json (Settings, Developer, Edit Config), with your key in the place of `sg_...`:",
			indented(object{"mcpServers": object{"sitegrade": object{
				"command": "npx", "args": remote, "env": object{"SITEGRADE_AUTHORIZATION": "Bearer sg_..."},
			}}}),
		},
		{
			"Cursor", "In ~/.cursor/mcp.json, or .cursor/mcp.json of a project, with `" + key + "` set where Cursor starts:",
			indented(object{"mcpServers": object{"sitegrade": object{
				"url": address, "headers": object{"Authorization": "Bearer ${env:" + key + "}"},
			}}}),
		},
		{
			"VS Code", "In .vscode/mcp.json of a project; it asks for the key and keeps it:",
			indented(object{
				"inputs":  []object{{"type": "promptString", "id": "sitegrade-key", "description": "API key of Sitegrade", "password": true}},
				"servers": object{"sitegrade": object{"type": "http", "url": address, "headers": object{"Authorization": "Bearer ${input:sitegrade-key}"}}},
			}),
		},
	}
}

// LocalAgent is the configuration, in the form that most clients take, of tools that need no server.
var LocalAgent = indented(map[string]any{"mcpServers": map[string]any{"sitegrade": map[string]any{"command": "sitegrade", "args": []string{"mcp"}}}})
