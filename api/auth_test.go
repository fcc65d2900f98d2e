package api

import (
	"bytes"
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"sitegrade/auth"
	"sitegrade/httpx"
)

// TestBadKeysAreAllTheSame holds that an answer does not tell what is wrong with a key.
func TestBadKeysAreAllTheSame(t *testing.T) {
	s := newServer(t, Options{})
	expired, _ := s.StoreKey(auth.Key{Account: "default", Scopes: auth.AllScopes, ExpiresAt: time.Now().Add(-time.Hour)})
	revoked, key := s.StoreKey(auth.Key{Account: "default", Scopes: auth.AllScopes})
	if _, err := s.Store.RevokeKey(context.Background(), key.ID); err != nil {
		t.Fatal(err)
	}
	headers := map[string][]string{
		"missing":        nil,
		"empty":          {""},
		"no token":       {"Bearer"},
		"another scheme": {"Basic " + s.key},
		"malformed":      {"Bearer sg_x"},
		"bad checksum":   {"Bearer " + s.key[:len(s.key)-1] + "_"},
		"unknown":        {"Bearer " + auth.NewSecret()},
		"expired":        {"Bearer " + expired},
		"revoked":        {"Bearer " + revoked},
		"twice":          {"Bearer " + s.key, "Bearer " + s.key},
		"followed":       {"Bearer " + s.key + " x"},
	}
	var first []byte
	for name, values := range headers {
		c := call{path: "/reports", key: "-", header: http.Header{"Authorization": values}}
		r := s.must(http.StatusUnauthorized, c)
		if got := r.Header.Get("WWW-Authenticate"); got != `Bearer realm="sitegrade"` {
			t.Errorf("%s: WWW-Authenticate is %q", name, got)
		}
		if first == nil {
			first = r.Body
		}
		if !bytes.Equal(first, r.Body) {
			t.Errorf("%s: %s, others %s", name, r.Body, first)
		}
	}
	s.must(http.StatusOK, call{path: "/reports", key: "-", header: http.Header{"Authorization": {"bearer  " + s.key}}})
}

func TestKeysOutsideTheHeaderDoNotCount(t *testing.T) {
	s := newServer(t, Options{})
	s.must(http.StatusUnauthorized, call{path: "/reports?access_token=" + s.key, key: "-"})
	s.must(http.StatusUnauthorized, call{method: http.MethodPost, path: "/reports", key: "-", form: form("url", s.site.URL, "access_token", s.key)})
}

// TestEveryOperationRefusesBadKeys drives 401, 403 and 429 of each route that needs a key.
func TestEveryOperationRefusesBadKeys(t *testing.T) {
	s := newServer(t, Options{Limits: httpx.NewLimits(0.01, nil)})
	for _, r := range s.api.routes() {
		if r.scope == 0 {
			continue
		}
		path := strings.NewReplacer(":project", "p", ":id", "019b7e5a-3c00-7000-8000-000000000001").Replace(r.path)
		wrong := s.NewKey("default", auth.AllScopes&^r.scope)
		s.refused(http.StatusUnauthorized, "unauthorized", call{method: r.method, path: path, key: "-"})
		forbidden := s.must(http.StatusForbidden, call{method: r.method, path: path, key: wrong})
		if got, want := forbidden.Header.Get("WWW-Authenticate"), `Bearer realm="sitegrade", error="insufficient_scope", scope="`+r.scope.String()+`"`; got != want {
			t.Errorf("%s %s: %q, not %q", r.method, path, got, want)
		}
		s.refused(http.StatusTooManyRequests, "rate_limited", call{method: r.method, path: path, key: wrong})
	}
}

// TestAccountsDoNotSeeEachOther holds that what another account has is to a client as if it were not there, byte for byte.
func TestAccountsDoNotSeeEachOther(t *testing.T) {
	s := newServer(t, Options{})
	mine := s.record(s.post(http.StatusCreated, "url", s.site.URL+"/", "project", "mine"))
	unknown := "019b7e5a-3c00-7000-8000-000000000001"
	change := form("privacy", "1")
	for _, c := range []struct{ there, nowhere call }{
		{call{path: "/reports/" + mine.ID}, call{path: "/reports/" + unknown}},
		{call{method: "PUT", path: "/reports/" + mine.ID, form: change}, call{method: "PUT", path: "/reports/" + unknown, form: change}},
		{call{method: "PATCH", path: "/reports/" + mine.ID, form: change}, call{method: "PATCH", path: "/reports/" + unknown, form: change}},
		{call{method: "DELETE", path: "/reports/" + mine.ID}, call{method: "DELETE", path: "/reports/" + unknown}},
		{call{path: "/projects/mine"}, call{path: "/projects/none"}},
		{call{path: "/projects/" + mine.Project.ID}, call{path: "/projects/" + unknown}},
		{call{method: "DELETE", path: "/projects/mine"}, call{method: "DELETE", path: "/projects/none"}},
	} {
		c.there.key, c.nowhere.key = s.other, s.other
		there, nowhere := s.must(http.StatusNotFound, c.there), s.must(http.StatusNotFound, c.nowhere)
		if !bytes.Equal(there.Body, nowhere.Body) {
			t.Errorf("%s %s: %s, but %s", c.there.method, c.there.path, there.Body, nowhere.Body)
		}
		for _, h := range []http.Header{there.Header, nowhere.Header} {
			h.Del("X-Request-Id")
			h.Del("Date")
		}
		if !sameHeaders(there.Header, nowhere.Header) {
			t.Errorf("%s %s: %v, but %v", c.there.method, c.there.path, there.Header, nowhere.Header)
		}
	}
	for _, path := range []string{"/reports", "/projects", "/reports?project=mine"} {
		var list struct{ Data []record }
		s.decode(s.must(http.StatusOK, call{path: path, key: s.other}), &list)
		if len(list.Data) > 0 {
			t.Errorf("%s shows the other account %d records", path, len(list.Data))
		}
	}
	if got := s.record(s.get(http.StatusOK, "/reports/"+mine.ID)); got.Privacy != 0 {
		t.Error("the other account has changed the report")
	}
}

func sameHeaders(a, b http.Header) bool {
	if len(a) != len(b) {
		return false
	}
	for name := range a {
		if a.Get(name) != b.Get(name) {
			return false
		}
	}
	return true
}

func TestLastUse(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	s := newServer(t, Options{Now: func() time.Time { return now }})
	secret, key := s.StoreKey(auth.Key{Account: "default", Scopes: auth.Read})
	s.must(http.StatusOK, call{path: "/reports", key: secret})
	s.must(http.StatusOK, call{path: "/reports", key: secret})
	if err := s.api.Close(context.Background()); err != nil {
		t.Fatal(err)
	}
	used, err := s.Store.KeyByHash(context.Background(), key.Hash)
	if err != nil {
		t.Fatal(err)
	}
	if want := now.Truncate(time.Minute); !used.LastUsed.Equal(want) {
		t.Errorf("the last use is %v, not %v", used.LastUsed, want)
	}
}
