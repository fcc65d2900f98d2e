package gate

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// baselineVersion is that of the file format.
const baselineVersion = 1

// baselineFile is a baseline as JSON: the number of places by path, then by check, which is one line for each finding.
type baselineFile struct {
	Version  int                       `json:"version"`
	Findings map[string]map[string]int `json:"findings"`
}

// AppendBaseline appends a baseline to b. It is text with a line for each finding, sorted, so that equal findings make equal bytes and
// a difference shows what has changed.
func (c Counts) AppendBaseline(b []byte) ([]byte, error) {
	file := baselineFile{baselineVersion, map[string]map[string]int{}}
	for k, n := range c {
		if file.Findings[k.Path] == nil {
			file.Findings[k.Path] = map[string]int{}
		}
		file.Findings[k.Path][k.Check] = n
	}
	text := bytes.NewBuffer(b)
	e := json.NewEncoder(text)
	e.SetEscapeHTML(false) // queries have "&"
	e.SetIndent("", "  ")
	err := e.Encode(file)
	return text.Bytes(), err
}

// ReadBaseline returns the findings of what AppendBaseline wrote, never nil. The error says what is wrong with the text.
func ReadBaseline(r io.Reader) (Counts, error) {
	var file baselineFile
	d := json.NewDecoder(r)
	d.DisallowUnknownFields()
	if err := d.Decode(&file); err != nil {
		return nil, fmt.Errorf("it is no baseline: %w", err)
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, errors.New("it is no baseline: there is something behind its end")
	}
	switch {
	case file.Version != baselineVersion:
		return nil, fmt.Errorf("its version is %d, and this program reads version %d: write it anew", file.Version, baselineVersion)
	case file.Findings == nil:
		return nil, errors.New("it is no baseline: it has no findings")
	}
	counts := Counts{}
	for path, checks := range file.Findings {
		if !strings.HasPrefix(path, "/") {
			return nil, fmt.Errorf("%q is no path: it begins with \"/\"", path)
		}
		for check, n := range checks {
			if n < 1 {
				return nil, fmt.Errorf("%s on %s has %d places: at least 1", check, path, n)
			}
			counts[Key{path, check}] = n
		}
	}
	return counts, nil
}
