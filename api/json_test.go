package api

import (
	"encoding/json"
	"testing"

	"sitegrade/audit"
	"sitegrade/db"
)

// TestFoundFieldsAreAll holds that every field of audit.Report is shown, so that a new one is not forgotten.
func TestFoundFieldsAreAll(t *testing.T) {
	var whole, shown map[string]json.RawMessage
	stored, err := json.Marshal(audit.Report{})
	if err != nil {
		t.Fatal(err)
	}
	document, err := AppendReport(nil, db.Report{}, &audit.Report{}, "")
	if err != nil {
		t.Fatal(err)
	}
	for text, into := range map[string]*map[string]json.RawMessage{string(stored): &whole, string(document): &shown} {
		if err := json.Unmarshal([]byte(text), into); err != nil {
			t.Fatalf("%v in %s", err, text)
		}
	}
	for name := range whole {
		if _, ok := shown[name]; !ok {
			t.Errorf("%s is not shown", name)
		}
	}
}
