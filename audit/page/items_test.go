package page

import (
	"strings"
	"testing"
)

// TestNestedDeclarationsAreBounded holds that a page in which each element declares something is still read, with the inner
// declarations before the outer ones.
func TestNestedDeclarationsAreBounded(t *testing.T) {
	const deep = 50
	d := read(t, `<div prefix="a: https://schema.org/ b: http://example.com/">`+strings.Repeat(`<div prefix="b: https://schema.org/">`, deep)+`<p typeof="b:Product a:Thing">`)
	if len(d.Items) != 1 || d.Items[0].Types[0] != (Name{"https://schema.org/", "Product"}) || d.Items[0].Types[1] != (Name{"https://schema.org/", "Thing"}) {
		t.Errorf("items %+v", d.Items)
	}
	var innermost *dictionary[string]
	for range deep {
		innermost = innermost.inner()
	}
	if n := innermost.depth; n != maxDictionaries {
		t.Errorf("%d dictionaries", n)
	}
}
