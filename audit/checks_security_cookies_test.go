package audit

import (
	"testing"

	"sitegrade/audit/header"
)

func TestIsSession(t *testing.T) {
	tests := map[string]bool{
		"PHPSESSID": true, "JSESSIONID": true, "ASP.NET_SessionId": true, "connect.sid": true, "laravel_session": true,
		"wordpress_logged_in_abc": true, "auth_token": true, "remember_me": true,
		"theme": false, "_ga": false, "csrf_token": false, "XSRF-TOKEN": false, "sidebar": false, "session_lang": true,
	}
	for name, want := range tests {
		if got := isSession(header.Cookie{Name: name}); got != want {
			t.Errorf("%s is a session: %v, want %v", name, got, want)
		}
	}
}
