package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// shared is what the artefacts of all targets have beside the program.
type shared struct {
	manual      []byte            // sitegrade.1
	completions map[string][]byte // by shell
	licenses    []byte            // of Sitegrade and of all that is linked into it
	documents   []string          // the files of the source that people read, with slashes
}

// share makes what all artefacts have.
func (r *release) share() (err error) {
	warnOfGo()
	s := &shared{completions: map[string][]byte{}}
	if s.manual, err = r.run("man"); err != nil {
		return err
	}
	for _, shell := range []string{"bash", "zsh", "fish"} {
		if s.completions[shell], err = r.run("completion", shell); err != nil {
			return err
		}
	}
	if s.licenses, err = r.licenses(); err != nil {
		return err
	}
	s.documents = []string{"CHANGELOG.md", "LICENSE", "README.md", "SECURITY.md", "config.example.toml"}
	pages, err := fs.Glob(os.DirFS(r.source.tree), "docs/*")
	s.documents = append(s.documents, pages...)
	r.shared = s
	return err
}

// document returns a file of the source.
func (r *release) document(name string) ([]byte, error) {
	return os.ReadFile(filepath.Join(r.source.tree, filepath.FromSlash(name)))
}

// licenseName is what files with the terms of a module are called.
var licenseName = regexp.MustCompile(`(?i)^(licen[sc]e|copying|notice|patents)([.-].*)?$`)

// licenses returns the terms of Sitegrade, of Go and of each module that is linked for any target, which all ask to go with the program.
func (r *release) licenses() ([]byte, error) {
	directories := map[string]string{} // by module with its version
	for _, t := range everyTarget {
		if err := r.linkedModules(t, directories); err != nil {
			return nil, err
		}
	}
	root, err := r.goroot()
	if err != nil {
		return nil, err
	}
	var text bytes.Buffer
	if err := addLicenses(&text, "Sitegrade", r.source.tree); err != nil {
		return nil, err
	}
	if err := addLicenses(&text, "Go and its standard library", root); err != nil {
		return nil, err
	}
	var modules []string
	for module := range directories {
		modules = append(modules, module)
	}
	slices.Sort(modules)
	for _, module := range modules {
		if err := addLicenses(&text, module, directories[module]); err != nil {
			return nil, err
		}
	}
	return text.Bytes(), nil
}

// linkedModules adds the modules that the program has for a target, with the directories of their sources.
func (r *release) linkedModules(t target, directories map[string]string) error {
	c, err := r.goCommand([]string{"GOOS=" + t.system, "GOARCH=" + t.goarch}, "list", "-mod=readonly", "-deps", "-json=Module", ".")
	if err != nil {
		return err
	}
	output, err := c.Output()
	if err != nil {
		return fmt.Errorf("go list: %w", err)
	}
	for list := json.NewDecoder(bytes.NewReader(output)); ; {
		var found struct {
			Module *struct {
				Path, Version, Dir string
				Main               bool
			}
		}
		if err := list.Decode(&found); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		if m := found.Module; m != nil && !m.Main {
			directories[m.Path+" "+m.Version] = m.Dir
		}
	}
}

func (r *release) goroot() (string, error) {
	c, err := r.goCommand(nil, "env", "GOROOT")
	if err != nil {
		return "", err
	}
	output, err := c.Output()
	return strings.TrimSpace(string(output)), err
}

// addLicenses writes the terms that a directory has. It is an error if it has none.
func addLicenses(w *bytes.Buffer, what, dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	found := false
	for _, entry := range entries {
		if entry.IsDir() || !licenseName.MatchString(entry.Name()) {
			continue
		}
		terms, err := os.ReadFile(filepath.Join(dir, entry.Name()))
		if err != nil {
			return err
		}
		found = true
		line := strings.Repeat("=", 80)
		fmt.Fprintf(w, "%s\n%s (%s)\n%s\n\n%s\n\n", line, what, entry.Name(), line, bytes.TrimSpace(terms))
	}
	if !found {
		return fmt.Errorf("%s comes without a license: no file in %s is called so", what, dir)
	}
	return nil
}

// completionFile returns what the completion of a shell is called where that shell looks for it.
func completionFile(shell string) string {
	if shell == "zsh" {
		return "_sitegrade"
	}
	return "sitegrade." + shell
}
