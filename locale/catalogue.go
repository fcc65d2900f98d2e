// Package locale has the words of reports and pages in each language, and writes numbers, sizes, durations and days as people write them
// there. A Sentence says what is meant; a Catalogue says it in a language. The words are in a file for each language, en.toml being the source
// of the others, so that they can be translated without touching code.
package locale

import (
	"embed"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/pelletier/go-toml/v2"
	"golang.org/x/text/language"
)

// Check are the words about a check. Backquotes mark code in them.
type Check struct {
	// Name is neutral and fits in a list: "Length of the title".
	Name string
	// Passed, Failed and Warning say in one sentence, without a full stop, what a page is like that passes, fails or gets a warning.
	// Warning is "" where the sentence of the failure fits, too.
	Passed, Failed, Warning string
	// Looks says what the check looks at and when it fails, Why why that matters, Mend how to mend it.
	Looks, Why, Mend string
	// Advice is one sentence that stands beside an outcome: what to do. It is "" for a check that is retired.
	Advice string
	// Retired says why reports no longer have the check, "" for one that they have.
	Retired string
}

// fields returns where each of the words goes, by what it is called in a file.
func (c *Check) fields() map[string]*string {
	return map[string]*string{
		"name": &c.Name, "passed": &c.Passed, "failed": &c.Failed, "warning": &c.Warning, "looks": &c.Looks, "why": &c.Why, "mend": &c.Mend,
		"advice": &c.Advice, "retired": &c.Retired,
	}
}

// Catalogue has all words in one language. What it lacks it has in English. It is safe for concurrent use.
type Catalogue struct {
	language Language
	tag      language.Tag // the language whose plurals it has
	english  *Catalogue   // nil in the English one
	checks   map[string]Check
	said     map[string]*words // by id
	format   format
}

//go:embed *.toml
var files embed.FS

// slot is the place of a catalogue, which is read when it is first asked for.
type slot struct {
	once      sync.Once
	catalogue *Catalogue
}

// loaded are the catalogues.
var loaded = func() map[Language]*slot {
	all := map[Language]*slot{}
	for _, l := range languages {
		all[l] = &slot{}
	}
	return all
}()

// For returns the catalogue of a language; the English one for one that there is not. The files are part of the program: one that cannot be read
// is a fault of ours.
func For(l Language) *Catalogue {
	place, ok := loaded[l]
	if !ok {
		l, place = English, loaded[English]
	}
	place.once.Do(func() {
		c, err := load(l)
		if err != nil {
			panic("locale: " + err.Error())
		}
		place.catalogue = c
	})
	return place.catalogue
}

// Language returns the language of the catalogue.
func (c *Catalogue) Language() Language { return c.language }

// Check returns the words about a check, those that the language lacks in English, or false for an id that no check ever had.
func (c *Catalogue) Check(id string) (Check, bool) {
	found, ok := c.checks[id]
	return found, ok
}

// CheckIDs returns the ids of all checks that there are words about, sorted.
func (c *Catalogue) CheckIDs() []string { return slices.Sorted(maps.Keys(c.checks)) }

// Has reports whether the catalogue, or the English one, has words for an id.
func (c *Catalogue) Has(id string) bool {
	_, _, ok := c.words(id)
	return ok
}

// Say returns a sentence in words. An id that no catalogue has is returned as it is, and the zero Sentence is "".
func (c *Catalogue) Say(s Sentence) string {
	if len(s.Args) == 0 {
		if w, _, ok := c.words(s.ID); ok {
			return w.forms[formOther].plain()
		}
		return s.ID
	}
	return string(c.append(make([]byte, 0, 128), s))
}

func (c *Catalogue) append(b []byte, s Sentence) []byte {
	w, in, ok := c.words(s.ID)
	if !ok {
		return append(b, s.ID...)
	}
	return w.append(b, in, scopeOf(s.ID), s.Args)
}

// Text is Say for an id and what fills its placeholders.
func (c *Catalogue) Text(id string, args ...Arg) string { return c.Say(Sentence{id, args}) }

// words returns what an id says, and the catalogue that has it: what is said in English has English numbers, too.
func (c *Catalogue) words(id string) (*words, *Catalogue, bool) {
	if w, ok := c.said[id]; ok {
		return w, c, true
	}
	if c.english == nil {
		return nil, nil, false
	}
	return c.english.words(id)
}

