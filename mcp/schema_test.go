package mcp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"sitegrade/audit"
)

// holdToSchema holds the structured content of an answer to the output schema that the tool shows.
func holdToSchema(t testing.TB, tool string, structured json.RawMessage) {
	t.Helper()
	for _, shown := range readTools() {
		if shown.Name != tool {
			continue
		}
		text, err := json.Marshal(shown.OutputSchema)
		if err != nil {
			t.Fatal(err)
		}
		var schema jsonschema.Schema
		if err := json.Unmarshal(text, &schema); err != nil {
			t.Fatal(err)
		}
		resolved, err := schema.Resolve(nil)
		if err != nil {
			t.Fatal(err)
		}
		var value any
		if err := json.Unmarshal(structured, &value); err != nil {
			t.Fatal(err)
		}
		if err := resolved.Validate(value); err != nil {
			t.Errorf("%s: %v: %s", tool, err, structured)
		}
	}
}

// bytesPerToken is how many bytes of English and JSON a token is, about.
const bytesPerToken = 4

// TestToolsAreListedInFewTokens holds the list of tools to 3,000 tokens, and to the table of what they do.
func TestToolsAreListedInFewTokens(t *testing.T) {
	s := newServer(t, Options{})
	r := s.post(s.key, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, nil)
	if tokens := len(r.Body) / bytesPerToken; tokens >= 3000 {
		t.Errorf("the list takes %d tokens", tokens)
	}
	var got struct {
		Result struct {
			Tools []struct {
				Name, Description         string
				InputSchema, OutputSchema map[string]any
			}
		}
	}
	if err := json.Unmarshal(r.Body, &got); err != nil {
		t.Fatal(err)
	}
	if len(got.Result.Tools) != len(tools) {
		t.Errorf("%d tools are listed, %d are there", len(got.Result.Tools), len(tools))
	}
	for _, shown := range got.Result.Tools {
		if _, there := tools[shown.Name]; !there || shown.Description == "" || shown.InputSchema == nil || shown.OutputSchema == nil {
			t.Errorf("%+v", shown)
		}
	}
}

// TestASummaryTakesFewTokens holds the answer to an audit of a page with as many faults as there can be to 2,000 tokens.
func TestASummaryTakesFewTokens(t *testing.T) {
	s := newServer(t, Options{})
	var page bytes.Buffer
	for i := range 300 {
		fmt.Fprintf(&page, "<img src='/%d.png?a&b&<c>&\"é'><a href='javascript:void(%[1]d)'>click here</a><h1></h1><div id=x tabindex=4 lang=qqq>", i)
	}
	r := s.must("audit_page", map[string]any{"url": s.site.put("/", page.String())})
	if r.cursor() == "" || len(r.list("checks")) < 5 {
		t.Errorf("the page has too few faults: %s", r.text)
	}
	if tokens := max(len(r.text), len(r.raw)) / bytesPerToken; tokens >= 2000 {
		t.Errorf("the summary takes %d tokens", tokens)
	}
	if !bytes.HasPrefix(r.raw, []byte(`{"score":`)) {
		t.Errorf("the score is not at the top: %.100s", r.raw)
	}
}

// TestEveryCheckIsExplained holds the explanations of all checks to the size of an answer.
func TestEveryCheckIsExplained(t *testing.T) {
	for _, e := range audit.Explanations() {
		a, err := (*Server)(nil).explainCheck(t.Context(), "", checkArgs{e.ID})
		if err != nil || !a.fits() {
			t.Errorf("%s: %v, %d bytes", e.ID, err, len(a.text))
		}
	}
}
