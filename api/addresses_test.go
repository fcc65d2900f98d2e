package api

import (
	"net/http"
	"strings"
	"testing"
)

func TestCreateOfManyAddresses(t *testing.T) {
	s := newServer(t, Options{})
	type row struct {
		URL    string
		Report *record
		Error  *struct{ Code, Detail string }
	}
	var many struct{ Data []row }
	good := s.site.URL + "/page?a=1,2"
	once := call{
		method: "POST", path: "/reports", json: `{"urls":["` + good + `","ftp://example.com/","` + good + `#part"],"project":"p","privacy":1}`,
		header: http.Header{idempotencyHeader: {"k"}},
	}
	first := s.must(http.StatusAccepted, once)
	s.decode(first, &many)
	if len(many.Data) != 3 || many.Data[0].Report == nil || many.Data[1].Error == nil || many.Data[1].Report != nil || many.Data[2].URL != good+"#part" {
		t.Fatalf("the response is %s", first.Body)
	}
	if r := many.Data[2].Report; r.URL != good || r.Privacy != 1 || r.Project.Name != "p" || r.ID == many.Data[0].Report.ID {
		t.Errorf("the last report is %+v", r)
	}
	if again := s.must(http.StatusAccepted, once); string(again.Body) != string(first.Body) {
		t.Errorf("repeated the response is %s", again.Body)
	}
	once.json = `{"urls":["` + good + `"]}`
	s.refused(http.StatusUnprocessableEntity, "idempotency_key_reused", once)
	s.decode(s.must(http.StatusAccepted, call{method: "POST", path: "/reports", form: map[string][]string{"urls[]": {good, "x"}}}), &many)
	if len(many.Data) != 2 || many.Data[0].Report == nil || many.Data[1].Error == nil {
		t.Errorf("of a form the response is %+v", many)
	}
	for body, want := range map[string]string{
		`{"urls":[]}`: "urls",
		`{"urls":["` + good + `"],"url":"` + good + `"}`:                       "urls",
		`{"urls":["` + strings.Repeat(good+`","`, maxAddresses) + good + `"]}`: "urls",
		`{"urls":["` + good + `"],"privacy":2,"project":"a/b"}`:                "password project",
		`{"urls":"` + good + `"}`:                                              "urls",
		`{"urls":["` + good + `"],"privacy":7}`:                                "privacy",
	} {
		if got := s.refused(http.StatusUnprocessableEntity, "invalid", call{method: "POST", path: "/reports", json: body}); got != want {
			t.Errorf("%.60s: wrong are %q, not %q", body, got, want)
		}
	}
}
