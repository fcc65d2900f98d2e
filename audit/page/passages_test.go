package page

import (
	"reflect"
	"testing"
)

func TestPassages(t *testing.T) {
	d := Parse([]byte(`<html lang=en-GB><p>Write <code>{{name}}</code> or <b lang=en>this</b>.<p lang=de>Das nicht.<p>In <i lang=fr>bref</i>, no.
		<ul><li><a href=a>Toys</a> <a href=b>Games</a><li><a href=c>Books</a> of ours</ul><pre>{{code}}</pre><p hidden>hidden`), nil)
	want := []Passage{
		{Text: "Write or this."}, {Text: "Das nicht.", Foreign: true}, {Text: "In"}, {Text: "bref", Foreign: true}, {Text: ", no."},
		{Text: "Toys Games", Linked: true}, {Text: "Books of ours"},
	}
	got := d.Passages
	for i := range got {
		got[i].at, got[i].before = span{}, nil
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v", got)
	}
}