// plain returns the text of a template that is given nothing.
func (t *template) plain() string {
	if len(t.parts) == 1 {
		return t.parts[0].literal
	}
	var b strings.Builder
	for _, p := range t.parts {
		b.WriteString(p.literal)
	}
	return b.String()
}

// scopeOf returns what an id has before its last dot: for a detail, the id of its check.
func scopeOf(id string) string {
	if i := strings.LastIndexByte(id, '.'); i >= 0 {
		return id[:i]
	}
	return ""
}

// load reads the file of a language.
func load(l Language) (*Catalogue, error) {
	content, err := files.ReadFile(string(l) + ".toml")
	if err != nil {
		return nil, err
	}
	var english *Catalogue
	if l != English {
		english = For(English)
	}
	c, err := parse(l, content, english)
	if err != nil {
		return nil, fmt.Errorf("%s.toml: %w", l, err)
	}
	return c, nil
}

// parse reads a file. english is nil for the English one.
func parse(l Language, content []byte, english *Catalogue) (*Catalogue, error) {
	var file struct {
		Format format                    `toml:"format"`
		Checks map[string]map[string]any `toml:"checks"`
	}
	var sections map[string]any
	if err := toml.Unmarshal(content, &file); err != nil {
		return nil, err
	}
	if err := toml.Unmarshal(content, &sections); err != nil {
		return nil, err
	}
	c := &Catalogue{language: l, tag: l.plurals(), english: english, checks: map[string]Check{}, said: map[string]*words{}, format: file.Format}
	if english != nil {
		maps.Copy(c.checks, english.checks)
	}
	for id, fields := range file.Checks {
		if err := c.addCheck(id, fields); err != nil {
			return nil, fmt.Errorf("checks.%s: %w", id, err)
		}
	}
	delete(sections, "checks")
	delete(sections, "format")
	return c, c.addSection("", sections)
}

func (c *Catalogue) addCheck(id string, fields map[string]any) error {
	check := c.checks[id]
	if c.english != nil && check.Name == "" {
		return fmt.Errorf("the English catalogue has no such check")
	}
	into := check.fields()
	for name, value := range fields {
		if details, ok := value.(map[string]any); ok && name == "details" {
			if err := c.addSection(id, details); err != nil {
				return err
			}
			continue
		}
		text, isText := value.(string)
		if into[name] == nil || !isText {
			return fmt.Errorf("%q is not among the words of a check", name)
		}
		*into[name] = text
	}
	c.checks[id] = check
	return nil
}

// addSection adds sentences and sections below a path.
func (c *Catalogue) addSection(path string, section map[string]any) error {
	for name, value := range section {
		id := strings.TrimPrefix(path+"."+name, ".")
		forms, below := map[int]string{}, map[string]any(nil)
		switch value := value.(type) {
		case string:
			forms[formOther] = value
		case map[string]any:
			if forms = formsIn(value); forms == nil {
				below = value
			}
		default:
			return fmt.Errorf("%s is neither a text nor a table", id)
		}
		if below != nil {
			if err := c.addSection(id, below); err != nil {
				return err
			}
			continue
		}
		if err := c.add(id, forms); err != nil {
			return fmt.Errorf("%s: %w", id, err)
		}
	}
	return nil
}

// formsIn returns the forms of a sentence, or nil for a table that has no form "other" and so is a section.
func formsIn(table map[string]any) map[int]string {
	if _, ok := table["other"].(string); !ok {
		return nil
	}
	forms := map[int]string{}
	for name, value := range table {
		form, known := formNames[name]
		text, isText := value.(string)
		if !known || !isText {
			return nil
		}
		forms[form] = text
	}
	return forms
}

// add adds the words of an id.
func (c *Catalogue) add(id string, forms map[int]string) error {
	var known *params
	if c.english != nil {
		source, ok := c.english.said[id]
		if !ok {
			return fmt.Errorf("the English catalogue has no such id")
		}
		known = source.params
	}
	w, err := compile(forms, known)
	if err != nil {
		return err
	}
	c.said[id] = w
	return nil
}
