package weburl

import (
	"strings"
	"testing"
)

func TestResolve(t *testing.T) {
	base := Resolve(nil, "https://example.com/a/b;c?q=1")
	tests := []struct{ reference, want string }{
		{"", "https://example.com/a/b;c?q=1"},
		{"#top", "https://example.com/a/b;c?q=1#top"},
		{"?x=2", "https://example.com/a/b;c?x=2"},
		{"c", "https://example.com/a/c"},
		{"c?x/../y#z", "https://example.com/a/c?x/../y#z"},
		{"../c/./d/..", "https://example.com/c/"},
		{"/wiki/Category:Go_(game)", "https://example.com/wiki/Category:Go_(game)"},
		{"%e2%82%ac", "https://example.com/a/%e2%82%ac"},
		{"/x/%2E%2e/y", "https://example.com/y"},
		{"/100%", "https://example.com/100%25"},
		{"/a b|ü", "https://example.com/a%20b%7C%C3%BC"},
		{"  /x\n", "https://example.com/x"},
		{`\x\y`, "https://example.com/x/y"},
		{"//cdn.example.com", "https://cdn.example.com/"},
		{"//CDN.example.com:443/x", "https://cdn.example.com/x"},
		{"http://other.test/x//y", "http://other.test/x//y"},
		{"HTTP://Other.Test:80", "http://other.test/"},
		{"http:x", "http://x/"},
		{"https:x", "https://example.com/a/x"},
		{"https://0x7f.1/", "https://127.0.0.1/"},
		{"https://bücher.example/", "https://xn--bcher-kva.example/"},
		{"mailto:a@b.c", "mailto:a@b.c"},
		{"java\nscript:void(0)", "javascript:void(0)"},
		{"http://", ""},
		{"http://a b/", ""},
		{"http://1.2.3.4.5/", ""},
		{"/" + strings.Repeat("a", maxReference), ""},
	}
	for _, test := range tests {
		got := ""
		if u := Resolve(base, test.reference); u != nil {
			got = u.String()
		}
		if got != test.want {
			t.Errorf("Resolve(%q) = %q, want %q", test.reference, got, test.want)
		}
	}
	if u := Resolve(nil, "/x"); u != nil {
		t.Errorf("a relative reference without a base gives %v", u)
	}
}

// A plain reference must lead where the standard's own algorithm leads.
func FuzzResolve(f *testing.F) {
	for _, seed := range []string{"", "#a", "?b", "/c//d", "e.html?x=%41&y#z", "//h.test/p", "https://h.test", "http:x", "a:b", "./..", "%2e%2E/", "x/%41"} {
		f.Add(seed)
	}
	base := Resolve(nil, "https://example.com/a/(b)/c%20d?q=1")
	f.Fuzz(func(t *testing.T, reference string) {
		fast := Resolve(base, reference)
		if fast != nil && fast.Host() == "" || len(reference) > maxReference {
			return
		}
		slow := resolveLikeBrowser(base, reference)
		switch {
		case fast == nil && slow == nil:
		case fast == nil || slow == nil || fast.String() != slow.String():
			t.Errorf("Resolve(%q) = %v, the standard says %v", reference, fast, slow)
		}
	})
}

func BenchmarkResolve(b *testing.B) {
	base := Resolve(nil, "https://example.com/a/b?q=1")
	for _, reference := range []string{"/wiki/Category:Go", "../c", "https://other.test/x?y=1", "https://other.test:8080/x?y=1"} {
		b.Run(strings.ReplaceAll(reference, "/", "_"), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Resolve(base, reference)
			}
		})
	}
}
