package templates

import (
	"fmt"
	"html/template"
	"strings"

	"sitegrade/audit"
	"sitegrade/locale"
)

// Say returns words of pages: those of ui.<id>.
func Say(words *locale.Catalogue, id string, values ...any) string {
	return words.Fill(Section+id, values...)
}

// linked returns a sentence whose part between brackets is a link: "No report matches. [Show all reports]." The path is one of this server, or a part of the page.
func linked(words *locale.Catalogue, id, path string, values []any) (template.HTML, error) {
	sentence := template.HTMLEscapeString(Say(words, id, values...))
	before, rest, opened := strings.Cut(sentence, "[")
	inside, behind, closed := strings.Cut(rest, "]")
	if !opened || !closed || !strings.HasPrefix(path, "/") && !strings.HasPrefix(path, "#") {
		return "", fmt.Errorf("%s has no link, or its path %q is none of this server", id, path)
	}
	return template.HTML(before + `<a href="` + template.HTMLEscapeString(path) + `">` + inside + "</a>" + behind), nil
}

// Around is what stands before and behind a part of a sentence that is more than text.
type Around struct{ Before, After string }

// around returns a sentence with brackets in the place of such a part: "Audited []."
func around(words *locale.Catalogue, id string, values []any) (Around, error) {
	before, after, ok := strings.Cut(Say(words, id, values...), "[]")
	if !ok {
		return Around{}, fmt.Errorf("%s has no place for what it is put around", id)
	}
	return Around{before, after}, nil
}

// explained reports whether there is a page about a check. Imported reports may have any ids.
func explained(id string) bool {
	_, ok := audit.Explain(id)
	return ok
}

// linkable reports whether a text is an address that a link may lead to.
func linkable(address string) bool {
	return strings.HasPrefix(address, "http://") || strings.HasPrefix(address, "https://")
}

// Shorten cuts a text after n characters, with an ellipsis in the place of the last.
func Shorten(n int, s string) string {
	runes := []rune(s)
	if len(runes) <= n {
		return s
	}
	return strings.TrimSpace(string(runes[:n-1])) + "…"
}

// Piece is a part of a description: text, or code.
type Piece struct {
	Text string
	Code bool
}

// Pieces parts a description, in which backquotes mark code. The template "prose" shows them.
func Pieces(description string) []Piece {
	var all []Piece
	for i, text := range strings.Split(description, "`") {
		all = append(all, Piece{Text: text, Code: i%2 == 1})
	}
	return all
}
