package audit

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
	want := []place{
		{selector: "body > a", snippet: "<a\n  href=\"/first\"\n>\n  first", line: 10},
		{selector: "body > p:nth-of-type(1) > b > a", snippet: `<a href="/second">`, line: 14},
		{selector: "body > p:nth-of-type(2) > b > a", snippet: `<a href="/second">`, line: 14}, // the parser opens it again inside the paragraph
		{selector: "body > p:nth-of-type(2) > a", snippet: `<A HREF='/third' title="a > b">`, line: 15},
		{selector: "body > p:nth-of-type(2) > svg > a", snippet: `<a xlink:href="/fourth">fourth`, line: 16},
	}
	if len(d.anchors) != len(want) {
		t.Fatalf("%d anchors", len(d.anchors))
	}
	for i, a := range d.anchors {
		if got := d.place(a.element); got != want[i] {
			t.Errorf("anchor %d: %+v, want %+v", i, got, want[i])
		}
	}
	if got := d.place(d.titles[0].element); got != (place{selector: "head > title", snippet: "<title>Toys &amp; more", line: 3}) {
		t.Errorf("title: %+v", got)
	}
	if got := d.place(d.images[0].element); got != (place{selector: "body > p:nth-of-type(2) > a > img", snippet: `<img src=x alt="é">`, line: 15}) {
		t.Errorf("image: %+v", got)
	}
}

func TestPlacesOfElementsWithoutTag(t *testing.T) {
	d := read(t, "text")
	if got := d.place(d.html); got != (place{selector: "html", snippet: "<html>"}) {
		t.Errorf("%+v", got)
	}
}

func TestSnippetsAreCutBetweenCharacters(t *testing.T) {
	d := read(t, `<img alt="`+strings.Repeat("é", 500)+`">`)
	got := d.place(d.images[0].element).snippet
	if len(got) > maxSnippet || len(got) < maxSnippet-1 || strings.Contains(got, "\ufffd") || !strings.HasSuffix(got, "é") {
		t.Errorf("%d bytes: %q", len(got), got)
	}
}
