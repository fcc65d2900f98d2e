package audit

import "testing"

func TestParseCookie(t *testing.T) {
	tests := []struct {
		line string
		want cookie
		ok   bool
	}{
		{"a=b", cookie{name: "a"}, true},
		{" a = b ; Secure; HttpOnly; SameSite=None", cookie{name: "a", secure: true, httpOnly: true, sameSite: "none"}, true},
		{"a=b; SECURE=1 ;httponly ; samesite= Lax ", cookie{name: "a", secure: true, httpOnly: true, sameSite: "lax"}, true},
		{"a=b=c; SameSite=Lax; SameSite=Strict", cookie{name: "a", sameSite: "strict"}, true},
		{"a=; Max-Age=0", cookie{name: "a", expired: true}, true},
		{"a=; Max-Age=-1", cookie{name: "a", expired: true}, true},
		{"a=b; Max-Age=60", cookie{name: "a"}, true},
		{"a=secure", cookie{name: "a"}, true},
		{`a="b; Secure"`, cookie{name: "a"}, true}, // quotes mean nothing to browsers: the attribute is Secure"
		{"", cookie{}, false},
		{"Secure; HttpOnly", cookie{}, false},
		{"=b; Secure", cookie{}, false},
	}
	for _, test := range tests {
		if got, ok := parseCookie(test.line); got != test.want || ok != test.ok {
			t.Errorf("parseCookie(%q) = %+v, %v, want %+v", test.line, got, ok, test.want)
		}
	}
}

func TestIsSession(t *testing.T) {
	tests := map[string]bool{
		"PHPSESSID": true, "JSESSIONID": true, "ASP.NET_SessionId": true, "connect.sid": true, "laravel_session": true,
		"wordpress_logged_in_abc": true, "auth_token": true, "remember_me": true,
		"theme": false, "_ga": false, "csrf_token": false, "XSRF-TOKEN": false, "sidebar": false, "session_lang": true,
	}
	for name, want := range tests {
		if got := (cookie{name: name}).isSession(); got != want {
			t.Errorf("%s is a session: %v, want %v", name, got, want)
		}
	}
}

// FuzzCookie holds that attributes never become part of the name, and that adding Secure always counts.
func FuzzCookie(f *testing.F) {
	f.Add("PHPSESSID=a; path=/; secure; HTTPONLY; SameSite=Lax")
	f.Add(";=;=")
	f.Fuzz(func(t *testing.T, line string) {
		c, ok := parseCookie(line)
		if !ok {
			return
		}
		secured, ok := parseCookie(line + "; Secure")
		if c.secure = true; !ok || secured != c {
			t.Errorf("%q: %+v, with Secure %+v", line, c, secured)
		}
		secured.weakness()
	})
}
