package header

import "testing"

func TestParseHSTS(t *testing.T) {
	tests := []struct {
		value string
		want  HSTS
		ok    bool
	}{
		{"max-age=31536000", HSTS{MaxAge: 31536000}, true},
		{" MAX-AGE = \"1\" ;includesubdomains; Preload ;", HSTS{1, true, true}, true},
		{"max-age=1; future=\"a;b\"; other", HSTS{MaxAge: 1}, true},
		{"max-age=99999999999999999999", HSTS{MaxAge: 1<<63 - 1}, true},
		{"max-age=0", HSTS{}, true},
		{";; max-age=1 ;; includeSubDomains ; ;", HSTS{MaxAge: 1, IncludeSubDomains: true}, true},
		{"pumpkin=kitten; max-age=1", HSTS{MaxAge: 1}, true},
		{`max-age="\1"`, HSTS{MaxAge: 1}, true},
		{"", HSTS{}, false},
		{" ;;; ; ", HSTS{}, false},
		{"abc", HSTS{}, false},
		{"includeSubDomains", HSTS{}, false},
		{"max-age", HSTS{}, false},
		{"max-age=", HSTS{}, false},
		{"max-age=; includeSubDomains", HSTS{}, false},
		{"max-age=-1", HSTS{}, false},
		{"max-age=+1", HSTS{}, false},
		{"max-age=1.5", HSTS{}, false},
		{"max-age=1e10", HSTS{}, false},
		{"max-age=1 e10", HSTS{}, false},
		{"max-age=1xyz", HSTS{}, false},
		{"max-age=''", HSTS{}, false},
		{`max-age=""`, HSTS{}, false},
		{`max-age=" 1"`, HSTS{}, false},
		{"max-age:1", HSTS{}, false},
		{"max-age==1", HSTS{}, false},
		{"max-age=1; max-age=1", HSTS{}, false},
		{"max-age=1; includeSubDomains; INCLUDESUBDOMAINS", HSTS{}, false},
		{"max-age=1, max-age=1", HSTS{}, false},
		{"max-age=1, includeSubDomains", HSTS{}, false},
		{"max-age=1 includeSubDomains", HSTS{}, false},
		{"max-age=1; includeSubDomains=1", HSTS{}, false},
		{"max-age=1; includeSubDomains=", HSTS{}, false},
		{`max-age=1; includeSubDomains=""`, HSTS{}, false},
		{"max-age=1; includeSubDomains x", HSTS{}, false},
		{"max-age=1; foo=", HSTS{}, false},
		{"max-age=1; =foo", HSTS{}, false},
		{"max-age=1; foo=bar baz", HSTS{}, false},
		{"max-age=1; foo(bar)", HSTS{}, false},
		{`max-age=1; "foo"=bar`, HSTS{}, false},
		{`max-age=1; foo="bar`, HSTS{}, false},
		{`max-age=1; foo="bar\"`, HSTS{}, false},
		{`max-age=1; foo=bar"`, HSTS{}, false},
		{`max-age="1`, HSTS{}, false},
		{`max-age="1"x`, HSTS{}, false},
	}
	for _, test := range tests {
		if got, err := ParseHSTS(test.value); got != test.want || (err == nil) != test.ok {
			t.Errorf("ParseHSTS(%q) = %+v, %v, want %+v", test.value, got, err, test.want)
		}
	}
}

// FuzzHSTS holds that an accepted header has a max-age, and that a second one makes it wrong.
func FuzzHSTS(f *testing.F) {
	f.Add(`max-age="31536000"; includeSubDomains; preload`)
	f.Fuzz(func(t *testing.T, value string) {
		h, err := ParseHSTS(value)
		if err != nil {
			return
		}
		if h.MaxAge < 0 {
			t.Errorf("%q: max-age %d", value, h.MaxAge)
		}
		if twice, err := ParseHSTS("max-age=1;" + value); err == nil {
			t.Errorf("%q after another max-age: %+v", value, twice)
		}
	})
}
