package api

import (
	"encoding/json"
	"net/http"
	"net/url"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"sitegrade/weburl"
)

// TestBodiesThatCannotBeRead has what is refused before any field is looked at.
func TestBodiesThatCannotBeRead(t *testing.T) {
	s := newServer(t, Options{})
	id := s.record(s.post(http.StatusCreated, "url", s.site.URL+"/")).ID
	tests := []struct {
		name, contentType, body string
		status                  int
		problem                 string
	}{
		{"text", "text/plain", "url=http://example.com/", 415, "unsupported_media_type"},
		{"no type", "-", "url=http://example.com/", 415, "unsupported_media_type"},
		{"multipart", "multipart/form-data; boundary=x", "--x--", 415, "unsupported_media_type"},
		{"a type that is none", "json", "{}", 415, "unsupported_media_type"},
		{"JSON of another kind", "application/problem+json", "{}", 415, "unsupported_media_type"},
		{"another charset", "application/json; charset=iso-8859-1", "{}", 415, "unsupported_media_type"},
		{"nothing as JSON", jsonType, "", 400, "malformed"},
		{"half an object", jsonType, `{"privacy": 1`, 400, "malformed"},
		{"half a member", jsonType, `{"privacy"`, 400, "malformed"},
		{"a comma too many", jsonType, `{"privacy": 1,}`, 400, "malformed"},
		{"a missing colon", jsonType, `{"privacy" 1}`, 400, "malformed"},
		{"single quotes", jsonType, `{'privacy': 1}`, 400, "malformed"},
		{"a name that is no string", jsonType, `{1: 1}`, 400, "malformed"},
		{"an array", jsonType, `[]`, 400, "malformed"},
		{"null", jsonType, `null`, 400, "malformed"},
		{"a string", jsonType, `"url"`, 400, "malformed"},
		{"two objects", jsonType, `{} {}`, 400, "malformed"},
		{"something behind", jsonType, `{}]`, 400, "malformed"},
		{"a duplicate", jsonType, `{"privacy": 1, "privacy": 1}`, 400, "malformed"},
		{"an escaped duplicate", jsonType, `{"privacy": 1, "\u0070rivacy": 2}`, 400, "malformed"},
		{"a duplicate of nothing known", jsonType, `{"x": 1, "x": 1}`, 400, "malformed"},
		{"too deep", jsonType, `{"x":` + strings.Repeat("[", 20_000), 400, "malformed"},
		{"JSON in another encoding", jsonType, "{\"password\": \"\xff\"}", 400, "malformed"},
		{"a form with a duplicate", formType, "privacy=1&privacy=1", 400, "malformed"},
		{"a form with an escaped duplicate", formType, "privacy=1&%70rivacy=1", 400, "malformed"},
		{"a form with a broken escape", formType, "password=100%", 400, "malformed"},
		{"a form with a broken name", formType, "%zz=1", 400, "malformed"},
		{"a form in another encoding", formType, "password=%FF", 400, "malformed"},
		{"raw bytes in a form", formType, "password=\xff", 400, "malformed"},
		{"too large", formType, "password=" + strings.Repeat("x", maxBody), 413, "body_too_large"},
		{"too large as JSON", jsonType, `{"password": "` + strings.Repeat("x", maxBody) + `"}`, 413, "body_too_large"},
	}
	before := s.get(http.StatusOK, "/reports/"+id).Header.Get("ETag")
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			header := http.Header{"Content-Type": {test.contentType}}
			if test.contentType == "-" {
				header = http.Header{"Content-Type": nil}
			}
			inner := *s
			inner.TB = t
			for _, c := range []call{{method: "POST", path: "/reports"}, {method: "PUT", path: "/reports/" + id}, {method: "PATCH", path: "/reports/" + id}} {
				c.json, c.header = test.body, header
				inner.refused(test.status, test.problem, c)
			}
		})
	}
	s.refused(http.StatusUnsupportedMediaType, "unsupported_media_type", call{
		method: "POST", path: "/reports", json: "{}", header: http.Header{"Content-Encoding": {"gzip"}},
	})
	if after := s.get(http.StatusOK, "/reports/"+id).Header.Get("ETag"); after != before {
		t.Error("a refused update has changed the report")
	}
	s.total("/reports", 1)
}

// total insists on the number of rows that a list has in all.
func (s *server) total(path string, want int) {
	s.Helper()
	var list struct{ Meta struct{ Total int } }
	s.decode(s.get(http.StatusOK, path), &list)
	if list.Meta.Total != want {
		s.Errorf("%s has %d rows, not %d", path, list.Meta.Total, want)
	}
}

