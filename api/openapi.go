package api

import (
	"embed"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"strconv"

	"sitegrade/sortfilter"
)

// The description stands in five files, and in one more for each topic that came later. What the code knows is filled in: the parameters of lists from sortfilter's tables, the problems
// from problem.go, and the headers that all responses have.
var (
	//go:embed openapi/document.json
	documentPart []byte
	//go:embed openapi/paths.json
	pathsPart []byte
	//go:embed openapi/components.json
	componentsPart []byte
	//go:embed openapi/schemas.json
	schemasPart []byte
	//go:embed openapi/examples.json
	examplesPart []byte // of responses, by their names
	//go:embed openapi/topics
	topics embed.FS // each with the members "paths", "parameters", "schemas", "requestBodies", "responses" and "examples", as above
)

// object is a JSON object of the description.
type object = map[string]any

// showDescription sends the OpenAPI description. It is the same for everybody until the next release.
func (a *API) showDescription(x *request) error {
	tag := `"` + bodyHash(a.openapi) + `"`
	h := x.Header()
	h.Set("ETag", tag)
	h.Set("Cache-Control", "public, no-cache")
	if fresh(x.r.Header, tag) {
		x.WriteHeader(http.StatusNotModified)
		return nil
	}
	x.sendJSON(http.StatusOK, a.openapi)
	return nil
}

// Description returns the OpenAPI document as it is served. It must not be changed.
func (a *API) Description() []byte { return a.openapi }

// describe returns the OpenAPI description of the API at its address.
func (a *API) describe() []byte {
	document, paths, components := part(documentPart), part(pathsPart), part(componentsPart)
	examples := part(examplesPart)
	components["schemas"] = part(schemasPart)
	addTopics(object{
		"paths": paths, "parameters": components["parameters"], "schemas": components["schemas"], "responses": components["responses"],
		"requestBodies": components["requestBodies"], "examples": examples,
	})
	responses := components["responses"].(object)
	for name, example := range examples {
		content := responses[name].(object)["content"].(object)
		content[jsonType].(object)["example"] = example
	}
	for name, response := range problemResponses() {
		responses[name] = response
	}
	for _, path := range paths {
		for method, operation := range path.(object) {
			if method != "parameters" {
				completeOperation(operation.(object), responses)
			}
		}
	}
	document["servers"] = []any{object{"url": a.Origins.BaseURL + Base}}
	document["paths"] = paths
	document["components"] = components
	return encoded(document)
}

// addTopics adds the members of each topic's file to the object of the same name.
func addTopics(into object) {
	files, err := topics.ReadDir("openapi/topics")
	for _, file := range files {
		var text []byte
		if text, err = topics.ReadFile("openapi/topics/" + file.Name()); err != nil {
			break
		}
		for name, members := range part(text) {
			maps.Copy(into[name].(object), members.(object))
		}
	}
	if err != nil {
		panic(fmt.Sprintf("the embedded topics of the OpenAPI description: %v", err))
	}
}

// part reads an embedded file, which a test has read before.
func part(file []byte) object {
	var o object
	if err := json.Unmarshal(file, &o); err != nil {
		panic(fmt.Sprintf("an embedded part of the OpenAPI description: %v", err))
	}
	return o
}

func encoded(document object) []byte {
	b, err := json.Marshal(document)
	if err != nil {
		panic(fmt.Sprintf("the OpenAPI description: %v", err))
	}
	return append(b, '\n')
}

// listParameters are the parameters of each list and of the diff, by the operation's id.
var listParameters = map[string][]sortfilter.Parameter{
	"listProjects": sortfilter.ProjectParameters,
	"listReports":  sortfilter.ReportParameters,

	"listGenerations": sortfilter.GenerationParameters,
	"diffReport":      sortfilter.DiffParameters,
	"listAccepted":    sortfilter.AcceptedParameters,
	"listKeys":        sortfilter.KeyParameters,
	"listForms":       sortfilter.FormParameters,
	"listSchedules":   sortfilter.ScheduleParameters,
	"listIssues":      sortfilter.IssueParameters,
	"listIssueRows":   sortfilter.IssueRowParameters,
	"listCrawls":      sortfilter.CrawlParameters,
	"listCrawlPages":  sortfilter.CrawlPageParameters,
	"listCrawlLinks":  sortfilter.CrawlLinkParameters,
	"listWebhooks":    sortfilter.WebhookParameters,
	"listDeliveries":  sortfilter.DeliveryParameters,
}

