package web

import (
	"bytes"
	"image"
	"image/png"
	"mime/multipart"
	"net/http"
	"testing"
	"time"

	"sitegrade/auth"
	"sitegrade/brand"
	"sitegrade/db"
)

func TestSettings(t *testing.T) {
	s := newServer(t, Options{})
	v := s.signedIn(s.key)
	contains(t, v.page("/"), `href="/settings"`)
	v.must(http.StatusSeeOther, v.use("/settings", "/settings", "lang", "de", "privacy", "1"))
	contains(t, v.page("/settings?done=settings"), "Die Einstellungen wurden gespeichert.", `<option value="de" selected>Deutsch`, `<option value="1" selected>`)
	contains(t, v.page("/new"), `<option value="1" selected>`)
	v.must(http.StatusSeeOther, v.use("/", "/new", "url", s.site.URL+"/bread")) // as the short form of the list, which asks for no privacy
	page, err := s.Store.Reports(t.Context(), "default", allReports)
	if err != nil || len(page.Rows) != 1 || page.Rows[0].Privacy != db.Private {
		t.Errorf("%+v, %v", page, err)
	}
	wrong := v.must(http.StatusUnprocessableEntity, v.use("/settings", "/settings/brand", "name", "Bakers & Sons", "color", "red", "url", "ftp://x", "footer", "Bread Lane 1")).body
	contains(t, wrong, `id="brand.color-wrong"`, `id="brand.url-wrong"`, `value="red"`, "Bakers &amp; Sons", "Bread Lane 1", `role="alert"`)
	v.must(http.StatusSeeOther, v.use("/settings", "/settings/brand", "name", "Bakers & Sons", "color", "#0a0", "url", "https://bakers.example/", "footer", "Bread Lane 1"))
	a, err := s.Store.Account(t.Context(), "default")
	if err != nil || a.Brand != (db.Brand{Name: "Bakers & Sons", Color: "#0a0", URL: "https://bakers.example/", Footer: "Bread Lane 1"}) || a.Lang != "de" {
		t.Errorf("%+v, %v", a, err)
	}
	writer := s.signedIn(s.NewKey("default", auth.Read|auth.Write))
	lacks(t, writer.page("/"), `href="/settings"`)
	writer.must(http.StatusForbidden, writer.get("/settings"))
	writer.must(http.StatusForbidden, writer.submit("/settings", "lang", "fr"))
}

// send posts a file as browsers do.
func (v *visitor) send(page, path string, file []byte) reply {
	v.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	_ = form.WriteField("token", tokenInput.FindStringSubmatch(v.page(page))[1])
	part, err := form.CreateFormFile("logo", "logo.png")
	if err == nil {
		_, err = part.Write(file)
	}
	if err != nil || form.Close() != nil {
		v.Fatal(err)
	}
	v.header.Set("Content-Type", form.FormDataContentType())
	defer v.header.Del("Content-Type")
	return v.do(http.MethodPost, path, body.String())
}

func TestLogoOfTheSettings(t *testing.T) {
	s := newServer(t, Options{})
	v := s.signedIn(s.key)
	var picture bytes.Buffer
	if err := png.Encode(&picture, image.NewGray(image.Rect(0, 0, 20, 10))); err != nil {
		t.Fatal(err)
	}
	for name, bad := range map[string][]byte{"nothing": nil, "no picture": []byte("<svg onload=alert(1)>"), "too large": make([]byte, brand.MaxLogo+1)} {
		if got := v.must(http.StatusUnprocessableEntity, v.send("/settings", "/settings/logo", bad)).body; !bytes.Contains([]byte(got), []byte(`id="logo-wrong"`)) {
			t.Errorf("%s: %s", name, got)
		}
	}
	v.must(http.StatusRequestEntityTooLarge, v.send("/settings", "/settings/logo", make([]byte, maxForm)))
	v.must(http.StatusUnsupportedMediaType, v.send("/settings", "/settings/brand", picture.Bytes()))
	v.must(http.StatusSeeOther, v.send("/settings", "/settings/logo", picture.Bytes()))
	a, err := s.Store.Account(t.Context(), "default")
	if err != nil || a.LogoShare == "" {
		t.Fatalf("%+v, %v", a, err)
	}
	contains(t, v.page("/settings"), `<img src="/logo/`+a.LogoShare+`"`)
	v.must(http.StatusSeeOther, v.use("/settings", "/settings/logo/delete"))
	lacks(t, v.page("/settings"), "<img")
}

func TestSignOutEverywhere(t *testing.T) {
	now := time.Now()
	s := newServer(t, Options{Now: func() time.Time { return now }})
	mine, other, foreign := s.signedIn(s.key), s.signedIn(s.reader), s.signedIn(s.NewKey("other", auth.AllScopes))
	mine.must(http.StatusSeeOther, mine.use("/settings", "/settings/sign-out"))
	for _, v := range []*visitor{mine, other} {
		v.must(http.StatusSeeOther, v.get("/projects"))
	}
	foreign.page("/projects")
	now = time.Now().Add(2 * time.Second) // the clock of the store went on
	s.signedIn(s.reader).page("/projects")
	if got := s.visitor().get("/api/v1/reports"); got.Status != http.StatusUnauthorized {
		t.Errorf("without a key: %d", got.Status)
	}
}
