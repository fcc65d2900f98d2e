// Package texts has what belongs to what is written about each check and is the same in all languages: a page that passes and one that fails,
// and the source of the rule. It is in TOML files beside this one; the words are in package locale.
package texts

import (
	"bytes"
	"embed"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// Text is what belongs to the words about one check.
type Text struct {
	// Passes and Fails are pages as code, of which the first passes and the second fails. They are HTML, or an example as
	// ReadExample reads it; where Sketch says so they are anything that shows the point.
	Passes string `toml:"passes"`
	Fails  string `toml:"fails"`
	// Sketch says which example no test can run, since it shows requests, other files or a page that was cut: "passes", "fails",
	// "both" or "".
	Sketch string `toml:"sketch"`
	// Link is the URL of the rule's source.
	Link string `toml:"link"`
}

// Agreement says how often a check agreed with a judge.
type Agreement struct {
	Judge  string // whom, on which corpus
	Link   string // the URL of the judge
	Grader int    // the version of the checks that was measured
	Cases  int    // pages on which the check applied
	Agree  int    // pages on which both said the same
}

// Share returns in how many of 100 cases the two agreed.
func (a Agreement) Share() int { return int(math.Round(100 * float64(a.Agree) / float64(a.Cases))) }

// String says in one sentence how often the two agreed.
func (a Agreement) String() string {
	share := strings.TrimSuffix(strconv.FormatFloat(100*float64(a.Agree)/float64(a.Cases), 'f', 1, 64), ".0")
	return fmt.Sprintf("%s agreed with version %d of the checks in %d of %d cases (%s %%).", a.Judge, a.Grader, a.Agree, a.Cases, share)
}

//go:embed *.toml
var files embed.FS

const agreementFile = "agreement.toml"

// Texts are those of all checks, by id.
type Texts map[string]Text

// Read returns the texts of all checks, or the first fault of a file.
func Read() (Texts, error) {
	all := Texts{}
	names, err := files.ReadDir(".")
	if err != nil {
		return nil, err
	}
	for _, entry := range names {
		if entry.Name() == agreementFile {
			continue
		}
		var some Texts
		if err := readFile(entry.Name(), &some); err != nil {
			return nil, err
		}
		for id, text := range some {
			if _, twice := all[id]; twice {
				return nil, fmt.Errorf("%s: %s has a text already", entry.Name(), id)
			}
			all[id] = text
		}
	}
	return all, nil
}

// Agreements returns what was measured, by the id of the check.
func Agreements() (map[string][]Agreement, error) {
	var judges map[string]struct {
		Name   string `toml:"name"`
		Link   string `toml:"link"`
		Grader int    `toml:"grader"`
		Checks map[string]struct {
			Cases int `toml:"cases"`
			Agree int `toml:"agree"`
		} `toml:"checks"`
	}
	if err := readFile(agreementFile, &judges); err != nil {
		return nil, err
	}
	all := map[string][]Agreement{}
	for _, key := range slices.Sorted(maps.Keys(judges)) {
		judge := judges[key]
		for id, measured := range judge.Checks {
			all[id] = append(all[id], Agreement{judge.Name, judge.Link, judge.Grader, measured.Cases, measured.Agree})
		}
	}
	return all, nil
}

// readFile reads a file into v and refuses fields that v does not have.
func readFile(name string, v any) error {
	content, err := files.ReadFile(name)
	if err != nil {
		return err
	}
	decoder := toml.NewDecoder(bytes.NewReader(content))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(v); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// Example is a page as a text shows it.
type Example struct {
	URL    string   // "" where it does not matter
	Status string   // "HTTP/2 404"; "" for 200
	Header []string // lines "Name: value"
	HTML   string
}

// ReadExample reads an example: the HTML, and before it, ended by an empty line, what matters of the rest in any order: the URL, the
// line with the status, and lines of the header.
func ReadExample(code string) Example {
	if strings.HasPrefix(code, "<") {
		return Example{HTML: code}
	}
	head, html, _ := strings.Cut(code, "\n\n")
	example := Example{HTML: html}
	for line := range strings.Lines(head) {
		switch line = strings.TrimSpace(line); {
		case strings.HasPrefix(line, "http"):
			example.URL = line
		case strings.HasPrefix(line, "HTTP/"):
			example.Status = line
		default:
			example.Header = append(example.Header, line)
		}
	}
	return example
}
