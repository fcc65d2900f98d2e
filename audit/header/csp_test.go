package header

import (
	"reflect"
	"testing"
)

func TestParseCSP(t *testing.T) {
	tests := []struct {
		name  string
		lines []string
		want  []Policy
	}{
		{"none", nil, nil},
		{"empty", []string{" ; ;, "}, nil},
		{"directives", []string{"Default-Src 'self';  script-src\t'nonce-AbC' https://a.example ;upgrade-insecure-requests"}, []Policy{{Directives: map[string]Sources{
			"default-src": {"'self'"}, "script-src": {"'nonce-AbC'", "https://a.example"}, "upgrade-insecure-requests": {},
		}}}},
		{"the first of two", []string{"img-src a; IMG-SRC b"}, []Policy{{Directives: map[string]Sources{"img-src": {"a"}}, Repeated: []string{"img-src"}}}},
		{"two policies in a line and one in another", []string{"img-src a, img-src b", "img-src c"}, []Policy{
			{Directives: map[string]Sources{"img-src": {"a"}}}, {Directives: map[string]Sources{"img-src": {"b"}}}, {Directives: map[string]Sources{"img-src": {"c"}}},
		}},
		{"letters beyond ASCII", []string{"img-src ä; script-src\u00a0'self'; font-src a"}, []Policy{{Directives: map[string]Sources{"font-src": {"a"}}}}},
		{"a vertical tab is no space", []string{"img-src\va"}, []Policy{{Directives: map[string]Sources{"img-src\va": {}}}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := ParseCSP(test.lines); !reflect.DeepEqual(got, test.want) {
				t.Errorf("got  %q\nwant %q", got, test.want)
			}
		})
	}
}

func TestParseMetaCSP(t *testing.T) {
	got := ParseMetaCSP("Frame-Ancestors 'none'; sandbox; report-uri /x; img-src a, script-src b")
	want := map[string]Sources{"img-src": {"a,", "script-src", "b"}}
	if !reflect.DeepEqual(got.Directives, want) {
		t.Errorf("got %q, want %q", got.Directives, want)
	}
}

func TestGoverning(t *testing.T) {
	p := ParseCSP([]string{"default-src d; script-src s; style-src-elem e; child-src c"})[0]
	tests := map[string]string{
		"script-src-elem": "script-src", "script-src-attr": "script-src", "script-src": "script-src", "style-src-elem": "style-src-elem",
		"style-src-attr": "default-src", "object-src": "default-src", "worker-src": "child-src", "frame-src": "child-src",
		"default-src": "default-src", "base-uri": "", "frame-ancestors": "", "form-action": "",
	}
	for directive, want := range tests {
		if got, _, ok := p.Governing(directive); got != want || ok != (want != "") {
			t.Errorf("%s is governed by %q, want %q", directive, got, want)
		}
	}
}

func TestAllowInline(t *testing.T) {
	tests := map[string]bool{
		"'unsafe-inline'": true, "'UNSAFE-inline'": true, "unsafe-inline": false, "'self'": false,
		"'unsafe-inline' 'nonce-abc'": false, "'unsafe-inline' 'NONCE-a+/-_=='": false, "'unsafe-inline' 'strict-dynamic'": false,
		"'unsafe-inline' 'sha256-abc='": false, "'unsafe-inline' 'SHA384-abc'": false, "'unsafe-inline' 'sha512-abc'": false,
		"'unsafe-inline' 'nonce-'": true, "'unsafe-inline' nonce-abc": true, "'unsafe-inline' 'nonce-abc": true, "'unsafe-inline' 'nonce-a b'": true,
		"'unsafe-inline' 'nonce-a==='": true, "'unsafe-inline' 'nonce-=a'": true, "'unsafe-inline' 'nonce-a$'": true,
		"'unsafe-inline' 'sha1-abc'": true, "'unsafe-inline' 'sha256-'": true, "'unsafe-inline' sha256-abc": true, "'unsafe-inline' '": true,
	}
	for sources, want := range tests {
		p := ParseCSP([]string{"script-src " + sources})[0]
		if got := p.Directives["script-src"].AllowInline(); got != want {
			t.Errorf("%s: %v", sources, got)
		}
	}
}

