package web

import (
	"bytes"
	"encoding/xml"
	"net/http"
	"strings"

	"sitegrade/web/assets"
)

func (w *Web) sendAsset(v *visit) error {
	file, ok := w.assets.Find(v.params.ByName("name"))
	if !ok {
		return notFound
	}
	h := v.Header()
	h.Set("Cache-Control", "public, max-age=31536000, immutable")
	h.Set("Vary", "Accept-Encoding")
	body := file.Plain
	if coding := assets.PreferredCoding(v.r.Header.Get("Accept-Encoding")); file.Codings[coding] != nil {
		body = file.Codings[coding]
		h.Set("Content-Encoding", coding)
	}
	if strings.HasPrefix(file.MediaType, "image/") {
		h.Set("Cross-Origin-Resource-Policy", "cross-origin") // social networks show the card
	}
	v.send(http.StatusOK, file.MediaType, body)
	return nil
}

// sendIcon leads browsers that do not read the page to its icon.
func (w *Web) sendIcon(v *visit) error {
	icon, err := w.assets.Path("icon.svg")
	if err != nil {
		return err
	}
	v.Header().Set("Cache-Control", "public, max-age=86400")
	v.Header().Set("Location", icon)
	v.WriteHeader(http.StatusFound)
	return nil
}

// sendRobots lets search engines fetch everything: what they may not list says so itself, which they must fetch to see.
func (w *Web) sendRobots(v *visit) error {
	v.Header().Set("Cache-Control", "public, max-age=3600")
	v.send(http.StatusOK, "text/plain; charset=utf-8", []byte("User-agent: *\nAllow: /\n\nSitemap: "+v.Base+"/sitemap.xml\n"))
	return nil
}

// sendSitemap lists what everybody may find. Shared reports are not there: who has the address of one has it from somebody.
func (w *Web) sendSitemap(v *visit) error {
	v.Header().Set("Cache-Control", "public, max-age=3600")
	var b bytes.Buffer
	b.WriteString(xml.Header)
	var public sitemap
	for _, path := range publicPaths() {
		public.URLs = append(public.URLs, v.Base+path)
	}
	if err := xml.NewEncoder(&b).Encode(public); err != nil {
		return err
	}
	v.send(http.StatusOK, "application/xml; charset=utf-8", b.Bytes())
	return nil
}

// sitemap is a list of addresses for search engines (sitemaps.org).
type sitemap struct {
	XMLName xml.Name `xml:"http://www.sitemaps.org/schemas/sitemap/0.9 urlset"`
	URLs    []string `xml:"url>loc"`
}
