package audit

import "testing"

func TestFragmentChecks(t *testing.T) {
	var cases []checkCase
	add := func(want Status, sources ...string) {
		for _, source := range sources {
			cases = append(cases, checkCase{id: "fragment-targets", name: source, html: source, want: want})
		}
	}
	add(Passed, "<a href=#a>a</a><p id=a>", "<a href=#a>a</a><a name=a></a>", "<a href=/shop/page#a>a</a><p id=a>", "<a href=#über>a</a><p id=über>",
		"<a href=#a%20b>a</a><p id='a b'>", "<a href=#a%20b>a</a><p id='a%20b'>", "<a href=#TOP>up</a>", "<a href=#a:~:text=toys>a</a><p id=a>",
		"<a href=#a>a</a><svg><g id=a></svg>")
	add(Failed, "<a href=#a>a</a>", "<a href=#a>a</a><p id=A>", "<a href=#a>a</a><input name=a>", "<a href=#a>a</a><template><p id=a></template>",
		"<a href=/shop/page#a>a</a>")
	add(NotApplicable, "<p>", "<a href=#>up</a>", "<a href=#/cart>cart</a>", "<a href=#!cart>cart</a>", "<a href=#:~:text=toys>toys</a>", "<a href=/other#a>a</a>",
		"<a href=#a role=button>menu</a>", "<a href=#a onclick=open()>menu</a>", "<a href=#a data-bs-toggle=collapse>menu</a>",
		"<base href=/other><a href=#a>a</a>")
	cases = append(cases, checkCase{id: "fragment-targets", name: "counts", html: "<a href=#a>a</a><a href=#b>b</a><a href=#c>c</a><p id=c>", want: Failed,
		detail: "2 of 3 links within the page lead to a name"})
	runCheckCases(t, seoFragments, cases, nil, nil)
}
