package templates

import (
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"testing"
	"text/template/parse"

	"sitegrade/locale"
	"sitegrade/web/assets"
)

// verbatim are the texts of templates that are the same in all languages: names, and marks between words.
var verbatim = []string{"Sitegrade", "– Sitegrade", "API", "CSV", "JSON", "·", "–", "…", "→", "×", "100", "sg_…", "https://example.com/", "https://example.com/sitemap.xml", "meta-description",
	"https://example.com/hooks", "0 6 * * mon", "Europe/Berlin", "#3b4fd8"}

var (
	noText    = regexp.MustCompile(`\{\{define "(?:width|describes)"\}\}.*?\{\{end\}\}`) // parts of a tag
	action    = regexp.MustCompile(`(?s)\{\{.*?\}\}`)
	markup    = regexp.MustCompile(`(?s)<[^>]*>`)
	attribute = regexp.MustCompile(`\s(?:aria-label|title|placeholder|alt|aria-description|label|data-(?:ready|copied|press|show|running|queued))="([^"]*)"`)
	letters   = regexp.MustCompile(`\p{L}{2,}`)
)

// TestTemplatesHaveNoWords holds that all words of pages are in the catalogues: a template has nothing but names between its tags.
func TestTemplatesHaveNoWords(t *testing.T) {
	names, err := fs.Glob(files, "*.html")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		content, err := files.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		source := action.ReplaceAllString(noText.ReplaceAllString(string(content), ""), "")
		texts := strings.Split(markup.ReplaceAllString(source, "\n"), "\n")
		for _, found := range attribute.FindAllStringSubmatch(source, -1) {
			texts = append(texts, found[1])
		}
		for _, text := range texts {
			if text = strings.TrimSpace(text); letters.MatchString(text) && !slices.Contains(verbatim, text) {
				t.Errorf("%s: %q is not in the catalogues", name, text)
			}
		}
	}
}

// TestTemplatesSayWhatThereIs holds that the catalogues have each id that a template names, and that it is given as much as it has
// placeholders. Of an id that is put together, it holds that there are any that begin so.
func TestTemplatesSayWhatThereIs(t *testing.T) {
	words := locale.For(locale.English)
	set := NewSet(assets.Load())
	names, err := fs.Glob(files, "*.html")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range names {
		content, err := files.ReadFile(file)
		if err != nil || !strings.Contains(string(content), `{{define "main"}}`) {
			continue // a part of pages
		}
		name := strings.TrimSuffix(file, ".html")
		for _, part := range set.Page(locale.English, name).Templates() {
			if part.Tree == nil {
				continue
			}
			eachCommand(part.Tree.Root, func(c *parse.CommandNode) {
				f, ok := c.Args[0].(*parse.IdentifierNode)
				if !ok || f.Ident != "t" && f.Ident != "linked" && f.Ident != "around" {
					return
				}
				id, ok := c.Args[1].(*parse.StringNode)
				if !ok {
					return
				}
				values := len(c.Args) - 2
				if f.Ident == "linked" {
					values--
				}
				if wants, ok := words.Placeholders(Section + id.Text); !ok {
					t.Errorf("%s: there is no %s", name, id.Text)
				} else if wants != values {
					t.Errorf("%s: %s is given %d values, not %d", name, id.Text, values, wants)
				}
			})
		}
	}
}

// eachCommand calls visit for all commands below a node of a template.
func eachCommand(node parse.Node, visit func(*parse.CommandNode)) {
	each := func(nodes ...parse.Node) {
		for _, n := range nodes {
			eachCommand(n, visit)
		}
	}
	switch n := node.(type) {
	case *parse.ListNode:
		if n != nil {
			each(n.Nodes...)
		}
	case *parse.ActionNode:
		each(n.Pipe)
	case *parse.TemplateNode:
		each(n.Pipe)
	case *parse.IfNode:
		each(n.Pipe, n.List, n.ElseList)
	case *parse.RangeNode:
		each(n.Pipe, n.List, n.ElseList)
	case *parse.WithNode:
		each(n.Pipe, n.List, n.ElseList)
	case *parse.PipeNode:
		if n == nil {
			return
		}
		for _, c := range n.Cmds {
			visit(c)
			each(c.Args...)
		}
	}
}
