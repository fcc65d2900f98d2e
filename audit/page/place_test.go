package page

import (
	"strings"
	"testing"
)

func TestPlaces(t *testing.T) {
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
	want := []Place{
		{Selector: "body > a", Snippet: "<a\n  href=\"/first\"\n>\n  first", Line: 10},
		{Selector: "body > p:nth-of-type(1) > b > a", Snippet: `<a href="/second">`, Line: 14},
		{Selector: "body > p:nth-of-type(2) > b > a", Snippet: `<a href="/second">`, Line: 14}, // the parser opens it again inside the paragraph
		{Selector: "body > p:nth-of-type(2) > a", Snippet: `<A HREF='/third' title="a > b">`, Line: 15},
		{Selector: "body > p:nth-of-type(2) > svg > a", Snippet: `<a xlink:href="/fourth">fourth`, Line: 16},
	}
	if len(d.Anchors) != len(want) {
		t.Fatalf("%d anchors", len(d.Anchors))
	}
	for i, a := range d.Anchors {
		if got := d.Place(a.Element); got != want[i] {
			t.Errorf("anchor %d: %+v, want %+v", i, got, want[i])
		}
	}
	if got := d.Place(d.Titles[0].Element); got != (Place{Selector: "head > title", Snippet: "<title>Toys &amp; more", Line: 3}) {
		t.Errorf("title: %+v", got)
	}
	if got := d.Place(d.Images[0].Element); got != (Place{Selector: "body > p:nth-of-type(2) > a > img", Snippet: `<img src=x alt="é">`, Line: 15}) {
		t.Errorf("image: %+v", got)
	}
}

// The parser sorts the attributes of a, b, i and the like.
func TestPlaceOfSortedAttributes(t *testing.T) {
	d := read(t, "<p>\n<a href=/x aria-label=Basket>x</a><a href=/x class=y>x</a>")
	for i, want := range []string{"<a href=/x aria-label=Basket>x", "<a href=/x class=y>x"} {
		if got := d.Place(d.Anchors[i].Element); got.Line != 2 || got.Snippet != want {
			t.Errorf("%+v, want line 2 and %s", got, want)
		}
	}
}

func TestPlacesOfElementsWithoutTag(t *testing.T) {
	d := read(t, "text")
	if got := d.Place(d.HTML); got != (Place{Selector: "html", Snippet: "<html>"}) {
		t.Errorf("%+v", got)
	}
}

func TestSnippetsAreCutBetweenCharacters(t *testing.T) {
	d := read(t, `<img alt="`+strings.Repeat("é", 500)+`">`)
	got := d.Place(d.Images[0].Element).Snippet
	if len(got) > MaxSnippet || len(got) < MaxSnippet-1 || strings.Contains(got, "\ufffd") || !strings.HasSuffix(got, "é") {
		t.Errorf("%d bytes: %q", len(got), got)
	}
}
