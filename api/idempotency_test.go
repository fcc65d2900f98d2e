package api

import (
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/google/uuid"

	"sitegrade/db"
	"sitegrade/httpx/httpxtest"
)

// once returns a create with an idempotency key.
func once(key string, fields ...string) call {
	return call{method: "POST", path: "/reports", form: form(fields...), header: http.Header{idempotencyHeader: {key}}}
}

func TestIdempotentCreate(t *testing.T) {
	s := newServer(t, Options{})
	first := s.must(http.StatusCreated, once("k1", "url", s.site.URL, "privacy", "2", "password", "x"))
	s.must(http.StatusOK, call{method: "PUT", path: "/reports/" + s.record(first).ID, form: form("privacy", "0")})
	again := s.must(http.StatusCreated, once("k1", "url", s.site.URL, "privacy", "2", "password", "x"))
	if !bytes.Equal(first.Body, again.Body) {
		t.Errorf("first %s, again %s", first.Body, again.Body)
	}
	for _, name := range []string{"Location", "ETag", "Content-Type"} {
		if first.Header.Get(name) != again.Header.Get(name) {
			t.Errorf("%s was %q and is %q", name, first.Header.Get(name), again.Header.Get(name))
		}
	}
	s.total("/reports", 1)
	s.must(http.StatusCreated, once("k2", "url", s.site.URL))
	s.total("/reports", 2)
}

// TestIdempotentAnswerInBothForms holds that a form and JSON that ask for the same are the same request.
func TestIdempotentAnswerInBothForms(t *testing.T) {
	s := newServer(t, Options{})
	first := s.must(http.StatusCreated, once("k", "url", s.site.URL, "privacy", "1"))
	c := call{method: "POST", path: "/reports", json: `{"privacy": 1, "url": "` + s.site.URL + `"}`, header: http.Header{idempotencyHeader: {"k"}}}
	if again := s.must(http.StatusCreated, c); !bytes.Equal(first.Body, again.Body) {
		t.Errorf("first %s, again %s", first.Body, again.Body)
	}
	s.total("/reports", 1)
}

func TestIdempotencyKeyForAnotherBody(t *testing.T) {
	s := newServer(t, Options{})
	s.must(http.StatusCreated, once("k", "url", s.site.URL))
	for _, fields := range [][]string{
		{"url", s.site.URL + "/other"}, {"url", s.site.URL, "privacy", "1"}, {"url", s.site.URL, "project", "x"},
		{"url", s.site.URL, "privacy", "2", "password", "x"},
	} {
		s.refused(http.StatusUnprocessableEntity, "idempotency_key_reused", once("k", fields...))
	}
	s.total("/reports", 1)
	other := once("k", "url", s.site.URL+"/other")
	other.key = s.other
	s.must(http.StatusCreated, other)
}

func TestIdempotentRequestInFlight(t *testing.T) {
	s := newServer(t, Options{})
	answered := make(chan httpxtest.Response)
	go func() { answered <- s.do(once("k", "url", s.site.URL+"/slow")) }()
	<-s.site.arrived
	conflict := s.must(http.StatusConflict, once("k", "url", s.site.URL+"/slow"))
	if conflict.Header.Get("Retry-After") == "" {
		t.Error("409 has no Retry-After")
	}
	s.problem(conflict)
	s.refused(http.StatusUnprocessableEntity, "idempotency_key_reused", once("k", "url", s.site.URL+"/other"))
	close(s.site.gate)
	first := <-answered
	if again := s.must(http.StatusCreated, once("k", "url", s.site.URL+"/slow")); !bytes.Equal(first.Body, again.Body) {
		t.Errorf("first %s, again %s", first.Body, again.Body)
	}
	s.total("/reports", 1)
}

// TestIdempotentAnswerOfACreateThatWaited holds that 202 is repeated too, although the report is done by then.
func TestIdempotentAnswerOfACreateThatWaited(t *testing.T) {
	s := newServer(t, Options{})
	c := once("k", "url", s.site.URL+"/slow")
	c.header.Set("Prefer", "respond-async")
	first := s.must(http.StatusAccepted, c)
	close(s.site.gate)
	c.header.Set("Prefer", "wait=20")
	again := s.must(http.StatusAccepted, c)
	if !bytes.Equal(first.Body, again.Body) || again.Header.Get("Preference-Applied") != "respond-async" || again.Header.Get("Retry-After") == "" {
		t.Errorf("first %s, again %s, %v", first.Body, again.Body, again.Header)
	}
}