func TestBroad(t *testing.T) {
	tests := map[string]bool{
		"*": true, "https:": true, "HTTP:": true, "data:": true, "ftp:": true, "https://*": true, "http://*": true, "*:*": true, "https://*:443": true, "*:8443": true,
		"https://*/path": true, "*.com": true, "https://*.co.uk": true, "*.github.io": true,
		"'self'": false, "'none'": false, "a.example": false, "*.a.example": false, "https://*.mozilla.org": false, "blob:": false, "wss:": false,
		"https://": false, "//*": false, "https://*.*": false, "*a": false, "*.": false, "mozilla.org": false, "localhost": false, "*.localdomain": false,
	}
	for source, want := range tests {
		if got := (Sources{"'self'", source}).Broad(); (got == source) != want {
			t.Errorf("%s: %q", source, got)
		}
	}
}

func TestMisread(t *testing.T) {
	tests := map[string]bool{
		"*": false, "'self'": false, "'NONE'": false, "'nonce-abcdefgh'": false, "'sha256-abc'": false, "'wasm-unsafe-eval'": false, "data:": false,
		"a.example": false, "A.example:*/path?": false, "https://a.example:443/": false, "http://127.0.0.1:80": false, "localhost:3000": false,
		"a.example.": false, "my_host.example": false, "x-app+1.0-y:": false,
		"self": true, "none": true, "unsafe-inline": true, "strict-dynamic": true, "nonce-abc": true, "sha256-abc": true, "'unknown'": true,
		"'nonce-'": true, "'nonce-a": true, "'self": true, "'https://a.example'": true, "script-src": true, "8.8.8.8": true, "https://8.8.8.8/": true,
		"https://[::1]": true, "https://": true, "//a.example": true, "/path": true, "a..example": true, "*.*": true, "*a.example": true,
		"a.example:":  false, // a scheme of that name
		"a.example:x": true, "a.example:80:80": true, "https://a.example:": true, "1http://a.example": true, "a,": true, "%": true,
	}
	for source, want := range tests {
		if got := (Sources{"'self'", source}).Misread(); (got == source) != want {
			t.Errorf("%s: %q", source, got)
		}
	}
}

func TestCovers(t *testing.T) {
	tests := map[string]bool{
		"cdn.example": true, "CDN.example:443": true, "https://cdn.example": true, "http://cdn.example": true, "*.example": true,
		"cdn.example/lib/": true, "cdn.example/lib/a.js": true, "cdn.example/": true, "*.cdn.example": false, "cdn.example/li": false, "cdn.example/lib": false,
		"other.example": false, "cdn.example:8443": false, "wss://cdn.example": false, "example": false,
	}
	for source, want := range tests {
		if got := (Sources{source}).Covers("cdn.example", "/lib/a.js"); (got == source) != want {
			t.Errorf("%s: %q", source, got)
		}
	}
}

// FuzzCSP holds that a strict policy is read the same whatever other policies stand beside it.
func FuzzCSP(f *testing.F) {
	f.Add("default-src 'self'; script-src 'unsafe-inline' 'nonce-a', img-src http://*.a:*/x")
	f.Add(";,;'")
	f.Fuzz(func(t *testing.T, line string) {
		policies := ParseCSP([]string{line, "default-src 'none'; frame-ancestors 'none'"})
		last := policies[len(policies)-1]
		if _, limited := last.Framing(); !limited || last.Upgrades() {
			t.Errorf("after %q: %+v", line, last)
		}
		for _, p := range policies {
			if len(p.Directives) == 0 {
				t.Errorf("%q gives an empty policy", line)
			}
			for _, sources := range p.Directives {
				if sources.AllowInline() && len(sources.Nonces()) > 0 {
					t.Errorf("%q: a nonce does not count", sources)
				}
				sources.Broad()
				sources.Misread()
				sources.Covers("a.example", "/")
			}
		}
	})
}
