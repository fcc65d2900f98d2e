package api

import (
	"bytes"
	"image"
	"image/png"
	"net/http"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3filter"

	"sitegrade/brand"
)

func init() {
	for _, mediaType := range []string{"image/png", "image/jpeg", "image/webp"} {
		openapi3filter.RegisterBodyDecoder(mediaType, openapi3filter.FileBodyDecoder)
	}
}

// shownAccount is an account as the API shows it.
type shownAccount struct {
	Name    string
	Lang    *string
	Privacy int `json:"default_privacy"`
	Brand   struct{ Name, Footer, Color, URL *string }
	LogoURL *string `json:"logo_url"`
}

func (s *server) account(c call) shownAccount {
	s.Helper()
	var document struct{ Data shownAccount }
	s.decode(s.must(http.StatusOK, c), &document)
	return document.Data
}

func TestAccount(t *testing.T) {
	s := newServer(t, Options{})
	if got := s.account(call{path: "/account"}); got.Name != "default" || got.Lang != nil || got.Brand.Name != nil || got.LogoURL != nil {
		t.Errorf("a new account is %+v", got)
	}
	tag := s.get(http.StatusOK, "/account").Header.Get("ETag")
	patch := func(json string) call { return call{method: "PATCH", path: "/account", json: json} }
	first := s.account(patch(`{"lang":"de","default_privacy":1,"brand":{"name":"Agency","footer":"Two\nlines","color":"#0a5","url":"https://agency.example"}}`))
	if *first.Lang != "de" || first.Privacy != 1 || *first.Brand.URL != "https://agency.example/" || *first.Brand.Footer != "Two\nlines" {
		t.Errorf("set up as %+v", first)
	}
	merged := s.account(patch(`{"lang":null,"brand":{"footer":null,"color":"#112233"}}`))
	if merged.Lang != nil || merged.Brand.Footer != nil || *merged.Brand.Color != "#112233" || *merged.Brand.Name != "Agency" || merged.Privacy != 1 {
		t.Errorf("merged to %+v", merged)
	}
	if form := s.account(call{method: "PATCH", path: "/account", form: form("lang", "fr", "default_privacy", "0")}); *form.Lang != "fr" || form.Privacy != 0 {
		t.Errorf("by a form it is %+v", form)
	}
	s.wrongBodies("PATCH", "/account")
	if bare := s.account(patch(`{"brand":null}`)); bare.Brand.Name != nil || *bare.Lang != "fr" {
		t.Errorf("without brand it is %+v", bare)
	}
	s.refused(http.StatusPreconditionFailed, "precondition_failed", call{method: "PATCH", path: "/account", json: `{"lang":"it"}`, header: http.Header{"If-Match": {tag}}})
	s.must(http.StatusNotModified, call{path: "/account", header: http.Header{"If-None-Match": {s.get(http.StatusOK, "/account").Header.Get("ETag")}}})
	for json, field := range map[string]string{
		`{"lang":"tlh"}`: "lang", `{"default_privacy":2}`: "default_privacy", `{"brand":{"color":"red"}}`: "brand.color", `{"brand":{"logo":"x"}}`: "brand.logo",
		`{"brand":{"url":"javascript:alert(1)"}}`: "brand.url", `{"brand":"x"}`: "brand", `{"brand":{"name":1}}`: "brand.name", `{"logo":"x"}`: "logo",
	} {
		if got := s.refused(http.StatusUnprocessableEntity, "invalid", patch(json)); got != field {
			t.Errorf("%s is refused for %q, not %q", json, got, field)
		}
	}
}

// pngPicture is a PNG of so many pixels.
func pngPicture(t *testing.T, width, height int) string {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewNRGBA(image.Rect(0, 0, width, height))); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestLogo(t *testing.T) {
	s := newServer(t, Options{})
	put := func(body, mediaType string) call {
		return call{method: "PUT", path: "/account/logo", json: body, header: http.Header{"Content-Type": {mediaType}}}
	}
	first := s.account(put(pngPicture(t, 40, 20), "image/png"))
	second := s.account(put(pngPicture(t, 20, 40), "image/png"))
	if first.LogoURL == nil || second.LogoURL == nil || *first.LogoURL == *second.LogoURL || !strings.Contains(*second.LogoURL, "/logo/") {
		t.Errorf("the logos are at %v and %v", first.LogoURL, second.LogoURL)
	}
	bomb := pngPicture(t, 4097, 1)
	for body, mediaType := range map[string]string{
		`<svg xmlns="http://www.w3.org/2000/svg"/>`: "image/svg+xml", `<script>alert(1)</script>`: "image/png", bomb: "image/png",
		pngPicture(t, 4, 4): "text/html", "GIF89a": "image/gif", "": "image/png",
	} {
		if got := s.refused(http.StatusUnprocessableEntity, "invalid", put(body, mediaType)); got != "logo" {
			t.Errorf("%s as %s is refused for %q", body[:min(len(body), 40)], mediaType, got)
		}
	}
	s.refused(http.StatusRequestEntityTooLarge, "body_too_large", put(strings.Repeat("x", brand.MaxLogo+1), "image/png"))
	for _, c := range []call{put(pngPicture(t, 4, 4), "image/png"), {method: "DELETE", path: "/account/logo", header: http.Header{}}} {
		c.header.Set("If-Match", `"7-0"`)
		s.refused(http.StatusPreconditionFailed, "precondition_failed", c)
	}
	s.must(http.StatusNoContent, call{method: "DELETE", path: "/account/logo"})
	if got := s.account(call{path: "/account"}); got.LogoURL != nil {
		t.Errorf("after its removal the logo is at %s", *got.LogoURL)
	}
}
