// Package manual makes documentation of the API for people from its OpenAPI description.
package manual

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Manual is the documentation of the API, made from its OpenAPI description.
type Manual struct {
	Paragraphs []string
	Base       string // what the addresses of the API begin with, without scheme and host
	Groups     []Group
	Schemas    []Schema
}

// Group is what the description calls a tag.
type Group struct {
	Name, Doc  string
	Operations []Operation
}

// Operation is what a method does at an address.
type Operation struct {
	ID, Method, Path, Summary, Doc string

	Scope      string // "" for everybody
	Parameters []Field
	Body       []Field
	Responses  []Response
	Example    string // a response of success as indented JSON; "" where it has no body
	command    command
}

// Field is a parameter, or a field of a body or of a response.
type Field struct {
	Name, In, Type, Doc string
	Required            bool
}

// Response is what may come of an operation.
type Response struct {
	Status, Doc, Schema string
}

// Schema is an object of the API.
type Schema struct {
	Name, Doc string
	Fields    []Field
}

// openAPI is the part of a description (OpenAPI 3.1) that the manual shows.
type openAPI struct {
	Info struct{ Description string }
	Tags []struct{ Name, Description string }
	// Servers has one, whose address may lack scheme and host.
	Servers    []struct{ URL string }
	Paths      map[string]map[string]json.RawMessage
	Components struct {
		Schemas       map[string]*apiSchema
		Parameters    map[string]apiParameter
		Responses     map[string]apiResponse
		RequestBodies map[string]apiBody
	}
}

type apiOperation struct {
	OperationID string
	Tags        []string
	Summary     string
	Description string
	Security    []map[string][]string
	Parameters  []apiParameter
	RequestBody apiBody
	Responses   map[string]apiResponse
}

type apiParameter struct {
	Ref                   string `json:"$ref"`
	Name, In, Description string
	Required              bool
	Schema                *apiSchema
	Example               any
	Command               *variable `json:"x-command"` // nil for what a command gets from the example
}

type apiBody struct {
	Ref     string `json:"$ref"`
	Content map[string]apiContent
}

type apiResponse struct {
	Ref         string `json:"$ref"`
	Description string
	Content     map[string]apiContent
}

type apiContent struct {
	Schema  *apiSchema
	Example json.RawMessage
}

type apiSchema struct {
	Ref         string `json:"$ref"`
	Type        any
	Format      string
	Description string
	Enum        []any
	Const       any
	Default     any
	Items       *apiSchema
	Properties  map[string]*apiSchema
	Required    []string
	OneOf       []*apiSchema
	AnyOf       []*apiSchema
}

// Read makes the manual of a description, which is part of the program: one that cannot be read is a fault of ours.
func Read(description []byte) *Manual {
	var api openAPI
	if err := json.Unmarshal(description, &api); err != nil {
		panic(fmt.Sprintf("the OpenAPI description: %v", err))
	}
	m := &Manual{}
	for paragraph := range strings.SplitSeq(api.Info.Description, "\n\n") {
		m.Paragraphs = append(m.Paragraphs, paragraph)
	}
	if len(api.Servers) > 0 {
		m.Base = api.Servers[0].URL
	}
	for _, tag := range api.Tags {
		operations := api.operations(tag.Name)
		settleVariables(operations)
		m.Groups = append(m.Groups, Group{Name: tag.Name, Doc: tag.Description, Operations: operations})
	}
	for name, schema := range api.Components.Schemas {
		m.Schemas = append(m.Schemas, Schema{Name: name, Doc: schema.Description, Fields: api.fields(schema)})
	}
	slices.SortFunc(m.Schemas, func(x, y Schema) int { return strings.Compare(x.Name, y.Name) })
	return m
}

// methods are in the order in which an address shows them.
var methods = []string{"get", "post", "put", "patch", "delete"}

// operations returns those with a tag, by their paths.
func (api *openAPI) operations(tag string) []Operation {
	var all []Operation
	for path, entries := range api.Paths {
		var shared []apiParameter
		_ = json.Unmarshal(entries["parameters"], &shared) // an address without has none
		for _, method := range methods {
			var operation apiOperation
			if json.Unmarshal(entries[method], &operation) != nil || !slices.Contains(operation.Tags, tag) {
				continue
			}
			operation.Parameters = append(slices.Clone(shared), operation.Parameters...)
			all = append(all, api.operation(method, path, operation))
		}
	}
	slices.SortFunc(all, func(x, y Operation) int {
		return cmp.Or(strings.Compare(x.Path, y.Path), slices.Index(methods, strings.ToLower(x.Method))-slices.Index(methods, strings.ToLower(y.Method)))
	})
	return all
}

