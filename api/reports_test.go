package api

import (
	"bytes"
	"net"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"sitegrade/audit"
	"sitegrade/httpx/httpxtest"
)

func TestCreate(t *testing.T) {
	s := newServer(t, Options{})
	address := s.site.URL + "/page?b=1&a=<2>#part"
	made := s.post(http.StatusCreated, "url", address)
	r := s.record(made)
	if want := s.HTTP.URL + Base + "/reports/" + r.ID; made.Header.Get("Location") != want {
		t.Errorf("Location is %q, not %q", made.Header.Get("Location"), want)
	}
	if r.Status != "done" || r.Result == nil || r.Score == nil || r.GeneratedAt == nil || r.Error != nil || len(r.Checks) == 0 {
		t.Errorf("the report is not made: %s", made.Body)
	}
	if want := s.site.URL + "/page?b=1&a=%3C2%3E"; r.URL != want {
		t.Errorf("the address is %q, not %q", r.URL, want)
	}
	if want := strings.TrimPrefix(s.site.URL, "http://"); r.Project.Name != want {
		t.Errorf("the project is %q, not %q", r.Project.Name, want)
	}
	if r.Page == nil || r.Page.Title != "A page of a small local site" {
		t.Errorf("the page is %+v", r.Page)
	}
	if r.Privacy != 0 || r.ShareURL == nil || !regexp.MustCompile(`^`+s.HTTP.URL+`/r/[a-z2-7]{26}$`).MatchString(*r.ShareURL) {
		t.Errorf("the report is not public: %s", made.Body)
	}
	if made.Header.Get("Preference-Applied") != "" {
		t.Error("a preference was applied that nobody had")
	}
	shown := s.get(http.StatusOK, "/reports/"+r.ID)
	if !bytes.Equal(shown.Body, made.Body) || shown.Header.Get("ETag") != made.Header.Get("ETag") {
		t.Errorf("made was\n%s\nand shown is\n%s", made.Body, shown.Body)
	}
}

func TestTimesHaveMilliseconds(t *testing.T) {
	s := newServer(t, Options{})
	made := s.post(http.StatusCreated, "url", s.site.URL)
	times := regexp.MustCompile(`"(?:created|updated|generated)_at":"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"`)
	if n := len(times.FindAll(made.Body, -1)); n != 3 {
		t.Errorf("%d times are spelt so in %s", n, made.Body)
	}
}

func TestPrivacyAndPassword(t *testing.T) {
	s := newServer(t, Options{})
	made := s.post(http.StatusCreated, "url", s.site.URL, "privacy", "2", "password", "open sesame")
	path := "/reports/" + s.record(made).ID
	steps := []struct {
		name    string
		fields  []string
		status  int
		privacy int
		shared  bool
	}{
		{"nothing", nil, 200, 2, true},
		{"privacy 2 keeps the password", []string{"privacy", "2"}, 200, 2, true},
		{"another password", []string{"password", "open barley"}, 200, 2, true},
		{"both", []string{"privacy", "2", "password", "x"}, 200, 2, true},
		{"leaving", []string{"privacy", "1"}, 200, 1, false},
		{"the password is forgotten", []string{"privacy", "2"}, 422, 1, false},
		{"an empty password is none", []string{"privacy", "2", "password", ""}, 422, 1, false},
		{"public", []string{"privacy", "0", "password", ""}, 200, 0, true},
		{"a password again", []string{"privacy", "2", "password", "y"}, 200, 2, true},
	}
	for _, step := range steps {
		changed := s.must(step.status, call{method: "PUT", path: path, form: form(step.fields...)})
		shown := s.get(http.StatusOK, path)
		if step.status == http.StatusOK && !bytes.Equal(changed.Body, shown.Body) {
			t.Errorf("%s: answered was %s, shown is %s", step.name, changed.Body, shown.Body)
		}
		if r := s.record(shown); r.Privacy != step.privacy || (r.ShareURL != nil) != step.shared {
			t.Errorf("%s: %s", step.name, shown.Body)
		}
		for _, secret := range []string{"sesame", "barley", "argon2", "password\""} {
			if strings.Contains(string(shown.Body), secret) {
				t.Errorf("%s: the answer tells of the password: %s", step.name, shown.Body)
			}
		}
	}
}

// TestUpdateOfNothing holds that an update without any field answers with the report as it is.
func TestUpdateOfNothing(t *testing.T) {
	s := newServer(t, Options{})
	made := s.post(http.StatusCreated, "url", s.site.URL)
	path := "/reports/" + s.record(made).ID
	for _, c := range []call{
		{method: "PUT"}, {method: "PATCH"}, {method: "PUT", json: "{}"}, {method: "PUT", form: form("privacy", "", "password", "", "results", "")},
		{method: "PUT", form: form("results", "0")},
	} {
		c.path = path
		if r := s.must(http.StatusOK, c); !bytes.Equal(r.Body, made.Body) {
			t.Errorf("%+v changes %s to %s", c, made.Body, r.Body)
		}
	}
	s.must(http.StatusPreconditionFailed, call{method: "PUT", path: path, header: http.Header{"If-Match": {`"0-0"`}}})
}

