package web

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strings"

	"sitegrade/db"
	"sitegrade/locale"
	"sitegrade/web/badge"
	"sitegrade/web/view"
)

// sendBadge sends the result of a report as a picture for other sites. There is one of a public report alone: the response for any other,
// to whoever asks, is that for a report that does not exist.
func (w *Web) sendBadge(v *visit) error {
	account, report, err := w.store.SharedReport(v.r.Context(), v.params.ByName("share"))
	if err != nil {
		return err
	}
	if report.Privacy != db.Public {
		return db.ErrNotFound
	}
	a, err := w.speakFor(v, account, report.Project.ID, string(locale.English)) // whoever reads the page that shows it
	if err != nil {
		return err
	}
	label := "Sitegrade"
	if b := view.NewBrand(a); b != nil {
		label = b.Label
	}
	picture := badge.SVG(v.words, label, report)
	v.asPicture("default-src 'none'")
	v.Header().Set("Cache-Control", "public, max-age=300")
	if v.isFresh(picture) {
		v.WriteHeader(http.StatusNotModified)
		return nil
	}
	v.send(http.StatusOK, "image/svg+xml", picture)
	return nil
}

// isFresh gives a response its entity tag, and reports whether the browser has that already.
func (v *visit) isFresh(body []byte) bool {
	sum := sha256.Sum256(body)
	tag := `"` + hex.EncodeToString(sum[:8]) + `"`
	v.Header().Set("ETag", tag)
	return strings.Contains(v.r.Header.Get("If-None-Match"), tag)
}
