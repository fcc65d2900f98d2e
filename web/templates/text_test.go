package templates

import "testing"

func TestTexts(t *testing.T) {
	for _, test := range []struct{ got, want string }{
		{Shorten(5, "abcde"), "abcde"},
		{Shorten(5, "äöüßxyz"), "äöüß…"},
		{Shorten(5, "abc def"), "abc…"},
	} {
		if test.got != test.want {
			t.Errorf("%q, not %q", test.got, test.want)
		}
	}
}

func TestLinkable(t *testing.T) {
	for address, want := range map[string]bool{
		"http://a/": true, "https://a/": true, "javascript:alert(1)": false, "data:text/html,x": false, "//a/": false, "": false, " http://a/": false,
	} {
		if got := linkable(address); got != want {
			t.Errorf("%q: %v", address, got)
		}
	}
}
