package weburl

import "testing"

func TestMatches(t *testing.T) {
	u, err := Parse("https://example.com/shop/a?b=c")
	if err != nil {
		t.Fatal(err)
	}
	for pattern, want := range map[string]bool{
		"https://example.com/shop/a?b=c": true, "https://example.com/shop/*": true, "https://example.com/shop": false, "*": true, "*/shop/*": true,
		"/shop/*": true, "/shop/a?b=c": true, "/shop/a": false, "/": false, "*c": true, "*shop*shop*": false, "http://*": false, "": false,
	} {
		if got := u.Matches(pattern); got != want {
			t.Errorf("%q: %v", pattern, got)
		}
	}
}
