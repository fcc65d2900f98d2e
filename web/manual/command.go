package manual

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// baseMark stands in a command where the address of the API comes.
const baseMark = "{server}"

// command is a line for a shell that uses an operation, with baseMark in the place of the API's address.
type command struct {
	line      string
	variables []command // that set what it uses and no command before it in its group has set, in their order
}

// variable says where a command gets an id from, the newest of a list, so that it works as it stands.
type variable struct {
	Name  string `json:"variable"` // in capitals, as shells have them
	List  string `json:"from"`     // the path of the list
	Field string // of an entry, its first; "" for the id
}

// newCommand returns the command of an operation. The key comes from a variable, so that it is in no history, and so do the ids in the path.
func newCommand(o Operation, parameters []apiParameter, example json.RawMessage) command {
	c := command{}
	path, quote := o.Path, "'"
	for _, p := range parameters {
		switch {
		case p.In != "path":
		case p.Command == nil:
			path = strings.ReplaceAll(path, "{"+p.Name+"}", fmt.Sprint(p.Example))
		default:
			c.variables = append(c.variables, p.Command.setting(parameters))
			path, quote = strings.ReplaceAll(path, "{"+p.Name+"}", "$"+p.Command.Name), `"`
		}
	}
	c.line = "curl"
	if o.Method != "GET" {
		c.line += " -X " + o.Method
	}
	if o.Scope != "" {
		c.line += authorization
	}
	if len(example) > 0 {
		c.line += " -H 'Content-Type: application/json' -d '" + strings.ReplaceAll(string(example), "'", `'\''`) + "'"
	}
	c.line += " " + quote + baseMark + path + quote
	return c
}

const authorization = ` -H "Authorization: Bearer $SITEGRADE_KEY"`

// pictureType is what a body that is a picture may be, and pictureBody how a command sends one.
const (
	pictureType = "image/png"
	pictureBody = " -H 'Content-Type: " + pictureType + "' --data-binary @logo.png"
)

// setting returns the line that sets a variable, beside the other parameters of its operation.
func (v variable) setting(parameters []apiParameter) command {
	list, field := v.List, v.Field
	for _, p := range parameters {
		if p.Command != nil {
			list = strings.ReplaceAll(list, "{"+p.Name+"}", "$"+p.Command.Name)
		}
	}
	if field == "" {
		field = "id"
	}
	return command{line: "export " + v.Name + `=$(curl -s` + authorization + ` "` + baseMark + list + `" | sed -nE 's/^\{"data":\[\{"` + field + `":"([^"]*).*/\1/p')`}
}

// settleVariables leaves the lines that set a variable to the first operation of a group that uses it.
func settleVariables(group []Operation) {
	var set []command
	for i := range group {
		own := &group[i].command
		own.variables = slices.DeleteFunc(own.variables, func(v command) bool {
			return slices.ContainsFunc(set, func(c command) bool { return c.line == v.line })
		})
		set = append(set, own.variables...)
	}
}

// on returns the line for a server.
func (c command) on(base string) string { return strings.ReplaceAll(c.line, baseMark, base) }

// address returns the address of the API on a server, given the server's scheme and host.
func (m *Manual) address(server string) string {
	if strings.HasPrefix(m.Base, "/") {
		return server + m.Base
	}
	return m.Base
}

// Command returns a command for a shell that uses an operation on a server, given its scheme and host.
func (m *Manual) Command(o Operation, server string) string { return o.command.on(m.address(server)) }

// Variables returns the commands that set what that of an operation needs and no command before it in its group has set; "" for nothing.
func (m *Manual) Variables(o Operation, server string) string {
	var lines []string
	for _, v := range o.command.variables {
		lines = append(lines, v.on(m.address(server)))
	}
	return strings.Join(lines, "\n")
}
