package page

import (
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// TestTagScanner holds the scanner to x/net's tokenizer, which follows the standard.
func TestTagScanner(t *testing.T) {
	for _, source := range []string{
		shop(t),
		"a < b <c> </d > <E F='>' g=\">\" h=> i>j",
		"<a x = '>' y= \"'>\" z=q/>b<br/>c</ a><b/",
		"<!-- <a> --><!--><b><!---><c><!----><d><!-- --!> <e> -->",
		"<!DOCTYPE html><?xml <a> ?><!x <b>></><f>",
		"<script>'<a>'</scr</SCRIPT ><style><b></style><title><c></Title><textarea></textarea><d>",
		"<noscript><a></noscript><iframe><b></iframe><xmp><c></xmp><noembed><d></noembed><e>",
		"<plaintext><a>", "<script><a>", "<a b='c", "<a", "<", "</", "<!", "<!--", "",
	} {
		if got, want := scannedTags(source), tokenizedTags(source); !slices.Equal(got, want) {
			t.Errorf("%q:\n%q\n%q", source, got, want)
		}
	}
}

func scannedTags(source string) []string {
	var tags []string
	s := tagScanner{source: []byte(source)}
	for tag, ok := s.next(); ok; tag, ok = s.next() {
		tags = append(tags, string(tag.name)+" "+source[tag.start:tag.end])
	}
	return tags
}

func tokenizedTags(source string) []string {
	var tags []string
	z := html.NewTokenizer(strings.NewReader(source))
	for {
		switch z.Next() {
		case html.ErrorToken:
			return tags
		case html.StartTagToken, html.EndTagToken, html.SelfClosingTagToken:
			raw := string(z.Raw())
			name, _ := z.TagName()
			tags = append(tags, string(name)+" "+raw)
		}
	}
}
