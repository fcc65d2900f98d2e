package main

import (
	"bytes"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"golang.org/x/crypto/x509roots/fallback/bundle"
)

// nobody is the number of the user that an image runs as. It has no name on other machines.
const nobody = 65532

// writeImage writes the image of a target as one file, which is a layout of the Open Container Initiative and has what "docker load" reads too.
func (r *release) writeImage(t target) error {
	program, err := r.build(t, "image")
	if err != nil {
		return err
	}
	image, err := r.image(t, program)
	if err != nil {
		return err
	}
	dir := filepath.Join(r.work, "images", t.platform())
	index, err := layout.Write(dir, empty.Index)
	if err != nil {
		return err
	}
	if err := index.AppendImage(image, layout.WithAnnotations(map[string]string{"org.opencontainers.image.ref.name": r.version})); err != nil {
		return err
	}
	if err := writeManifest(dir, image, "sitegrade:"+r.version); err != nil {
		return err
	}
	entries, err := filesBelow(dir)
	if err != nil {
		return err
	}
	content, err := tarOf(entries, r.source.time)
	if err != nil {
		return err
	}
	return r.write(r.name("image_"+t.arch+".tar"), content)
}

// image returns an image with the program and what it needs of a system.
func (r *release) image(t target, program string) (v1.Image, error) {
	files, err := r.imageFiles(program)
	if err != nil {
		return nil, err
	}
	content, err := tarOf(files, r.source.time)
	if err != nil {
		return nil, err
	}
	layer, err := tarball.LayerFromOpener(func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(content)), nil })
	if err != nil {
		return nil, err
	}
	created := v1.Time{Time: r.source.time}
	image, err := mutate.Append(empty.Image, mutate.Addendum{Layer: layer, History: v1.History{Created: created, CreatedBy: "deploy/release"}})
	if err != nil {
		return nil, err
	}
	was, err := image.ConfigFile()
	if err != nil {
		return nil, err
	}
	config := was.DeepCopy()
	config.OS, config.Architecture, config.Created = "linux", t.goarch, created
	if t.goarch == "arm" {
		config.Variant = "v7"
	}
	config.Config = v1.Config{
		User: fmt.Sprintf("%d:%d", nobody, nobody), Env: []string{"SITEGRADE_DATA=/data", "SITEGRADE_LISTEN=:8080"},
		Entrypoint: []string{"/sitegrade"}, Cmd: []string{"serve"}, WorkingDir: "/", StopSignal: "SIGTERM",
		Volumes: map[string]struct{}{"/data": {}}, ExposedPorts: map[string]struct{}{"8080/tcp": {}},
		Labels: map[string]string{
			"org.opencontainers.image.title": "Sitegrade", "org.opencontainers.image.version": r.version,
			"org.opencontainers.image.revision": r.source.commit, "org.opencontainers.image.licenses": "MIT",
		},
	}
	return mutate.ConfigFile(image, config)
}

// imageFiles returns what is in an image. The authorities that it trusts are those of Mozilla, from a module, and not those of this machine.
func (r *release) imageFiles(program string) ([]entry, error) {
	binary, err := os.ReadFile(program)
	if err != nil {
		return nil, err
	}
	var roots bytes.Buffer
	for root := range bundle.Roots() {
		if root.Constraint != nil {
			continue // which a file of certificates cannot say
		}
		if err := pem.Encode(&roots, &pem.Block{Type: "CERTIFICATE", Bytes: root.Certificate}); err != nil {
			return nil, err
		}
	}
	users := fmt.Sprintf("root:x:0:0::/:/sbin/nologin\nsitegrade:x:%d:%d::/data:/sbin/nologin\n", nobody, nobody)
	return []entry{
		{name: "LICENSES", content: r.shared.licenses, mode: 0o644},
		{name: "data", mode: 0o700 | fs.ModeDir, owner: nobody},
		{name: "etc", mode: 0o755 | fs.ModeDir},
		{name: "etc/passwd", content: []byte(users), mode: 0o644},
		{name: "etc/ssl", mode: 0o755 | fs.ModeDir},
		{name: "etc/ssl/certs", mode: 0o755 | fs.ModeDir},
		{name: "etc/ssl/certs/ca-certificates.crt", content: roots.Bytes(), mode: 0o644},
		{name: "sitegrade", content: binary, mode: 0o755},
		{name: "tmp", mode: 0o777 | fs.ModeDir | fs.ModeSticky},
	}, nil
}

// writeManifest writes the file by which "docker load" finds the parts of an image in a layout.
func writeManifest(dir string, image v1.Image, tag string) error {
	blob := func(h v1.Hash) string { return "blobs/" + h.Algorithm + "/" + h.Hex }
	manifest, err := image.Manifest()
	if err != nil {
		return err
	}
	type loaded struct {
		Config   string
		RepoTags []string
		Layers   []string
	}
	one := loaded{Config: blob(manifest.Config.Digest), RepoTags: []string{tag}}
	for _, layer := range manifest.Layers {
		one.Layers = append(one.Layers, blob(layer.Digest))
	}
	text, err := json.Marshal([]loaded{one})
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "manifest.json"), text, 0o644)
}

// filesBelow returns the files and directories below a directory, sorted by name.
func filesBelow(dir string) ([]entry, error) {
	var entries []entry
	err := filepath.WalkDir(dir, func(path string, found fs.DirEntry, err error) error {
		if err != nil || path == dir {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		e := entry{name: filepath.ToSlash(name), mode: 0o755 | fs.ModeDir}
		if !found.IsDir() {
			e.mode = 0o644
			if e.content, err = os.ReadFile(path); err != nil {
				return err
			}
		}
		entries = append(entries, e)
		return nil
	})
	return entries, err
}
