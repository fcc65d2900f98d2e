package web

import (
	"context"
	"net/http"
	"strings"

	"sitegrade/brand"
	"sitegrade/db"
	"sitegrade/web/view"
)

// asPicture says that a response is a picture and nothing else, whatever a browser makes of it. Other sites may show it.
func (v *visit) asPicture(policy string) {
	h := v.Header()
	h.Set("Content-Security-Policy", policy)
	h.Set("Cross-Origin-Resource-Policy", "cross-origin")
}

// sendLogo sends the logo of an account. Another one has another address.
func (w *Web) sendLogo(v *visit) error {
	logo, err := w.store.LogoByShare(v.r.Context(), v.params.ByName("share"))
	if err != nil {
		return err
	}
	v.asPicture("default-src 'none'; sandbox")
	v.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	v.send(http.StatusOK, logo.MediaType, logo.Data)
	return nil
}

// sendBrandSheet sends the style sheet with the colours of a brand, which are made from the one in its name.
func (w *Web) sendBrandSheet(v *visit) error {
	digits, isSheet := strings.CutSuffix(v.params.ByName("file"), ".css")
	c, ok := brand.ParseColor("#" + digits)
	if !isSheet || !ok || c.String() != "#"+digits {
		return notFound
	}
	v.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	v.send(http.StatusOK, "text/css; charset=utf-8", []byte(brand.StyleSheet(c)))
	return nil
}

// fileBrand returns how an account shows itself in files, which have everything in themselves.
func (w *Web) fileBrand(ctx context.Context, a db.Account) (b *view.Brand, sheet string, err error) {
	if a.LogoShare == "" {
		b, sheet = view.FileBrand(a, nil)
		return b, sheet, nil
	}
	logo, err := w.store.LogoByShare(ctx, a.LogoShare)
	if err != nil {
		return nil, "", err
	}
	b, sheet = view.FileBrand(a, &logo)
	return b, sheet, nil
}
