package page

import (
	"fmt"
	"slices"
	"testing"

	"sitegrade/weburl"
)

func TestHyperlinks(t *testing.T) {
	const source = `<!doctype html>
<a href="/plain">Plain</a>
<a href="/logo"><img src=x alt="The  logo"></a>
<a href="/nothing"><img src=x></a>
<a href="/labelled" aria-label="Basket"></a>
<p hidden><a href="/hidden"></a></p>
<a href="mailto:a@example.com">mail</a> <a name=here>no link</a>
<map name=m><area href="/north" alt="North"><area href="/south"></map>`
	d := Parse([]byte(source), weburl.Resolve(nil, "https://example.com/"))
	var got []string
	for _, l := range d.Hyperlinks() {
		got = append(got, fmt.Sprintf("%s %q %v %d", l.URL.Path(), l.Text, l.Unnamed, d.Line(l.Element)))
	}
	want := []string{
		`/plain "Plain" false 2`, `/logo "The logo" false 3`, `/nothing "" true 4`, `/labelled "" false 5`, `/hidden "" false 6`,
		`/north "North" false 8`, `/south "" true 8`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
