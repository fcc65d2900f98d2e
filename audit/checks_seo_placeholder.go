package audit

import (
	"regexp"
	"strings"

	"sitegrade/audit/page"
	"sitegrade/locale"
)

// seoPlaceholder is the check of what templates leave behind.
var seoPlaceholder = []check{{
	id: "placeholder-text", severity: Medium,
	source: "Screaming Frog",
	run:    checkPlaceholder,
}}

// placeholder matches what no reader should ever see: variables of templates, and brackets that ask the author for something.
// Variables of shells, such as ${HOME}, belong to many a text.
var placeholder = regexp.MustCompile(`\{\{\{?\s*[#/^>&]?\s*[\pL_$][^{}]{0,80}\}?\}\}` +
	`|\$\{[a-z][\w.\[\]()]{0,60}\}` +
	`|\{%-?\s*(?:if|else|for|include|block|set|assign|endif|endfor|endblock|extends)\b[^%{}]{0,80}%\}` +
	`|<%[=-]?\s[^%<>]{1,80}%>` +
	`|%%?(?:(?:PAGE_|SITE_)?TITLE|(?:SITE|COMPANY|FIRST|LAST|USER)?_?NAME|DESCRIPTION|CONTENT|HEADING|(?i:sitename|sitedesc|title|sep))%%?` +
	`|\[(?i:(?:your|insert|enter|add) [\pL' ]{2,40}|(?:company|site|page|product|business|client) name|(?:text|name|title|date|address|email) here)\]`)

// defaultTitles are the titles that editors and generators give to a page until its author does, in lower case.
var defaultTitles = phrases("untitled document|untitled page|untitled|new page|document|react app|vite app|vite + react|vite + react + ts|" +
	"vite + vue|create next app|unbenanntes dokument|document sans nom|document sans titre|documento sin título|documento senza titolo|" +
	"documento sem título|naamloos document|dokument bez tytułu|無題ドキュメント|无标题文档")

func checkPlaceholder(f *facts) finding {
	title := f.doc.Title()
	if f.doc.Words == 0 && title == "" {
		return notApplicable("placeholder-text.no-text")
	}
	if isPlaceholder(title) || defaultTitles[strings.ToLower(title)] {
		found := fail([]Evidence{evidenceOf(f.doc, f.doc.Titles[0].Element)}, "placeholder-text.title", locale.Quoted(title))
		found.severity = High
		return found
	}
	var found tally
	for _, p := range f.doc.Passages {
		if isPlaceholder(p.Text) {
			found.add(Evidence{Snippet: page.CutSnippet(p.Text)})
		}
	}
	for _, h := range f.doc.Headings {
		if defaultTitles[strings.ToLower(h.Text)] && strings.Contains(h.Text, " ") {
			found.addElement(f.doc, h.Element, nil)
		}
	}
	if found.count > 0 {
		return fail(found.evidence, "placeholder-text.text", locale.Count(found.count)).
			of(found.count, len(f.doc.Passages))
	}
	return pass("placeholder-text.clean")
}

// isPlaceholder reports whether a text has a placeholder in it.
func isPlaceholder(text string) bool {
	if strings.ContainsAny(text, "{[%") && placeholder.MatchString(text) {
		return true
	}
	i := strings.IndexAny(text, "lL")
	return i >= 0 && strings.Contains(strings.ToLower(text[i:]), "lorem ipsum")
}