// completeOperation adds what operations have in common: the parameters of lists, the problems, and the headers of responses.
func completeOperation(operation, shared object) {
	if list, ok := listParameters[operation["operationId"].(string)]; ok {
		others, _ := operation["parameters"].([]any)
		operation["parameters"] = append(describeParameters(list), others...)
	}
	statuses := []int{http.StatusInternalServerError, http.StatusServiceUnavailable}
	secured := len(operation["security"].([]any)) > 0
	if secured {
		statuses = append(statuses, http.StatusUnauthorized, http.StatusForbidden, http.StatusTooManyRequests)
	}
	for _, status := range operation["x-problems"].([]any) {
		statuses = append(statuses, int(status.(float64)))
	}
	delete(operation, "x-problems")
	responses := operation["responses"].(object)
	for _, status := range statuses {
		responses[strconv.Itoa(status)] = reference("responses", problemResponseName(status))
	}
	for _, response := range responses {
		addCommonHeaders(response.(object), shared, secured)
	}
}

// addCommonHeaders adds to a response, or to the shared one that it refers to, the headers that every response may have.
func addCommonHeaders(response, shared object, secured bool) {
	if name, ok := response["$ref"].(string); ok {
		response = shared[name[len(componentPrefix+"responses/"):]].(object)
	}
	headers, _ := response["headers"].(object)
	if headers == nil {
		headers = object{}
		response["headers"] = headers
	}
	headers["X-Request-Id"] = reference("headers", "X-Request-Id")
	if secured {
		headers["RateLimit"] = reference("headers", "RateLimit")
		headers["RateLimit-Policy"] = reference("headers", "RateLimit-Policy")
	}
}

const componentPrefix = "#/components/"

func reference(kind, name string) object { return object{"$ref": componentPrefix + kind + "/" + name} }

func describeParameters(parameters []sortfilter.Parameter) []any {
	var described []any
	for _, p := range parameters {
		described = append(described, object{
			"name": p.Name, "in": "query", "description": p.Doc, "allowEmptyValue": true, "schema": parameterSchema(p),
		})
	}
	return described
}

func parameterSchema(p sortfilter.Parameter) object {
	schema := object{"type": "string"}
	if p.Integer {
		schema["type"] = "integer"
	}
	if p.Enum != nil {
		var values []any
		for _, value := range p.Enum {
			values = append(values, parameterValue(p, value))
		}
		schema["enum"] = values
	} else if p.Integer {
		schema["minimum"], schema["maximum"] = p.Minimum, p.Maximum
	}
	if p.Default != "" {
		schema["default"] = parameterValue(p, p.Default)
	}
	if p.MaxBytes > 0 {
		schema["maxLength"] = p.MaxBytes
	}
	return schema
}

// parameterValue returns a value as JSON has it.
func parameterValue(p sortfilter.Parameter, value string) any {
	if p.Integer {
		return json.Number(value)
	}
	return value
}

// problemResponses returns one response for each status that a problem has, with an example for each problem.
func problemResponses() object {
	responses := object{}
	for _, p := range problems {
		name := problemResponseName(p.status)
		response, ok := responses[name].(object)
		if !ok {
			response = emptyProblemResponse(p)
			responses[name] = response
		}
		relaxHeaders(response["headers"].(object), p)
		addProblemExample(response, p)
	}
	return responses
}

// relaxHeaders says of the headers that another problem of the same status has, and this one not, that they may be absent.
func relaxHeaders(described object, p *problem) {
	for name := range described {
		if p.header.Get(name) == "" {
			described[name] = reference("headers", "Optional-"+name)
		}
	}
}

func problemResponseName(status int) string { return "Problem" + strconv.Itoa(status) }

func emptyProblemResponse(p *problem) object {
	headers := object{}
	for name := range p.header {
		headers[headerSpelling(name)] = reference("headers", headerSpelling(name))
	}
	return object{
		"description": http.StatusText(p.status) + ".",
		"headers":     headers,
		"content": object{problemMediaType: object{
			"schema": reference("schemas", "Problem"), "examples": object{},
		}},
	}
}

// headerSpelling returns the usual spelling of a header that net/http spells in its own way.
func headerSpelling(name string) string {
	if name == "Www-Authenticate" {
		return "WWW-Authenticate"
	}
	return name
}

func addProblemExample(response object, p *problem) {
	content := response["content"].(object)[problemMediaType].(object)
	content["examples"].(object)[p.name] = object{
		"summary": p.title, "value": json.RawMessage(p.document("5f1d7c0e9b2a4e6f8a0b1c2d3e4f5061")),
	}
}