// TestFieldsThatAreWrong has what is refused by name; every wrong field is named at once, and nothing is stored.
func TestFieldsThatAreWrong(t *testing.T) {
	s := newServer(t, Options{Forbidden: func(u *weburl.URL) bool { return strings.HasPrefix(u.Host(), "10.") }})
	long := strings.Repeat("x", 2048)
	tests := []struct{ name, body, wrong string }{
		{"nothing", `{}`, "url"},
		{"an empty address", `{"url": ""}`, "url"},
		{"a relative address", `{"url": "/page"}`, "url"},
		{"no scheme", `{"url": "example.com"}`, "url"},
		{"another scheme", `{"url": "ftp://example.com/"}`, "url"},
		{"user information", `{"url": "http://user:secret@example.com/"}`, "url"},
		{"no host", `{"url": "http:///"}`, "url"},
		{"too long", `{"url": "http://example.com/` + long + `"}`, "url"},
		{"an address that is not contacted", `{"url": "http://10.0.0.1/"}`, "url"},
		{"a number", `{"url": 1}`, "url"},
		{"null", `{"url": null}`, "url"},
		{"an array", `{"url": ["http://example.com/"]}`, "url"},
		{"an object", `{"url": {}}`, "url"},
		{"privacy as text", `{"url": "http://example.com/", "privacy": "1"}`, "privacy"},
		{"privacy as a truth", `{"url": "http://example.com/", "privacy": true}`, "privacy"},
		{"half a privacy", `{"url": "http://example.com/", "privacy": 0.5}`, "privacy"},
		{"privacy 3", `{"url": "http://example.com/", "privacy": 3}`, "privacy"},
		{"privacy 256", `{"url": "http://example.com/", "privacy": 256}`, "privacy"},
		{"privacy -1", `{"url": "http://example.com/", "privacy": -1}`, "privacy"},
		{"privacy 1e99", `{"url": "http://example.com/", "privacy": 1e99}`, "privacy"},
		{"privacy 1e999", `{"url": "http://example.com/", "privacy": 1e999}`, "privacy"},
		{"no password", `{"url": "http://example.com/", "privacy": 2}`, "password"},
		{"an empty password", `{"url": "http://example.com/", "privacy": 2, "password": ""}`, "password"},
		{"a password too many", `{"url": "http://example.com/", "privacy": 1, "password": "x"}`, "password"},
		{"a long password", `{"url": "http://example.com/", "privacy": 2, "password": "` + long[:129] + `"}`, "password"},
		{"a project with a slash", `{"url": "http://example.com/", "project": "a/b"}`, "project"},
		{"a long project", `{"url": "http://example.com/", "project": "` + long[:101] + `"}`, "project"},
		{"a project with a control character", `{"url": "http://example.com/", "project": "a\u0000b"}`, "project"},
		{"an unknown field", `{"url": "http://example.com/", "URL": "http://example.com/"}`, "URL"},
		{"a field of an update", `{"url": "http://example.com/", "results": 1}`, "results"},
		{"several", `{"privacy": 7, "project": "a/b", "z": 1, "a": 1}`, "a z url privacy project"},
		{"several, with types", `{"privacy": "7", "project": 1, "password": "x"}`, "privacy project url"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			inner := *s
			inner.TB = t
			if got := inner.refused(http.StatusUnprocessableEntity, "invalid", call{method: "POST", path: "/reports", json: test.body}); got != test.wrong {
				t.Errorf("wrong are %q, not %q", got, test.wrong)
			}
		})
	}
	s.total("/reports", 0)
	s.total("/projects", 0)
}

func TestFieldsOfAnUpdateThatAreWrong(t *testing.T) {
	s := newServer(t, Options{})
	made := s.post(http.StatusCreated, "url", s.site.URL+"/")
	path := "/reports/" + s.record(made).ID
	tests := []struct {
		name, wrong string
		call        call
	}{
		{"results 2", "results", call{json: `{"results": 2}`}},
		{"results as a truth", "results", call{json: `{"results": true}`}},
		{"results as text in a form", "results", call{form: form("results", "yes")}},
		{"privacy 3", "privacy", call{form: form("privacy", "3")}},
		{"privacy as text in a form", "privacy", call{form: form("privacy", "public")}},
		{"no password yet", "password", call{form: form("privacy", "2")}},
		{"a password without privacy 2", "password", call{form: form("password", "x")}},
		{"another address", "url", call{form: form("url", "http://example.com/")}},
		{"several", "results password url", call{json: `{"results": 7, "password": 1, "url": "x"}`}},
	}
	for _, test := range tests {
		for _, method := range []string{http.MethodPut, http.MethodPatch} {
			test.call.method, test.call.path = method, path
			got := s.refused(http.StatusUnprocessableEntity, "invalid", test.call)
			if !sameWords(got, test.wrong) {
				t.Errorf("%s: wrong are %q, not %q", test.name, got, test.wrong)
			}
		}
	}
	if after := s.get(http.StatusOK, path); after.Header.Get("ETag") != made.Header.Get("ETag") {
		t.Error("a refused update has changed the report")
	}
}

