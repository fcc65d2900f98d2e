package api

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/gorillamux"

	"sitegrade/auth"
	"sitegrade/httpx/httpxtest"
	"sitegrade/sortfilter"
)

func init() {
	openapi3filter.RegisterBodyDecoder(problemMediaType, openapi3filter.JSONBodyDecoder)
}

// description is the OpenAPI document, read by a library that is not ours, and which of its answers the tests have seen.
type description struct {
	document *openapi3.T
	router   routers.Router

	mu   sync.Mutex
	seen map[string]bool // "operation status"
}

var theDescription = readDescription()

func readDescription() *description {
	document, err := openapi3.NewLoader().LoadFromData(New(nil, nil, Options{}).openapi)
	if err != nil {
		panic(err)
	}
	router, err := gorillamux.NewRouter(document)
	if err != nil {
		panic(err)
	}
	return &description{document: document, router: router, seen: map[string]bool{}}
}

// hold fails the test when an answer is not as described, or when a request that succeeded is not.
func (d *description) hold(t testing.TB, request *http.Request, body string, r httpxtest.Response) {
	t.Helper()
	if request.Method == http.MethodHead || request.Method == http.MethodOptions {
		return
	}
	route, parameters, err := d.router.FindRoute(request)
	if err != nil {
		if r.Status != http.StatusNotFound && r.Status != http.StatusMethodNotAllowed {
			t.Errorf("%s %s is not described and answers %d", request.Method, request.URL, r.Status)
		}
		return
	}
	d.mu.Lock()
	d.seen[fmt.Sprint(route.Operation.OperationID, " ", r.Status)] = true
	d.mu.Unlock()
	options := &openapi3filter.Options{
		IncludeResponseStatus: true, MultiError: true, AuthenticationFunc: openapi3filter.NoopAuthenticationFunc,
	}
	input := &openapi3filter.RequestValidationInput{Request: request, PathParams: parameters, Route: route, Options: options}
	if r.Status < http.StatusBadRequest {
		request.Body = http.NoBody
		if sent := withoutEmpty(request.Header.Get("Content-Type"), body); sent != "" {
			request.Body = io.NopCloser(strings.NewReader(sent))
		}
		if err := openapi3filter.ValidateRequest(context.Background(), input); err != nil {
			t.Errorf("%s %s was answered, but is not as described: %v", request.Method, request.URL, err)
		}
	}
	err = openapi3filter.ValidateResponse(context.Background(), &openapi3filter.ResponseValidationInput{
		RequestValidationInput: input, Status: r.Status, Header: r.Header, Options: options,
		Body: io.NopCloser(bytes.NewReader(r.Body)),
	})
	if err != nil {
		t.Errorf("the answer to %s %s is not as described: %v", request.Method, request.URL, err)
	}
}

// withoutEmpty returns a form without its empty fields, which count as absent; a schema has no words for that.
func withoutEmpty(contentType, body string) string {
	if contentType != formType {
		return body
	}
	values, err := url.ParseQuery(body)
	if err != nil {
		return body
	}
	for name := range values {
		if values.Get(name) == "" {
			values.Del(name)
		}
	}
	return values.Encode()
}

// TestMain holds, after all tests, that they have seen every answer that is described. A few tests of many see less.
func TestMain(m *testing.M) {
	flag.Parse()
	code := m.Run()
	if unseen := theDescription.unseen(); code == 0 && allTestsRan() && len(unseen) > 0 {
		fmt.Printf("described, but seen in no test: %s\n", strings.Join(unseen, ", "))
		code = 1
	}
	os.Exit(code)
}

func allTestsRan() bool {
	for _, name := range []string{"test.run", "test.skip", "test.list", "test.fuzz"} {
		if flag.Lookup(name).Value.String() != "" {
			return false
		}
	}
	return true
}

// unseen returns the described answers that no test has seen. What every operation can answer when the server is in trouble is tested
// once, not with each of them.
func (d *description) unseen() []string {
	var unseen []string
	for _, item := range d.document.Paths.Map() {
		for _, operation := range item.Operations() {
			for status := range operation.Responses.Map() {
				answer := operation.OperationID + " " + status
				if inTrouble := status == "500" || status == "503" || status == "507"; !d.seen[answer] && !inTrouble {
					unseen = append(unseen, answer)
				}
			}
		}
	}
	slices.Sort(unseen)
	return unseen
}

func TestDescriptionIsValid(t *testing.T) {
	if err := theDescription.document.Validate(context.Background()); err != nil {
		t.Error(err)
	}
}

