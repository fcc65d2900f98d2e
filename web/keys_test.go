package web

import (
	"net/http"
	"regexp"
	"testing"

	"sitegrade/auth"
)

var secretInPage = regexp.MustCompile(`id="secret" value="(sg_[0-9A-Za-z]{33})"`)

func TestKeysOfTheDashboard(t *testing.T) {
	s := newServer(t, Options{})
	v := s.signedIn(s.key)
	contains(t, v.must(http.StatusUnprocessableEntity, v.use("/keys", "/keys", "name", "ci")).body, `role="alert"`, "Scopes: is required", `value="ci"`)
	made := v.must(http.StatusOK, v.use("/keys", "/keys", "name", "nightly", "read", "1", "expires", "2999-01-01", "once", "x")).body
	secret := secretInPage.FindStringSubmatch(made)
	if secret == nil {
		t.Fatalf("no secret: %s", made)
	}
	again := v.must(http.StatusOK, v.use("/keys", "/keys", "name", "nightly", "read", "1", "expires", "2999-01-01", "once", "x")).body
	contains(t, again, "was made before")
	lacks(t, again, secret[1])
	list := v.page("/keys?search=nightly")
	contains(t, list, "nightly", "ends", "1 Jan 2999", "Never used", "1 key<")
	lacks(t, list, secret[1])
	reader := s.signedIn(secret[1])
	reader.page("/")
	id := regexp.MustCompile(`/keys/([0-9a-f-]{36})/revoke`).FindStringSubmatch(list)
	v.must(http.StatusSeeOther, v.use("/keys/"+id[1]+"/revoke", "/keys/"+id[1]+"/revoke"))
	reader.must(http.StatusSeeOther, reader.get("/"))
	contains(t, v.page("/keys?search=nightly"), "Revoked")
}

func TestKeysNeedTheScopeAdmin(t *testing.T) {
	s := newServer(t, Options{})
	secret, _ := s.StoreKey(auth.Key{Account: "default", Scopes: auth.Read | auth.Write})
	v := s.signedIn(secret)
	page := v.page("/keys")
	contains(t, page, "may not make or revoke keys", "scope admin")
	lacks(t, page, `class="rows"`, "<form class")
	contains(t, v.must(http.StatusForbidden, v.use("/new", "/keys", "read", "1")).body, "scope admin")
	own, k := s.StoreKey(auth.Key{Account: "other", Scopes: auth.AllScopes})
	w := s.signedIn(own)
	contains(t, w.must(http.StatusConflict, w.use("/keys", "/keys/"+k.ID.String()+"/revoke")).body, "sitegrade keys revoke")
	v.must(http.StatusForbidden, v.get("/keys/"+k.ID.String()+"/revoke"))
	contains(t, w.must(http.StatusUnprocessableEntity, w.use("/keys", "/keys", "read", "1", "expires", "2020-01-01")).body, "is not ahead of now")
}
