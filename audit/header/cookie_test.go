package header

import "testing"

func TestParseCookie(t *testing.T) {
	tests := []struct {
		line string
		want Cookie
		ok   bool
	}{
		{"a=b", Cookie{Name: "a"}, true},
		{" a = b ; Secure; HttpOnly; SameSite=None", Cookie{Name: "a", Secure: true, HTTPOnly: true, SameSite: "none"}, true},
		{"a=b; SECURE=1 ;httponly ; samesite= Lax ", Cookie{Name: "a", Secure: true, HTTPOnly: true, SameSite: "lax"}, true},
		{"a=b=c; SameSite=Lax; SameSite=Strict", Cookie{Name: "a", SameSite: "strict"}, true},
		{"a=; Max-Age=0", Cookie{Name: "a", Expired: true}, true},
		{"a=; Max-Age=-1", Cookie{Name: "a", Expired: true}, true},
		{"a=b; Max-Age=60", Cookie{Name: "a"}, true},
		{"a=secure", Cookie{Name: "a"}, true},
		{`a="b; Secure"`, Cookie{Name: "a"}, true}, // quotes mean nothing to browsers: the attribute is Secure"
		{"", Cookie{}, false},
		{"Secure; HttpOnly", Cookie{}, false},
		{"=b; Secure", Cookie{}, false},
	}
	for _, test := range tests {
		if got, ok := ParseCookie(test.line); got != test.want || ok != test.ok {
			t.Errorf("ParseCookie(%q) = %+v, %v, want %+v", test.line, got, ok, test.want)
		}
	}
}

// FuzzCookie holds that attributes never become part of the name, and that adding Secure always counts.
func FuzzCookie(f *testing.F) {
	f.Add("PHPSESSID=a; path=/; secure; HTTPONLY; SameSite=Lax")
	f.Add(";=;=")
	f.Fuzz(func(t *testing.T, line string) {
		c, ok := ParseCookie(line)
		if !ok {
			return
		}
		secured, ok := ParseCookie(line + "; Secure")
		if c.Secure = true; !ok || secured != c {
			t.Errorf("%q: %+v, with Secure %+v", line, c, secured)
		}
	})
}
