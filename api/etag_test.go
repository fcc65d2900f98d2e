package api

import (
	"net/http"
	"strings"
	"testing"
)

func TestEntityTags(t *testing.T) {
	tests := []struct {
		lines        []string
		strong, weak bool // whether "a" matches
	}{
		{nil, false, false},
		{[]string{""}, false, false},
		{[]string{"*"}, true, true},
		{[]string{` * `}, true, true},
		{[]string{`"a"`}, true, true},
		{[]string{`W/"a"`}, false, true},
		{[]string{`w/"a"`}, false, false},
		{[]string{`"b"`}, false, false},
		{[]string{`"b", "a"`}, true, true},
		{[]string{`"b" ,, W/"c",	"a"`}, true, true},
		{[]string{`"b"`, `"a"`}, true, true},
		{[]string{`"x,"a"`}, false, false},
		{[]string{`"b,c", "a"`}, true, true},
		{[]string{`a`}, false, false},
		{[]string{`"a`}, false, false},
		{[]string{`"b", *`}, false, false},
	}
	isA := func(opaque string) bool { return opaque == "a" }
	for _, test := range tests {
		tags := parseTags(test.lines)
		if tags.matchStrong(isA) != test.strong || tags.matchWeak(isA) != test.weak {
			t.Errorf("%q: %+v", test.lines, tags)
		}
	}
}

// TestConditionalReads has both kinds of records.
func TestConditionalReads(t *testing.T) {
	s := newServer(t, Options{})
	id := s.record(s.post(http.StatusCreated, "url", s.site.URL, "project", "p")).ID
	for _, path := range []string{"/reports/" + id, "/projects/p"} {
		tag := s.get(http.StatusOK, path).Header.Get("ETag")
		if !strings.HasPrefix(tag, `"`) {
			t.Errorf("%s: the tag %s is not strong", path, tag)
		}
		for condition, status := range map[string]int{
			tag: 304, "W/" + tag: 304, "*": 304, `"x", ` + tag: 304, `"x"`: 200, strings.Trim(tag, `"`): 200, "": 200,
		} {
			for _, method := range []string{http.MethodGet, http.MethodHead} {
				r := s.must(status, call{method: method, path: path, header: http.Header{"If-None-Match": {condition}}})
				if r.Header.Get("ETag") != tag || r.Header.Get("Cache-Control") != "private, no-cache" {
					t.Errorf("%s %s: %v", method, path, r.Header)
				}
				if status == http.StatusNotModified && (len(r.Body) > 0 || r.Header.Get("Content-Type") != "") {
					t.Errorf("304 has a body: %v %s", r.Header, r.Body)
				}
			}
		}
	}
}

// TestTagsFollowWhatIsShown holds that a tag is another one as soon as anything in the answer is.
func TestTagsFollowWhatIsShown(t *testing.T) {
	s := newServer(t, Options{})
	made := s.must(http.StatusAccepted, call{method: "POST", path: "/reports", form: form("url", s.site.URL+"/slow", "project", "p"), header: http.Header{"Prefer": {"respond-async"}}})
	path := "/reports/" + s.record(made).ID
	tags := map[string]string{}
	remember := func(state, path string) {
		t.Helper()
		r := s.get(http.StatusOK, path)
		if other, known := tags[r.Header.Get("ETag")]; known && other != string(r.Body) {
			t.Errorf("%s: another body has the same tag", state)
		}
		tags[r.Header.Get("ETag")] = string(r.Body)
	}
	<-s.site.arrived
	remember("running", path)
	remember("running", "/projects/p")
	close(s.site.gate)
	s.must(http.StatusOK, call{method: "PUT", path: path, form: form("results", "1")})
	remember("done", path)
	remember("done", "/projects/p")
	s.must(http.StatusOK, call{method: "PUT", path: path, form: form("privacy", "1")})
	remember("private", path)
	s.post(http.StatusCreated, "url", s.site.URL+"/copy", "project", "p")
	remember("with a copy in the project", path)
	remember("with two reports", "/projects/p")
	s.must(http.StatusOK, call{method: "PUT", path: path, form: form("privacy", "0")})
	s.elsewhere = true
	remember("elsewhere", path)
	if len(tags) < 7 {
		t.Errorf("there are %d tags", len(tags))
	}
}

