// Package assets has the files that pages load, and compresses what is sent.
package assets

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"path"
	"strings"
	"sync"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"
)

//go:embed *.css *.js *.svg *.png
var assetFiles embed.FS

// File is a file that pages load, in the codings that it is sent in.
type File struct {
	MediaType string
	Plain     []byte
	Codings   map[string][]byte // "br" and "gzip"; nil where compressing makes nothing smaller
}

// Files are the embedded files. Their names have a hash of their contents, so that browsers may keep them for good.
type Files struct {
	hashed map[string]string // by the plain name
	files  map[string]File   // by the hashed name
}

var mediaTypes = map[string]string{
	".css": "text/css; charset=utf-8",
	".js":  "text/javascript; charset=utf-8",
	".svg": "image/svg+xml",
	".png": "image/png",
}

// Load returns the embedded files, compressed. The first call takes a while.
func Load() Files { return loaded() }

// loaded reads and compresses the embedded files once in a process. A test has done so before.
var loaded = sync.OnceValue(func() Files {
	a := Files{hashed: map[string]string{}, files: map[string]File{}}
	entries, err := assetFiles.ReadDir(".")
	if err != nil {
		panic(fmt.Sprintf("the embedded assets: %v", err))
	}
	for _, entry := range entries {
		contents, err := assetFiles.ReadFile(entry.Name())
		if err != nil {
			panic(fmt.Sprintf("the embedded assets: %v", err))
		}
		a.add(entry.Name(), contents)
	}
	return a
})

func (a Files) add(name string, contents []byte) {
	sum := sha256.Sum256(contents)
	extension := path.Ext(name)
	hashed := strings.TrimSuffix(name, extension) + "." + hex.EncodeToString(sum[:6]) + extension
	file := File{MediaType: mediaTypes[extension], Plain: contents}
	if extension != ".png" {
		file.Codings = map[string][]byte{"br": brotliOf(contents), "gzip": gzipOf(contents)}
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

// Path returns the path of an asset. The error names one that does not exist.
func (a Files) Path(name string) (string, error) {
	hashed, ok := a.hashed[name]
	if !ok {
		return "", fmt.Errorf("there is no asset %q", name)
	}
	return "/assets/" + hashed, nil
}

// Find returns the file of a hashed name, and reports whether there is one.
func (a Files) Find(hashed string) (File, bool) {
	file, ok := a.files[hashed]
	return file, ok
}

// Contents returns a file by its plain name; nil for one that does not exist.
func (a Files) Contents(name string) []byte { return a.files[a.hashed[name]].Plain }
