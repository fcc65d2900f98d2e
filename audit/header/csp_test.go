package header

import (
	"reflect"
	"testing"
)

func TestParseCSPHeader(t *testing.T) {
	tests := []struct {
		name  string
		lines []string
		want  []map[string][]string
	}{
		{"none", nil, nil},
		{"empty", []string{" ; ;, "}, nil},
		{"directives", []string{"Default-Src 'self';  script-src\t'nonce-AbC' https://a.example ;upgrade-insecure-requests"}, []map[string][]string{
			{"default-src": {"'self'"}, "script-src": {"'nonce-AbC'", "https://a.example"}, "upgrade-insecure-requests": {}},
		}},
		{"the first of two", []string{"img-src a; IMG-SRC b"}, []map[string][]string{{"img-src": {"a"}}}},
		{"two policies in a line and one in another", []string{"img-src a, img-src b", "img-src c"}, []map[string][]string{
			{"img-src": {"a"}}, {"img-src": {"b"}}, {"img-src": {"c"}},
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var got []map[string][]string
			for _, p := range ParseCSPHeader(test.lines) {
				got = append(got, p.Directives)
			}
			if !reflect.DeepEqual(got, test.want) {
				t.Errorf("got  %q\nwant %q", got, test.want)
			}
		})
	}
}

func TestHasNonceOrHash(t *testing.T) {
	tests := map[string]bool{
		"'nonce-abc'": true, "'NONCE-abc'": true, "'sha256-abc='": true, "'sha384-a'": true, "'sha512-a'": true,
		"'nonce-'": false, "nonce-abc": false, "'nonce-abc": false, "'sha1-abc'": false, "'self'": false,
	}
	for source, want := range tests {
		if got := HasNonceOrHash([]string{"'self'", source}); got != want {
			t.Errorf("HasNonceOrHash(%s) = %v", source, got)
		}
	}
}

// FuzzCSP holds that a strict policy stays strict whatever other policies stand beside it.
func FuzzCSP(f *testing.F) {
	f.Add("default-src 'self'; script-src 'unsafe-inline' 'nonce-a', img-src http:")
	f.Add(";,;'")
	f.Fuzz(func(t *testing.T, line string) {
		policies := ParseCSPHeader([]string{line, "default-src 'none'; frame-ancestors 'none'"})
		last := policies[len(policies)-1]
		if _, limited := last.Framing(); !limited || last.Upgrades() {
			t.Errorf("after %q: %+v", line, last)
		}
		for _, p := range policies {
			if len(p.Directives) == 0 {
				t.Errorf("%q gives an empty policy", line)
			}
		}
	})
}