// TestConditionalWrites has every method that changes a record.
func TestConditionalWrites(t *testing.T) {
	s := newServer(t, Options{})
	made := s.post(http.StatusCreated, "url", s.site.URL, "project", "p")
	path, old := "/reports/"+s.record(made).ID, made.Header.Get("ETag")
	current := s.must(http.StatusOK, call{method: "PUT", path: path, form: form("privacy", "1"), header: http.Header{"If-Match": {old}}}).Header.Get("ETag")
	if current == old {
		t.Fatal("a change leaves the tag")
	}
	refused := []http.Header{
		{"If-Match": {old}}, {"If-Match": {"W/" + current}}, {"If-Match": {`"x"`}}, {"If-Match": {""}}, {"If-Match": {strings.Trim(current, `"`)}},
		{"If-None-Match": {"*"}}, {"If-None-Match": {current}}, {"If-Match": {current}, "If-None-Match": {"W/" + current}},
	}
	for _, header := range refused {
		for _, c := range []call{
			{method: "PUT", path: path, form: form("privacy", "0")}, {method: "PATCH", path: path, form: form("results", "1")}, {method: "DELETE", path: path},
		} {
			c.header = header
			s.refused(http.StatusPreconditionFailed, "precondition_failed", c)
		}
	}
	if after := s.get(http.StatusOK, path); after.Header.Get("ETag") != current {
		t.Error("a refused change was made")
	}
	for _, before := range []string{"", `"x", W/"y", `} {
		c := call{method: "PATCH", path: path, form: form("privacy", "1"), header: http.Header{"If-Match": {before + current}}}
		current = s.must(http.StatusOK, c).Header.Get("ETag")
	}
	current = s.must(http.StatusOK, call{method: "PUT", path: path, form: form("privacy", "1"), header: http.Header{"If-Match": {"*"}}}).Header.Get("ETag")
	s.must(http.StatusNoContent, call{method: "DELETE", path: path, header: http.Header{"If-Match": {current}}})
	s.must(http.StatusNotFound, call{method: "DELETE", path: path, header: http.Header{"If-Match": {"*"}}})
}

func TestConditionalDeleteOfAProject(t *testing.T) {
	s := newServer(t, Options{})
	s.post(http.StatusCreated, "url", s.site.URL, "project", "p")
	old := s.get(http.StatusOK, "/projects/p").Header.Get("ETag")
	s.post(http.StatusCreated, "url", s.site.URL+"/2", "project", "p")
	for _, header := range []http.Header{{"If-Match": {old}}, {"If-None-Match": {"*"}}} {
		s.refused(http.StatusPreconditionFailed, "precondition_failed", call{method: "DELETE", path: "/projects/p", header: header})
	}
	s.total("/reports", 2)
	current := s.get(http.StatusOK, "/projects/p").Header.Get("ETag")
	s.must(http.StatusNoContent, call{method: "DELETE", path: "/projects/p", header: http.Header{"If-Match": {current}}})
	s.total("/reports", 0)
}

// TestTagOutlivesTheServersAddress holds that a change is not refused because the client has come by another name of the server.
func TestTagOutlivesTheServersAddress(t *testing.T) {
	s := newServer(t, Options{})
	made := s.post(http.StatusCreated, "url", s.site.URL)
	s.elsewhere = true
	path := "/reports/" + s.record(made).ID
	if now := s.get(http.StatusOK, path).Header.Get("ETag"); now == made.Header.Get("ETag") {
		t.Error("another share_url has the same tag")
	}
	s.must(http.StatusOK, call{method: "PUT", path: path, form: form("privacy", "1"), header: http.Header{"If-Match": {made.Header.Get("ETag")}}})
}