func (api *openAPI) operation(method, path string, o apiOperation) Operation {
	shown := Operation{
		ID: o.OperationID, Method: strings.ToUpper(method), Path: path, Summary: o.Summary, Doc: o.Description, Scope: scopeOf(o),
	}
	var parameters []apiParameter
	for _, p := range o.Parameters {
		parameters = append(parameters, api.parameter(p))
	}
	for _, p := range parameters {
		shown.Parameters = append(shown.Parameters, Field{
			Name: p.Name, In: p.In, Required: p.Required, Type: api.typeText(p.Schema), Doc: p.Description,
		})
	}
	body := api.body(o.RequestBody)
	content := body["application/json"]
	if content.Schema != nil {
		shown.Body = api.fields(api.resolved(content.Schema))
	}
	shown.Responses, shown.Example = api.responses(o.Responses)
	shown.command = newCommand(shown, parameters, content.Example)
	if _, isPicture := body[pictureType]; isPicture {
		shown.command.line += pictureBody
	}
	return shown
}

func scopeOf(o apiOperation) string {
	for _, requirement := range o.Security {
		for _, scopes := range requirement {
			return strings.Join(scopes, ", ")
		}
	}
	return ""
}

// refName returns the last part of a reference.
func refName(ref string) string { return ref[strings.LastIndexByte(ref, '/')+1:] }

func (api *openAPI) parameter(p apiParameter) apiParameter {
	if p.Ref != "" {
		return api.Components.Parameters[refName(p.Ref)]
	}
	return p
}

func (api *openAPI) body(b apiBody) map[string]apiContent {
	if b.Ref != "" {
		return api.Components.RequestBodies[refName(b.Ref)].Content
	}
	return b.Content
}

func (api *openAPI) resolved(s *apiSchema) *apiSchema {
	if s.Ref != "" {
		return api.Components.Schemas[refName(s.Ref)]
	}
	return s
}

// responses returns what may come of an operation, by their statuses, and an example of a success.
func (api *openAPI) responses(described map[string]apiResponse) (all []Response, example string) {
	for _, status := range slices.Sorted(maps.Keys(described)) {
		r := described[status]
		if r.Ref != "" {
			r = api.Components.Responses[refName(r.Ref)]
		}
		shown := Response{Status: status, Doc: r.Description}
		for _, content := range r.Content {
			if content.Schema != nil {
				shown.Schema = refName(content.Schema.Ref)
			}
			if example == "" && status < "300" && len(content.Example) > 0 {
				example = indented(content.Example)
			}
		}
		all = append(all, shown)
	}
	return all, example
}

// indented returns a value as JSON for people.
func indented(value any) string {
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	_ = encoder.Encode(value) // which was read before, or is of texts and truths
	return strings.TrimSuffix(b.String(), "\n")
}

// fields returns the properties of an object, those that are required first.
func (api *openAPI) fields(s *apiSchema) []Field {
	var all []Field
	for name, property := range s.Properties {
		doc := property.Description
		if doc == "" {
			doc = api.resolved(property).Description
		}
		all = append(all, Field{Name: name, Type: api.typeText(property), Required: slices.Contains(s.Required, name), Doc: doc})
	}
	slices.SortFunc(all, func(x, y Field) int {
		return cmp.Or(rank(s.Required, x.Name)-rank(s.Required, y.Name), strings.Compare(x.Name, y.Name))
	})
	return all
}

// rank returns the place of a name among those that are required, and the same place behind them for every other.
func rank(required []string, name string) int {
	if i := slices.Index(required, name); i >= 0 {
		return i
	}
	return len(required)
}

// typeText says in words what a schema takes.
func (api *openAPI) typeText(s *apiSchema) string {
	switch {
	case s == nil:
		return ""
	case s.Ref != "":
		return refName(s.Ref)
	case len(s.OneOf)+len(s.AnyOf) > 0:
		var texts []string
		for _, option := range append(slices.Clone(s.OneOf), s.AnyOf...) {
			texts = append(texts, api.typeText(option))
		}
		return strings.Join(texts, " or ")
	case len(s.Enum) > 0:
		return joined(s.Enum, " | ")
	case s.Items != nil:
		return "list of " + api.typeText(s.Items)
	}
	text := fmt.Sprint(s.Type)
	if types, several := s.Type.([]any); several {
		text = joined(types, " or ")
	}
	if s.Format != "" {
		text += " (" + s.Format + ")"
	}
	return text
}

func joined(values []any, separator string) string {
	var texts []string
	for _, v := range values {
		texts = append(texts, fmt.Sprint(v))
	}
	return strings.Join(texts, separator)
}
