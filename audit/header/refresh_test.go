package header

import "testing"

func TestParseRefresh(t *testing.T) {
	for _, c := range []struct {
		content, target string
		delay           int
		ok              bool
	}{
		{"5", "", 5, true},
		{" 0;url=/a", "/a", 0, true},
		{"0, url = '/a b'", "/a b", 0, true},
		{"3;/a", "/a", 3, true},
		{"1.5; URL=\"x\"", "x", 1, true},
		{"0;url", "url", 0, true},
		{"99999999999999999999;x", "x", 1 << 30, true},
		{"", "", 0, false},
		{"x", "", 0, false},
	} {
		delay, target, ok := ParseRefresh(c.content)
		if delay != c.delay || target != c.target || ok != c.ok {
			t.Errorf("ParseRefresh(%q) = %d, %q, %v", c.content, delay, target, ok)
		}
	}
}