// TestIdempotentCreateWithoutAnswer has the report of a server that died before it could answer: it is answered as it is now.
func TestIdempotentCreateWithoutAnswer(t *testing.T) {
	s := newServer(t, Options{})
	stored, err := s.Store.CreateReport(context.Background(), "default", db.NewReport{URL: s.site.URL, IdempotencyKey: "k"})
	if err != nil {
		t.Fatal(err)
	}
	answered := s.must(http.StatusCreated, once("k", "url", s.site.URL))
	if r := s.record(answered); r.ID != stored.ID.String() || r.Status != "done" {
		t.Errorf("%s", answered.Body)
	}
	if again := s.must(http.StatusCreated, once("k", "url", s.site.URL)); !bytes.Equal(answered.Body, again.Body) {
		t.Errorf("first %s, again %s", answered.Body, again.Body)
	}
	s.must(http.StatusUnprocessableEntity, once("k", "url", s.site.URL+"/other"))
	s.total("/reports", 1)
}

// TestIdempotentCreateOfManyWithoutResponse has the reports of a server that died before it could respond.
func TestIdempotentCreateOfManyWithoutResponse(t *testing.T) {
	s := newServer(t, Options{})
	urls := []string{s.site.URL + "/1", "nonsense", s.site.URL + "/2"}
	asked := db.NewReport{URL: strings.Join(urls, "\n"), IdempotencyKey: "k"}
	stored, err := s.Store.CreateReports(context.Background(), "default", asked, urls[0], urls[2])
	if err != nil {
		t.Fatal(err)
	}
	c := call{method: "POST", path: "/reports", form: url.Values{"urls[]": urls}, header: http.Header{idempotencyHeader: {"k"}}}
	want := func(codes ...string) {
		t.Helper()
		var many struct {
			Data []struct {
				Report *record
				Error  *struct{ Code string }
			}
		}
		s.decode(s.must(http.StatusAccepted, c), &many)
		for i, row := range many.Data {
			switch made := stored[i/2].ID.String(); {
			case codes[i] != "" && (row.Error == nil || row.Error.Code != codes[i] || row.Report != nil):
				t.Errorf("row %d is %+v, not %s", i, row, codes[i])
			case codes[i] == "" && (row.Report == nil || row.Report.ID != made || row.Error != nil):
				t.Errorf("row %d is %+v, not report %s", i, row, made)
			}
		}
		if len(many.Data) != len(codes) {
			t.Errorf("%d rows", len(many.Data))
		}
	}
	want("", "invalid", "")
	want("", "invalid", "")
	s.must(http.StatusNoContent, call{method: "DELETE", path: "/reports/" + stored[0].ID.String()})
	want("deleted", "invalid", "")
	c.form = url.Values{"urls[]": urls[:2]}
	s.refused(http.StatusUnprocessableEntity, "idempotency_key_reused", c)
	s.total("/reports", 1)
}

func TestIdempotencyKeysThatAreNone(t *testing.T) {
	s := newServer(t, Options{})
	for _, values := range [][]string{{""}, {"a", "a"}, {strings.Repeat("k", 256)}, {"a b"}, {"é"}} {
		c := once("", "url", s.site.URL)
		c.header[idempotencyHeader] = values
		s.refused(http.StatusBadRequest, "malformed", c)
	}
	s.must(http.StatusCreated, once(strings.Repeat("k", 255), "url", s.site.URL))
	s.total("/reports", 1)
}

func TestStoredAnswersRoundTrip(t *testing.T) {
	made := response{status: 201, header: http.Header{"Location": {"http://x/" + uuid.NewString()}, "Etag": {`"1-a"`}}, body: []byte("{\"a\": 1}\n\r\n\r\n")}
	sent := httptest.NewRecorder()
	x := &request{ResponseWriter: sent, r: httptest.NewRequest(http.MethodPost, Base+"/reports", nil)}
	if err := x.repeat(db.KeptResponse{Status: made.status, Response: made.stored()}); err != nil {
		t.Fatal(err)
	}
	if sent.Code != made.status || !bytes.Equal(sent.Body.Bytes(), made.body) || sent.Header().Get("Location") != made.header.Get("Location") {
		t.Errorf("%d %v %q", sent.Code, sent.Header(), sent.Body)
	}
	if err := x.repeat(db.KeptResponse{Status: 201, Response: []byte("no headers")}); err == nil {
		t.Error("a damaged answer is repeated")
	}
}