// TestDescriptionHasTheRoutes holds paths, methods and scopes against the table of routes, both ways.
func TestDescriptionHasTheRoutes(t *testing.T) {
	var routed, described []string
	for _, r := range New(nil, nil, Options{}).routes() {
		path := strings.NewReplacer(":project", "{project}", ":id", "{id}", ":number", "{number}", ":delivery", "{delivery}", ":check", "{check}").Replace(r.path)
		routed = append(routed, fmt.Sprintf("%s %s [%s]", r.method, path, r.scope))
	}
	for path, item := range theDescription.document.Paths.Map() {
		for method, operation := range item.Operations() {
			described = append(described, fmt.Sprintf("%s %s %v", method, path, scopesOf(operation)))
		}
	}
	slices.Sort(routed)
	slices.Sort(described)
	if !slices.Equal(routed, described) {
		t.Errorf("the routes are\n%s\nand described are\n%s", strings.Join(routed, "\n"), strings.Join(described, "\n"))
	}
}

func scopesOf(o *openapi3.Operation) []string {
	if len(*o.Security) == 0 {
		return []string{auth.Scope(0).String()}
	}
	return (*o.Security)[0]["key"]
}

// TestDescriptionHasTheListParameters holds the described parameters against sortfilter's tables.
func TestDescriptionHasTheListParameters(t *testing.T) {
	for path, table := range map[string][]sortfilter.Parameter{
		"/projects": sortfilter.ProjectParameters, "/reports": sortfilter.ReportParameters, "/keys": sortfilter.KeyParameters,
		"/projects/{project}/accepted": sortfilter.AcceptedParameters,
		"/schedules":                   sortfilter.ScheduleParameters, "/webhooks": sortfilter.WebhookParameters,
		"/webhooks/{id}/deliveries": sortfilter.DeliveryParameters,
	} {
		described := slices.DeleteFunc(slices.Clone(theDescription.document.Paths.Value(path).Get.Parameters), func(p *openapi3.ParameterRef) bool {
			return p.Value.Name == languageParameter // of no list alone
		})
		if len(described) != len(table) {
			t.Errorf("%s has %d parameters, %d are described", path, len(table), len(described))
		}
		for _, p := range table {
			found := described.GetByInAndName("query", p.Name)
			if found == nil {
				t.Errorf("%s: %s is not described", path, p.Name)
				continue
			}
			if got := len(found.Schema.Value.Enum); got != len(p.Enum) {
				t.Errorf("%s: %s has %d values, %d are described", path, p.Name, len(p.Enum), got)
			}
		}
	}
}

// TestDescriptionSuitsGenerators holds what generators of clients trip over: two components that get one name in a program, enums whose
// values have no type, and properties of bodies that a default makes look as if they were always there.
func TestDescriptionSuitsGenerators(t *testing.T) {
	var document object
	if err := json.Unmarshal(New(nil, nil, Options{}).Description(), &document); err != nil {
		t.Fatal(err)
	}
	names := map[string]string{}
	components := document["components"].(object)
	for _, kind := range []string{"schemas", "responses", "parameters", "requestBodies"} {
		for name := range components[kind].(object) {
			if other, twice := names[strings.ToLower(name)]; twice {
				t.Errorf("%s is one of %s and of %s", name, other, kind)
			}
			names[strings.ToLower(name)] = kind
		}
	}
	eachObject(document["paths"], func(schema object) { holdTyped(t, schema) })
	eachObject(components, func(schema object) { holdTyped(t, schema) })
	eachObject(components["schemas"], func(schema object) {
		if _, has := schema["default"]; has {
			t.Errorf("a schema with a default: %v", schema)
		}
	})
}

// holdTyped insists on the type of an enum.
func holdTyped(t *testing.T, schema object) {
	t.Helper()
	if _, isEnum := schema["enum"].([]any); isEnum && schema["type"] == nil {
		t.Errorf("an enum without a type: %v", schema)
	}
}

// eachObject calls visit for every object in a JSON value.
func eachObject(value any, visit func(object)) {
	switch v := value.(type) {
	case object:
		visit(v)
		for _, member := range v {
			eachObject(member, visit)
		}
	case []any:
		for _, member := range v {
			eachObject(member, visit)
		}
	}
}

func TestDescriptionIsServedToEverybody(t *testing.T) {
	s := newServer(t, Options{})
	first := s.must(http.StatusOK, call{path: "/openapi.json", key: "-"})
	if !bytes.Equal(first.Body, s.api.openapi) {
		t.Error("another document is served")
	}
	again := s.must(http.StatusNotModified, call{path: "/openapi.json", key: "-", header: http.Header{"If-None-Match": {first.Header.Get("ETag")}}})
	if len(again.Body) > 0 {
		t.Errorf("304 has a body: %s", again.Body)
	}
}
