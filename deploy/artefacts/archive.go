package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"cmp"
	"compress/gzip"
	"io/fs"
	"os"
	"path"
	"slices"
	"time"
)

// entry is a file, or a directory without content, of an archive.
type entry struct {
	name    string // with slashes
	content []byte
	mode    fs.FileMode
	owner   int // the number of its user and group
}

// writeArchive writes the archive with the program for a target.
func (r *release) writeArchive(t target, program string) error {
	entries, err := r.archived(t, program)
	if err != nil {
		return err
	}
	var content []byte
	ending := ".tar.gz"
	if t.system == "windows" {
		ending = ".zip"
		content, err = zipOf(entries, r.source.time)
	} else if content, err = tarOf(entries, r.source.time); err == nil {
		content, err = zipped(content)
	}
	if err != nil {
		return err
	}
	return r.write(r.name(t.platform()+ending), content)
}

// archived returns the files of an archive: the program and what people need to run it, in one directory.
func (r *release) archived(t target, program string) ([]entry, error) {
	top := r.name(t.platform())
	binary, err := os.ReadFile(program)
	if err != nil {
		return nil, err
	}
	entries := []entry{
		{name: t.program(), content: binary, mode: 0o755},
		{name: "LICENSES", content: r.shared.licenses, mode: 0o644},
	}
	if t.system != "windows" {
		entries = append(entries, entry{name: "sitegrade.1", content: r.shared.manual, mode: 0o644})
		for shell, script := range r.shared.completions {
			entries = append(entries, entry{name: "completions/" + completionFile(shell), content: script, mode: 0o644})
		}
	}
	documents := r.shared.documents
	if t.system == "linux" {
		documents = append(slices.Clip(documents), "deploy/sitegrade.service")
	}
	for _, name := range documents {
		content, err := r.document(name)
		if err != nil {
			return nil, err
		}
		entries = append(entries, entry{name: name, content: content, mode: 0o644})
	}
	for i := range entries {
		entries[i].name = path.Join(top, entries[i].name)
	}
	slices.SortFunc(entries, func(a, b entry) int { return cmp.Compare(a.name, b.name) })
	return entries, nil
}

// tarOf returns a tar archive of entries, all with this time.
func tarOf(entries []entry, at time.Time) ([]byte, error) {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, e := range entries {
		header := &tar.Header{Name: e.name, Mode: int64(e.mode.Perm()), Size: int64(len(e.content)), ModTime: at, Uid: e.owner, Gid: e.owner, Format: tar.FormatUSTAR}
		if e.mode&fs.ModeSticky != 0 {
			header.Mode |= 0o1000
		}
		if e.mode.IsDir() {
			header.Typeflag = tar.TypeDir
			header.Name += "/"
		}
		if err := w.WriteHeader(header); err != nil {
			return nil, err
		}
		if _, err := w.Write(e.content); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// zipOf returns a zip archive of entries, all with this time.
func zipOf(entries []entry, at time.Time) ([]byte, error) {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, e := range entries {
		header := &zip.FileHeader{Name: e.name, Method: zip.Deflate, Modified: at}
		header.SetMode(e.mode)
		file, err := w.CreateHeader(header)
		if err != nil {
			return nil, err
		}
		if _, err := file.Write(e.content); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// zipped returns content as gzip makes it, without a name and a time.
func zipped(content []byte) ([]byte, error) {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(content); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
