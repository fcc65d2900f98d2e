package weburl

import (
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	tests := []struct{ in, want string }{
		{"http://example.com", "http://example.com/"},
		{" HTTPS://Example.COM:443/A?b#c\n", "https://example.com/A?b"},
		{"http://example.com:443/", "http://example.com:443/"},
		{"http://example.com./", "http://example.com./"},
		{"http://localhost:8080/x", "http://localhost:8080/x"},
		{"http://a_b.example.com/", "http://a_b.example.com/"},
		{"http://example.com/a/../b/./c", "http://example.com/b/c"},
		{`http://example.com\a`, "http://example.com/a"},
		{"http://example.com/ü?ü", "http://example.com/%C3%BC?%C3%BC"},
		{"http://example.com/a b?c d", "http://example.com/a%20b?c%20d"},
		{"http://example.com/%zz", "http://example.com/%25zz"},
		{"http://ex%61mple.com/", "http://example.com/"},
		{"http://BÜCHER.example/", "http://xn--bcher-kva.example/"},
		{"http://faß.example/", "http://xn--fa-hia.example/"},
		{"http://☕.example/", "http://xn--53h.example/"},
		{"http://例え。テスト/", "http://xn--r8jz45g.xn--zckzah/"},
		{"http://2130706433/", "http://127.0.0.1/"},
		{"http://0x7f.1/", "http://127.0.0.1/"},
		{"http://0177.0.0.01/", "http://127.0.0.1/"},
		{"http://127.1/", "http://127.0.0.1/"},
		{"http://１２７.0.0.1/", "http://127.0.0.1/"},
		{"http://[::FFFF:127.0.0.1]:80/", "http://[::ffff:7f00:1]/"},
		{"http://[0:0:0:0:0:0:0:1]/", "http://[::1]/"},
	}
	for _, test := range tests {
		got, err := Parse(test.in)
		if err != nil || got.String() != test.want {
			t.Errorf("Parse(%q) = %q, %v, want %q", test.in, got, err, test.want)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	label := strings.Repeat("a", 64)
	tests := []struct{ in, part string }{
		{"", "empty"},
		{"   ", "empty"},
		{"example.com", "absolute"},
		{"/path", "absolute"},
		{"//example.com/", "absolute"},
		{"http:example.com", "absolute"},
		{"http:/example.com", "absolute"},
		{"ftp://example.com/", "absolute"},
		{"javascript://example.com/", "absolute"},
		{"file:///etc/passwd", "absolute"},
		{"http://", "host"},
		{"http:///example.com/", "host"},
		{"http://?a", "host"},
		{"http://#a", "host"},
		{"http://a..b/", "host"},
		{"http://.a/", "host"},
		{"http://./", "host"},
		{"http://a../", "host"},
		{"http://a b/", "host"},
		{"http://a%00b/", "host"},
		{"http://a%2fb/", "host"},
		{"http://a{b/", "host"},
		{"http://a,b/", "host"},
		{"http://1.2.3.256/", "host"},
		{"http://1.2.3.4.5/", "host"},
		{"http://4294967296/", "host"},
		{"http://[::1/", "host"},
		{"http://[::1%25eth0]/", "host"},
		{"http://[1:2:3:4:5:6:7:8:9]/", "host"},
		{"http://xn--a/", "host"},
		{"http://" + label + ".com/", "host"},
		{"http://" + strings.Repeat("aaaaaaaaa.", 26) + "com/", "host"},
		{"http://example.com:0/", "port"},
		{"http://example.com:65536/", "host"},
		{"http://example.com:x/", "host"},
		{"http://user@example.com/", "user"},
		{"http://user:secret@example.com/", "user"},
		{"http://@example.com/", "user"},
		{"http://exam\tple.com/", "control"},
		{"http://example.com/\x00", "control"},
		{"http://example.com/a\nb", "control"},
		{"http://example.com/\xff", "UTF-8"},
		{"http://example.com/" + strings.Repeat("a", MaxLength), "2,048"},
		{"http://example.com/" + strings.Repeat("ü", MaxLength/3), "2,048"},
	}
	for _, test := range tests {
		got, err := Parse(test.in)
		if err == nil || !strings.Contains(err.Error(), test.part) {
			t.Errorf("Parse(%.60q) = %q, %v, want an error with %q", test.in, got, err, test.part)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{"http://example.com/", "https://bücher.example:81/ü?x=%zz#f", "http://[::ffff:1.2.3.4]/", "http://0x7f.1", "http://a..b/", `http:\\x`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		once, err := Parse(s)
		if err != nil {
			if once != nil {
				t.Fatalf("Parse(%q) returns %q beside %v", s, once, err)
			}
			return
		}
		if len(once.String()) > MaxLength {
			t.Fatalf("Parse(%q) is %d bytes long", s, len(once.String()))
		}
		if twice, err := Parse(once.String()); err != nil || *twice != *once {
			t.Fatalf("Parse(%q) = %q, but of that it makes %q, %v", s, once, twice, err)
		}
		if restored := Restore(once.String()); *restored != *once {
			t.Fatalf("Restore(%q) = %#v, not %#v", once, restored, once)
		}
		if once.Site() == "" || once.HostKey() == "" {
			t.Fatalf("%q has no site", once)
		}
	})
}

// The bounds themselves are allowed, and nothing beyond them.
func TestBounds(t *testing.T) {
	const start = "http://example.com/"
	host := strings.Repeat(strings.Repeat("a", 62)+".", 4) // 252 bytes
	for _, test := range []struct {
		in string
		ok bool
	}{
		{start + strings.Repeat("a", 2048-len(start)), true},
		{start + strings.Repeat("a", 2049-len(start)), false},
		{"http://" + strings.Repeat("a", 63) + ".example/", true},
		{"http://" + strings.Repeat("a", 64) + ".example/", false},
		{"http://" + host + "b/", true},
		{"http://" + host + "bc/", false},
		{"http://example.com:1/", true},
		{"http://example.com:65535/", true},
		{"http://example.com:65536/", false},
	} {
		if _, err := Parse(test.in); (err == nil) != test.ok {
			t.Errorf("%.30s... of %d bytes: %v", test.in, len(test.in), err)
		}
	}
	base := Resolve(nil, start)
	if Resolve(base, strings.Repeat("a", 8192)) == nil || Resolve(base, strings.Repeat("a", 8193)) != nil {
		t.Error("the bound of references is not 8192 bytes")
	}
}
