package audit

import (
	"strings"
	"testing"
)

func TestEvidence(t *testing.T) {
	d := read(t, `<!DOCTYPE html>
<html lang=en>
<title>Toys &amp; more</title>
<template><a href=none>x</a>
</template>
<body>
<!-- <a href=comment>x</a> -->
<noscript><a href=noscript>x</a></noscript>
<script>"<a href=script>"</script>
<a
  href="/first"
>
  first</a>
<p><b><a href="/second"><p>second</a></b>
<A HREF='/third' title="a > b"><img src=x alt="é"></A>
<svg><a xlink:href="/fourth">fourth</a></svg>`)
	want := []Evidence{
		{Selector: "body > a", Snippet: "<a\n  href=\"/first\"\n>\n  first", Line: 10},
		{Selector: "body > p:nth-of-type(1) > b > a", Snippet: `<a href="/second">`, Line: 14},
		{Selector: "body > p:nth-of-type(2) > b > a", Snippet: `<a href="/second">`, Line: 14}, // the parser opens it again inside the paragraph
		{Selector: "body > p:nth-of-type(2) > a", Snippet: `<A HREF='/third' title="a > b">`, Line: 15},
		{Selector: "body > p:nth-of-type(2) > svg > a", Snippet: `<a xlink:href="/fourth">fourth`, Line: 16},
	}
	if len(d.anchors) != len(want) {
		t.Fatalf("%d anchors", len(d.anchors))
	}
	for i, a := range d.anchors {
		if got := d.evidence(a.element); got != want[i] {
			t.Errorf("anchor %d: %+v, want %+v", i, got, want[i])
		}
	}
	if got := d.evidence(d.titles[0].element); got != (Evidence{Selector: "head > title", Snippet: "<title>Toys &amp; more", Line: 3}) {
		t.Errorf("title: %+v", got)
	}
	if got := d.evidence(d.images[0].element); got != (Evidence{Selector: "body > p:nth-of-type(2) > a > img", Snippet: `<img src=x alt="é">`, Line: 15}) {
		t.Errorf("image: %+v", got)
	}
}

func TestEvidenceOfElementsWithoutTag(t *testing.T) {
	d := read(t, "text")
	if got := d.evidence(d.html); got != (Evidence{Selector: "html", Snippet: "<html>"}) {
		t.Errorf("%+v", got)
	}
}

func TestSnippetsAreCutBetweenCharacters(t *testing.T) {
	d := read(t, `<img alt="`+strings.Repeat("é", 500)+`">`)
	got := d.evidence(d.images[0].element).Snippet
	if len(got) > maxSnippet || len(got) < maxSnippet-1 || strings.Contains(got, "\ufffd") || !strings.HasSuffix(got, "é") {
		t.Errorf("%d bytes: %q", len(got), got)
	}
}

func TestEvidenceIsBounded(t *testing.T) {
	f := exampleFacts(t, strings.Repeat("<img src=a>\n", 30))
	got := checkImageAlt(f)
	if len(got.evidence) != MaxEvidence || got.evidence[9].Line != 10 || !strings.Contains(got.detail, "30 of 30") {
		t.Errorf("%s %+v", got.detail, got.evidence)
	}
}
