package audit

import (
	"encoding/json"
	"reflect"
	"testing"
)

func TestKeptReportsAreTheSameAgain(t *testing.T) {
	r := grade(exampleFacts(t, "<title>Toys</title><h1>Toys|\\</h1><input><p>Toys of maple"))
	r.Checks = append(r.Checks, Outcome{ID: "imported", Status: Failed, Title: "A title", Detail: "Words of an earlier version.", Advice: "Mend it.", Evidence: []Evidence{}})
	stored, err := json.Marshal(Keep(r))
	if err != nil {
		t.Fatal(err)
	}
	var kept Kept
	if err := json.Unmarshal(stored, &kept); err != nil {
		t.Fatal(err)
	}
	got, err := kept.Found()
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range r.Checks {
		if o := got.Checks[i]; o.Said.Compact() != want.Said.Compact() || o.Detail != want.Detail || o.Title != want.Title || o.Advice != want.Advice {
			t.Errorf("%+v is read as %+v", want, o)
		}
	}
	if got.WhySaid.Compact() != r.WhySaid.Compact() {
		t.Errorf("%q is read as %q", r.WhySaid.Compact(), got.WhySaid.Compact())
	}
	shown, _ := json.Marshal(got)
	if want, _ := json.Marshal(r); string(shown) != string(want) {
		t.Errorf("%s\nis read as\n%s", want, shown)
	}
	if len(stored) >= len(shown) {
		t.Errorf("stored in %d bytes, where its words have %d", len(stored), len(shown))
	}
	if !reflect.DeepEqual(got.In("en"), got) {
		t.Error("in English it is another report")
	}
}

func TestKeptReportsOfEarlierVersions(t *testing.T) {
	var kept Kept
	if err := json.Unmarshal([]byte(`{"why":"Nothing.","score":3,"checks":[{"id":"h1","title":"T","detail":"D","advice":"A","evidence":[],"source":"S"}]}`), &kept); err != nil {
		t.Fatal(err)
	}
	r, err := kept.Found()
	if err != nil || r.Why != "Nothing." || r.Score != 3 || r.Checks[0].Title != "T" || r.Checks[0].Detail != "D" || r.Checks[0].Advice != "A" || r.Checks[0].Source != "S" {
		t.Errorf("%+v, %v", r, err)
	}
	kept.Checks[0].Said = "h1.x|?"
	if _, err := kept.Found(); err == nil {
		t.Error("a sentence that is none is no error")
	}
}
