package audit

import "testing"

func TestParseHSTS(t *testing.T) {
	tests := []struct {
		value string
		want  hsts
		ok    bool
	}{
		{"max-age=31536000", hsts{maxAge: 31536000}, true},
		{" MAX-AGE = \"1\" ;includesubdomains; Preload ;", hsts{1, true, true}, true},
		{"max-age=1; future=\"a;b\"; other", hsts{maxAge: 1}, true},
		{"max-age=99999999999999999999", hsts{maxAge: 1<<63 - 1}, true},
		{"", hsts{}, false},
		{"includeSubDomains", hsts{}, false},
		{"max-age", hsts{}, false},
		{"max-age=", hsts{}, false},
		{"max-age=-1", hsts{}, false},
		{"max-age=1.5", hsts{}, false},
		{"max-age=1; max-age=1", hsts{}, false},
		{"max-age=1, max-age=1", hsts{}, false},
		{`max-age="1"x`, hsts{}, false},
	}
	for _, test := range tests {
		if got, err := parseHSTS(test.value); got != test.want || (err == nil) != test.ok {
			t.Errorf("parseHSTS(%q) = %+v, %v, want %+v", test.value, got, err, test.want)
		}
	}
}

// FuzzHSTS holds that an accepted header has a max-age, and that a second one makes it wrong.
func FuzzHSTS(f *testing.F) {
	f.Add(`max-age="31536000"; includeSubDomains; preload`)
	f.Fuzz(func(t *testing.T, value string) {
		h, err := parseHSTS(value)
		if err != nil {
			return
		}
		if h.maxAge < 0 {
			t.Errorf("%q: max-age %d", value, h.maxAge)
		}
		if twice, err := parseHSTS("max-age=1;" + value); err == nil {
			t.Errorf("%q after another max-age: %+v", value, twice)
		}
	})
}
