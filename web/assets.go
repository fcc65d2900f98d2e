package web

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/xml"
	"fmt"
	"net/http"
	"path"
	"strings"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"
)

//go:embed assets
var assetFiles embed.FS

// asset is a file that pages load, in the codings that it is sent in.
type asset struct {
	mediaType string
	plain     []byte
	codings   map[string][]byte // "br" and "gzip"; nil where compressing makes nothing smaller
}

// assets are the embedded files. Their names have a hash of their contents, so that browsers may keep them for good.
type assets struct {
	hashed map[string]string // by the plain name
	files  map[string]asset  // by the hashed name
}

var mediaTypes = map[string]string{
	".css": "text/css; charset=utf-8",
	".js":  "text/javascript; charset=utf-8",
	".svg": "image/svg+xml",
	".png": "image/png",
}

// loadAssets reads and compresses the embedded files, which a test has done before.
func loadAssets() assets {
	a := assets{hashed: map[string]string{}, files: map[string]asset{}}
	entries, err := assetFiles.ReadDir("assets")
	if err != nil {
		panic(fmt.Sprintf("the embedded assets: %v", err))
	}
	for _, entry := range entries {
		contents, err := assetFiles.ReadFile("assets/" + entry.Name())
		if err != nil {
			panic(fmt.Sprintf("the embedded assets: %v", err))
		}
		a.add(entry.Name(), contents)
	}
	return a
}

func (a assets) add(name string, contents []byte) {
	sum := sha256.Sum256(contents)
	extension := path.Ext(name)
	hashed := strings.TrimSuffix(name, extension) + "." + hex.EncodeToString(sum[:6]) + extension
	file := asset{mediaType: mediaTypes[extension], plain: contents}
	if extension != ".png" {
		file.codings = map[string][]byte{"br": brotliOf(contents), "gzip": gzipOf(contents)}
	}
	a.hashed[name], a.files[hashed] = hashed, file
}

func brotliOf(contents []byte) []byte {
	var b bytes.Buffer
	w := brotli.NewWriterLevel(&b, assetBrotli)
	_, _ = w.Write(contents) // a bytes.Buffer takes everything
	_ = w.Close()
	return b.Bytes()
}

func gzipOf(contents []byte) []byte {
	var b bytes.Buffer
	w, _ := gzip.NewWriterLevel(&b, assetGzip) // the level is a good one
	_, _ = w.Write(contents)
	_ = w.Close()
	return b.Bytes()
}

// path returns the path of an asset. The error names one that does not exist.
func (a assets) path(name string) (string, error) {
	hashed, ok := a.hashed[name]
	if !ok {
		return "", fmt.Errorf("there is no asset %q", name)
	}
	return "/assets/" + hashed, nil
}

func (w *Web) sendAsset(v *visit) error {
	file, ok := w.assets.files[v.params.ByName("name")]
	if !ok {
		return notFound
	}
	h := v.Header()
	h.Set("Cache-Control", "public, max-age=31536000, immutable")
	h.Set("Vary", "Accept-Encoding")
	body := file.plain
	if coding := preferredCoding(v.r.Header.Get("Accept-Encoding")); file.codings[coding] != nil {
		body = file.codings[coding]
		h.Set("Content-Encoding", coding)
	}
	if strings.HasPrefix(file.mediaType, "image/") {
		h.Set("Cross-Origin-Resource-Policy", "cross-origin") // social networks show the card
	}
	v.send(http.StatusOK, file.mediaType, body)
	return nil
}

// sendIcon leads browsers that do not read the page to its icon.
func (w *Web) sendIcon(v *visit) error {
	icon, err := w.assets.path("icon.svg")
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
