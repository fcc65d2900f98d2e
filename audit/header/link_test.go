package header

import (
	"reflect"
	"testing"
)

func TestParseLinks(t *testing.T) {
	canonical := Link{Target: "https://example.com/", Rel: []string{"canonical"}, hasRel: true}
	tests := []struct {
		name  string
		lines []string
		want  []Link
	}{
		{"none", nil, nil},
		{"empty", []string{"", " , ,"}, nil},
		{"one", []string{`<https://example.com/>; rel="canonical"`}, []Link{canonical}},
		{"without quotes", []string{`<https://example.com/>;rel=canonical`}, []Link{canonical}},
		{"spaces and case", []string{` < https://example.com/ > ; REL = "CANONICAL" `}, []Link{canonical}},
		{"several in a line", []string{`</a>; rel=next, <https://example.com/>; rel=canonical`},
			[]Link{{Target: "/a", Rel: []string{"next"}, hasRel: true}, canonical}},
		{"several lines", []string{`</a>; rel=next`, `<https://example.com/>; rel=canonical`},
			[]Link{{Target: "/a", Rel: []string{"next"}, hasRel: true}, canonical}},
		{"commas and semicolons in the target", []string{`</a,b;c>; rel=canonical`},
			[]Link{{Target: "/a,b;c", Rel: []string{"canonical"}, hasRel: true}}},
		{"commas, semicolons and quotes in a string", []string{`</a>; title="x, <y>; \"z\""; rel=next, <https://example.com/>; rel=canonical`},
			[]Link{{Target: "/a", Rel: []string{"next"}, hasRel: true}, canonical}},
		{"alternates", []string{`</de>; rel="alternate x"; hreflang="de-AT"; hreflang=de; type="TEXT/html"; media=print; anchor="#a"`},
			[]Link{{Target: "/de", Rel: []string{"alternate", "x"}, hasRel: true, Hreflang: []string{"de-at", "de"},
				Type: "text/html", Media: "print", Anchor: "#a"}}},
		{"the first rel counts", []string{`</a>; rel=next; rel=canonical`}, []Link{{Target: "/a", Rel: []string{"next"}, hasRel: true}}},
		{"without parameters", []string{`</a>`}, []Link{{Target: "/a"}}},
		{"a parameter without a value", []string{`</a>; crossorigin; rel=next`}, []Link{{Target: "/a", Rel: []string{"next"}, hasRel: true}}},
		{"no link before one", []string{`nonsense; rel="a,b", <https://example.com/>; rel=canonical`}, []Link{canonical}},
		{"no end of the target", []string{`<https://example.com/; rel=canonical`}, nil},
		{"no end of a string", []string{`</a>; rel="next, </b>; rel=x`}, []Link{{Target: "/a", Rel: []string{"next,", "</b>;", "rel=x"}, hasRel: true}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := ParseLinks(test.lines); !reflect.DeepEqual(got, test.want) {
				t.Errorf("got  %+v\nwant %+v", got, test.want)
			}
		})
	}
}

// FuzzLinkHeader holds that a link put after anything that ends in a whole member is found.
func FuzzLinkHeader(f *testing.F) {
	f.Add(`</a>; title="x, <y>; \"z\""; rel=next`)
	f.Add(`<a>;;;=,"`)
	f.Fuzz(func(t *testing.T, line string) {
		before := ParseLinks([]string{line})
		got := ParseLinks([]string{line, `<https://example.com/>; rel=canonical`})
		if len(got) != len(before)+1 || got[len(got)-1].Target != "https://example.com/" {
			t.Errorf("%q: %+v, with another line %+v", line, before, got)
		}
	})
}