func TestRegenerate(t *testing.T) {
	s := newServer(t, Options{})
	before := s.record(s.post(http.StatusCreated, "url", s.site.URL+"/page", "privacy", "1"))
	path := "/reports/" + before.ID
	s.site.setTitle("Another title for the same page")
	after := s.record(s.must(http.StatusOK, call{method: "PUT", path: path, json: `{"results": 1}`}))
	if after.ID != before.ID || after.Page.Title != "Another title for the same page" || after.Privacy != 1 || !after.GeneratedAt.After(*before.GeneratedAt) {
		t.Errorf("before %+v, after %+v", before, after)
	}
	s.total("/reports", 1)
}

// TestRegenerationThatFails holds that the earlier result stays.
func TestRegenerationThatFails(t *testing.T) {
	s := newServer(t, Options{})
	before := s.record(s.post(http.StatusCreated, "url", s.site.URL+"/page"))
	s.site.Close()
	after := s.record(s.must(http.StatusOK, call{method: "PATCH", path: "/reports/" + before.ID, form: form("results", "1")}))
	if after.Status != "failed" || after.Error == nil || after.Error.Code != audit.CodeUnreachable {
		t.Errorf("after is %+v", after)
	}
	if *after.Score != *before.Score || !after.GeneratedAt.Equal(*before.GeneratedAt) || len(after.Checks) == 0 {
		t.Errorf("the earlier result has not stayed: %+v", after)
	}
}

func TestPagesThatCannotBeAudited(t *testing.T) {
	s := newServer(t, Options{})
	for address, code := range map[string]audit.Code{
		s.site.URL + "/image":              audit.CodeNotHTML,
		s.site.URL + "/loop":               audit.CodeRedirectLoop,
		"http://" + closedAddress(t) + "/": audit.CodeUnreachable,
	} {
		r := s.record(s.post(http.StatusCreated, "url", address))
		if r.Status != "failed" || r.Error == nil || r.Error.Code != code || r.Error.Detail == "" {
			t.Errorf("%s: %+v, %v", address, r, r.Error)
		}
		if r.Result != nil || r.Score != nil || r.GeneratedAt != nil || r.Page != nil {
			t.Errorf("%s has a result: %+v", address, r)
		}
	}
}

// closedAddress returns a local address where nobody listens.
func closedAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	return l.Addr().String()
}

// TestReportBeforeItsFirstSuccess holds that what is not known yet is null or empty, and there.
func TestReportBeforeItsFirstSuccess(t *testing.T) {
	s := newServer(t, Options{})
	made := s.must(http.StatusAccepted, call{
		method: "POST", path: "/reports", form: form("url", s.site.URL+"/slow"), header: http.Header{"Prefer": {"respond-async"}},
	})
	want := `"error":null,"final_url":null,"http_status":null,"redirects":[],"timings":null,"size":null,"transfer_size":null,` +
		`"grader_version":null,"why":null,"summary":null,"categories":[],"checks":[],"page":null}}`
	if !strings.Contains(string(made.Body), want) {
		t.Errorf("%s has not %s", made.Body, want)
	}
	if !strings.Contains(string(made.Body), `"result":null,"score":null,`) || !strings.Contains(string(made.Body), `"generated_at":null,`) {
		t.Errorf("%s", made.Body)
	}
	close(s.site.gate)
}

func TestDeleteReport(t *testing.T) {
	s := newServer(t, Options{})
	r := s.record(s.post(http.StatusCreated, "url", s.site.URL))
	deleted := s.must(http.StatusNoContent, call{method: "DELETE", path: "/reports/" + r.ID})
	if len(deleted.Body) > 0 || deleted.Header.Get("Content-Type") != "" {
		t.Errorf("204 has a body: %s, %v", deleted.Body, deleted.Header)
	}
	s.get(http.StatusNotFound, "/reports/"+r.ID)
	s.must(http.StatusNotFound, call{method: "DELETE", path: "/reports/" + r.ID})
	s.total("/reports", 0)
}

func TestDeletedWhileItIsMade(t *testing.T) {
	s := newServer(t, Options{})
	answered := make(chan httpxtest.Response)
	go func() {
		answered <- s.do(call{method: "POST", path: "/reports", form: form("url", s.site.URL+"/slow")})
	}()
	<-s.site.arrived
	var list struct{ Data []record }
	s.decode(s.get(http.StatusOK, "/reports"), &list)
	if len(list.Data) != 1 || list.Data[0].Status != "running" {
		t.Fatalf("the list is %+v", list.Data)
	}
	s.must(http.StatusNoContent, call{method: "DELETE", path: "/reports/" + list.Data[0].ID})
	close(s.site.gate)
	if r := <-answered; r.Status != http.StatusNotFound {
		t.Errorf("status %d: %s", r.Status, r.Body)
	}
}
