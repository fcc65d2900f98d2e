package audit

import (
	"reflect"
	"testing"
)

func TestParseLinkHeader(t *testing.T) {
	canonical := linkValue{target: "https://example.com/", rel: []string{"canonical"}, hasRel: true}
	tests := []struct {
		name  string
		lines []string
		want  []linkValue
	}{
		{"none", nil, nil},
		{"empty", []string{"", " , ,"}, nil},
		{"one", []string{`<https://example.com/>; rel="canonical"`}, []linkValue{canonical}},
		{"without quotes", []string{`<https://example.com/>;rel=canonical`}, []linkValue{canonical}},
		{"spaces and case", []string{` < https://example.com/ > ; REL = "CANONICAL" `}, []linkValue{canonical}},
		{"several in a line", []string{`</a>; rel=next, <https://example.com/>; rel=canonical`},
			[]linkValue{{target: "/a", rel: []string{"next"}, hasRel: true}, canonical}},
		{"several lines", []string{`</a>; rel=next`, `<https://example.com/>; rel=canonical`},
			[]linkValue{{target: "/a", rel: []string{"next"}, hasRel: true}, canonical}},
		{"commas and semicolons in the target", []string{`</a,b;c>; rel=canonical`},
			[]linkValue{{target: "/a,b;c", rel: []string{"canonical"}, hasRel: true}}},
		{"commas, semicolons and quotes in a string", []string{`</a>; title="x, <y>; \"z\""; rel=next, <https://example.com/>; rel=canonical`},
			[]linkValue{{target: "/a", rel: []string{"next"}, hasRel: true}, canonical}},
		{"alternates", []string{`</de>; rel="alternate x"; hreflang="de-AT"; hreflang=de; type="TEXT/html"; media=print; anchor="#a"`},
			[]linkValue{{target: "/de", rel: []string{"alternate", "x"}, hasRel: true, hreflang: []string{"de-at", "de"},
				mime: "text/html", media: "print", anchor: "#a"}}},
		{"the first rel counts", []string{`</a>; rel=next; rel=canonical`}, []linkValue{{target: "/a", rel: []string{"next"}, hasRel: true}}},
		{"without parameters", []string{`</a>`}, []linkValue{{target: "/a"}}},
		{"a parameter without a value", []string{`</a>; crossorigin; rel=next`}, []linkValue{{target: "/a", rel: []string{"next"}, hasRel: true}}},
		{"no link before one", []string{`nonsense; rel="a,b", <https://example.com/>; rel=canonical`}, []linkValue{canonical}},
		{"no end of the target", []string{`<https://example.com/; rel=canonical`}, nil},
		{"no end of a string", []string{`</a>; rel="next, </b>; rel=x`}, []linkValue{{target: "/a", rel: []string{"next,", "</b>;", "rel=x"}, hasRel: true}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := parseLinkHeader(test.lines); !reflect.DeepEqual(got, test.want) {
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
		before := parseLinkHeader([]string{line})
		got := parseLinkHeader([]string{line, `<https://example.com/>; rel=canonical`})
		if len(got) != len(before)+1 || got[len(got)-1].target != "https://example.com/" {
			t.Errorf("%q: %+v, with another line %+v", line, before, got)
		}
	})
}
