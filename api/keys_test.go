package api

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"sitegrade/auth"
	"sitegrade/httpx/httpxtest"
)

// shownKey is a key as the API shows it.
type shownKey struct {
	ID         string     `json:"id"`
	Name       string     `json:"name"`
	Scopes     []string   `json:"scopes"`
	ExpiresAt  *time.Time `json:"expires_at"`
	LastUsedAt *time.Time `json:"last_used_at"`
	RevokedAt  *time.Time `json:"revoked_at"`
	Secret     string     `json:"secret"`
}

func (s *server) shownKey(r httpxtest.Response) shownKey {
	s.Helper()
	var document struct{ Data shownKey }
	s.decode(r, &document)
	return document.Data
}

func TestKeysAreMadeListedAndRevoked(t *testing.T) {
	s := newServer(t, Options{})
	r := s.must(http.StatusCreated, call{method: "POST", path: "/keys", json: `{"name": "ci", "scopes": ["read"], "expires_at": "2999-01-02T03:04:05+01:00"}`})
	made := s.shownKey(r)
	if !auth.WellFormed(made.Secret) || made.Name != "ci" || strings.Join(made.Scopes, " ") != "read" || r.Header.Get("Cache-Control") != "no-store" {
		t.Fatalf("made: %s %v", r.Body, r.Header)
	}
	s.must(http.StatusOK, call{path: "/reports", key: made.Secret})
	s.must(http.StatusForbidden, call{path: "/keys", key: made.Secret})
	s.must(http.StatusForbidden, call{method: "POST", path: "/keys", key: made.Secret, form: form("scopes", "read")})
	s.must(http.StatusForbidden, call{method: "DELETE", path: "/keys/" + made.ID, key: made.Secret})
	var list struct {
		Data []shownKey
		Meta struct{ Total int }
	}
	listed := s.get(http.StatusOK, "/keys?search=CI&sort=asc")
	s.decode(listed, &list)
	if list.Meta.Total != 1 || list.Data[0].ID != made.ID || list.Data[0].RevokedAt != nil || strings.Contains(string(listed.Body), made.Secret) ||
		strings.Contains(string(listed.Body), auth.HashSecret(made.Secret).String()) {
		t.Errorf("listed: %s", listed.Body)
	}
	if s.decode(s.get(http.StatusOK, "/keys"), &list); list.Meta.Total != 2 {
		t.Errorf("%d keys are listed, another account's perhaps", list.Meta.Total)
	}
	s.must(http.StatusNotFound, call{method: "DELETE", path: "/keys/" + made.ID, key: s.other})
	s.must(http.StatusNotFound, call{method: "DELETE", path: "/keys/ci"})
	s.must(http.StatusNoContent, call{method: "DELETE", path: "/keys/" + made.ID})
	s.must(http.StatusUnauthorized, call{path: "/reports", key: made.Secret})
	s.must(http.StatusNoContent, call{method: "DELETE", path: "/keys/" + made.ID})
	if s.decode(s.get(http.StatusOK, "/keys?search=ci"), &list); list.Data[0].RevokedAt == nil {
		t.Error("a revoked key is listed as if it were not")
	}
	s.get(http.StatusUnprocessableEntity, "/keys?sort=up")
	s.get(http.StatusBadRequest, "/keys?page=1&page=2")
}

func TestAKeyGrantsNoMoreThanItMay(t *testing.T) {
	s := newServer(t, Options{})
	limited := s.shownKey(s.must(http.StatusCreated, call{method: "POST", path: "/keys", form: form("scopes", "read, admin", "expires_at", "2999-01-01T00:00:00Z")}))
	for _, test := range []struct {
		body   string
		status int
	}{
		{`{"scopes": ["read"], "expires_at": "2998-01-01T00:00:00Z"}`, http.StatusCreated},
		{`{"scopes": ["write"], "expires_at": "2998-01-01T00:00:00Z"}`, http.StatusForbidden},
		{`{"scopes": ["read"], "expires_at": "2999-01-01T00:00:01Z"}`, http.StatusForbidden},
		{`{"scopes": ["read"]}`, http.StatusForbidden},
		{`{"scopes": ["read"], "expires_at": null}`, http.StatusForbidden},
	} {
		s.must(test.status, call{method: "POST", path: "/keys", key: limited.Secret, json: test.body})
	}
}

func TestWrongKeysAreNotMade(t *testing.T) {
	s := newServer(t, Options{})
	for body, field := range map[string]string{
		`{}`:                   "scopes",
		`{"scopes": []}`:       "scopes",
		`{"scopes": ["root"]}`: "scopes",
		`{"scopes": "read"}`:   "scopes",
		`{"scopes": ["read"], "expires_at": "2020-01-01T00:00:00Z"}`: "expires_at",
		`{"scopes": ["read"], "expires_at": "soon"}`:                 "expires_at",
		`{"scopes": ["read"], "expires_at": 5}`:                      "expires_at",
		`{"scopes": ["read"], "name": "a\u0007b"}`:                   "name",
		`{"scopes": ["read"], "account": "other"}`:                   "account",
	} {
		r := s.must(http.StatusUnprocessableEntity, call{method: "POST", path: "/keys", json: body})
		if !strings.Contains(string(r.Body), `"field":"`+field+`"`) {
			t.Errorf("%s: %s", body, r.Body)
		}
	}
	s.must(http.StatusBadRequest, call{method: "POST", path: "/keys", json: `[]`})
	s.must(http.StatusUnsupportedMediaType, call{method: "POST", path: "/keys", json: `{}`, header: http.Header{"Content-Type": {"text/plain"}}})
	s.must(http.StatusRequestEntityTooLarge, call{method: "POST", path: "/keys", form: form("name", strings.Repeat("x", maxBody))})
	var list struct{ Meta struct{ Total int } }
	if s.decode(s.get(http.StatusOK, "/keys"), &list); list.Meta.Total != 1 {
		t.Errorf("%d keys exist", list.Meta.Total)
	}
}

func TestRepeatedCreateOfAKeyHasNoSecret(t *testing.T) {
	s := newServer(t, Options{})
	header := http.Header{idempotencyHeader: {"once"}}
	first := s.shownKey(s.must(http.StatusCreated, call{method: "POST", path: "/keys", form: form("scopes", "read"), header: header}))
	again := s.shownKey(s.must(http.StatusCreated, call{method: "POST", path: "/keys", form: form("scopes", "read"), header: header}))
	if first.Secret == "" || again.Secret != "" || again.ID != first.ID {
		t.Errorf("first %+v, again %+v", first, again)
	}
	s.must(http.StatusUnprocessableEntity, call{method: "POST", path: "/keys", form: form("scopes", "write"), header: header})
	s.must(http.StatusOK, call{path: "/reports", key: first.Secret})
}

func TestTheLastAdminKeyStays(t *testing.T) {
	s := newServer(t, Options{})
	own := s.shownKey(s.must(http.StatusCreated, call{method: "POST", path: "/keys", form: form("scopes", "admin")}))
	var list struct{ Data []shownKey }
	s.decode(s.get(http.StatusOK, "/keys?sort=asc"), &list)
	s.must(http.StatusNoContent, call{method: "DELETE", path: "/keys/" + list.Data[0].ID})
	r := s.must(http.StatusConflict, call{method: "DELETE", path: "/keys/" + own.ID, key: own.Secret})
	if !strings.Contains(string(r.Body), "sitegrade keys revoke") {
		t.Errorf("%s", r.Body)
	}
	s.must(http.StatusOK, call{path: "/keys", key: own.Secret})
}
