package api

import (
	"net/http"
	"strings"
	"testing"

	"sitegrade/httpx"
)

func TestBaseURL(t *testing.T) {
	s := newServer(t, Options{Origins: httpx.Origins{BaseURL: "https://seo.example.com/sitegrade"}})
	made := s.post(http.StatusCreated, "url", s.site.URL)
	r := s.record(made)
	if !strings.HasPrefix(*r.ShareURL, "https://seo.example.com/sitegrade/r/") {
		t.Errorf("share_url is %q", *r.ShareURL)
	}
	if got, want := made.Header.Get("Location"), "https://seo.example.com/sitegrade/api/v1/reports/"+r.ID; got != want {
		t.Errorf("Location is %q, not %q", got, want)
	}
	l, header := s.list("/reports")
	if l.Meta.Path != "https://seo.example.com/sitegrade/api/v1/reports" || !strings.HasPrefix(header.Get("Link"), "<"+l.Meta.Path) {
		t.Errorf("%+v, %s", l.Meta, header.Get("Link"))
	}
}
