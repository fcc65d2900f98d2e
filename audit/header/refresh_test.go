package header

import "testing"

func TestParseRefresh(t *testing.T) {
	for _, c := range []struct {
		value, target string
		delay         int
		ok            bool
	}{
		{"5", "", 5, true},
		{"0", "", 0, true},
		{"1;", "", 1, true},
		{"1,", "", 1, true},
		{"1 \t\n\f\r", "", 1, true},
		{" 0;url=/a", "/a", 0, true},
		{"0, url = '/a b'", "/a b", 0, true},
		{"5 , url=x", "x", 5, true},
		{"3;/a", "/a", 3, true},
		{"3 /a", "/a", 3, true},
		{"3 url=/a", "/a", 3, true},
		{"1.5; URL=\"x\"", "x", 1, true},
		{"1.5.6...; url=x", "x", 1, true},
		{".; url=x", "x", 0, true},
		{".9", "", 0, true},
		{"0;url", "url", 0, true},
		{"0;url/x", "url/x", 0, true},
		{"0;u", "u", 0, true},
		{"0;ur=x", "ur=x", 0, true},
		{"0;=x", "=x", 0, true},
		{"0;;x", ";x", 0, true},
		{"0;'url'", "url", 0, true},
		{"0;'x\"y'z", "x\"y", 0, true},
		{"0;url='x", "x", 0, true},
		{"0;url=''", "", 0, true},
		{"0;url='x' y", "x", 0, true},
		{"99999999999999999999;x", "x", 1 << 30, true},
		{"", "", 0, false},
		{" ", "", 0, false},
		{"x", "", 0, false},
		{"0:", "", 0, false},
		{"1x;url", "", 0, false},
		{"-1;url=x", "", 0, false},
		{"+1;url=x", "", 0, false},
		{"; url=x", "", 0, false},
		{"url=x", "", 0, false},
		{"1\v;url=x", "", 0, false},
		{"1\u00a0;url=x", "", 0, false},
	} {
		delay, target, ok := ParseRefresh(c.value)
		if delay != c.delay || target != c.target || ok != c.ok {
			t.Errorf("ParseRefresh(%q) = %d, %q, %v", c.value, delay, target, ok)
		}
	}
}

// FuzzRefresh holds that a delay before anything separated by a semicolon is read, and that nothing is read without one.
func FuzzRefresh(f *testing.F) {
	f.Add("url='a'")
	f.Fuzz(func(t *testing.T, rest string) {
		if delay, _, ok := ParseRefresh("7;" + rest); !ok || delay != 7 {
			t.Errorf("7;%q: %d, %v", rest, delay, ok)
		}
		if delay, _, ok := ParseRefresh(rest); delay < 0 || !ok && delay != 0 {
			t.Errorf("%q: %d", rest, delay)
		}
	})
}