func sameWords(a, b string) bool {
	count := map[string]int{}
	for _, word := range strings.Fields(a) {
		count[word]++
	}
	for _, word := range strings.Fields(b) {
		count[word]--
	}
	for _, n := range count {
		if n != 0 {
			return false
		}
	}
	return true
}

// TestBodiesThatAreRead has spellings of the same create.
func TestBodiesThatAreRead(t *testing.T) {
	s := newServer(t, Options{})
	page := s.site.URL + "/page"
	tests := []struct{ name, contentType, body string }{
		{"a form", formType, "url=" + url.QueryEscape(page) + "&privacy=1"},
		{"a form as curl sends it", formType, "url=" + page + "&privacy=1"},
		{"a form with empty fields", formType, "&url=" + page + "&privacy=1&password=&project=&"},
		{"a form with a charset", formType + "; charset=UTF-8", "url=" + page + "&privacy=1"},
		{"a type in capitals", "Application/JSON", `{"url": "` + page + `", "privacy": 1}`},
		{"JSON with a charset", "application/json; charset=utf-8", `{"url": "` + page + `", "privacy": 1}`},
		{"a number with a point", jsonType, ` {"url": "` + page + `", "privacy": 1.0, "password": "", "project": ""} ` + "\n"},
	}
	for _, test := range tests {
		r := s.must(http.StatusCreated, call{method: "POST", path: "/reports", json: test.body, header: http.Header{"Content-Type": {test.contentType}}})
		if got := s.record(r); got.URL != page || got.Privacy != 1 || got.Project.Name == "" {
			t.Errorf("%s: %+v", test.name, got)
		}
	}
	s.total("/reports", len(tests))
}

func TestQueryIsNoForm(t *testing.T) {
	s := newServer(t, Options{})
	c := call{method: "POST", path: "/reports?url=" + url.QueryEscape(s.site.URL), form: form("privacy", "0")}
	if got := s.refused(http.StatusUnprocessableEntity, "invalid", c); got != "url" {
		t.Errorf("wrong are %q", got)
	}
}

// FuzzDecodeBody holds that what is accepted as JSON is what encoding/json reads, and that nothing panics.
func FuzzDecodeBody(f *testing.F) {
	f.Add(true, []byte(`{"url": "http://example.com/", "privacy": 2, "password": "x"}`))
	f.Add(true, []byte(`{"a": {"b": [1, null]}, "a": 1}`))
	f.Add(false, []byte("url=http%3A%2F%2Fexample.com&privacy=1&&=x"))
	f.Add(false, []byte("a=%&a=+;b"))
	f.Fuzz(func(t *testing.T, isJSON bool, raw []byte) {
		contentType := formType
		if isJSON {
			contentType = jsonType
		}
		values, err := decodeBody(contentType, raw)
		if err != nil {
			if status := problemOf(err).status; status != http.StatusBadRequest {
				t.Errorf("status %d: %v", status, err)
			}
			return
		}
		for name := range values {
			if !utf8.ValidString(name) {
				t.Errorf("the name %q is not UTF-8", name)
			}
		}
		if !isJSON {
			return
		}
		var reference map[string]any
		d := json.NewDecoder(strings.NewReader(string(raw)))
		d.UseNumber()
		if err := d.Decode(&reference); err != nil || !reflect.DeepEqual(values, reference) {
			t.Errorf("%q gives %v, encoding/json %v, %v", raw, values, reference, err)
		}
	})
}

// FuzzFields holds that reading fields of any type neither panics nor accepts what was not given.
func FuzzFields(f *testing.F) {
	f.Add([]byte(`{"url": "x", "privacy": 2, "results": 1e0, "z": null}`))
	f.Add([]byte(`{"url": 1, "privacy": "2", "results": 9999999999999999999999}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		values, err := decodeBody(jsonType, raw)
		if err != nil {
			return
		}
		given := len(values)
		b := &body{values: values}
		text, privacy, results := b.text("url"), b.privacy(), b.number("results")
		read := 0
		for _, ok := range []bool{text != "", privacy != nil, results != nil} {
			if ok {
				read++
			}
		}
		if wrong := b.finish(); read+len(wrong) > given {
			t.Errorf("%d fields are read and %d wrong of %d in %q", read, len(wrong), given, raw)
		}
	})
}
