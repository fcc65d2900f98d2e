package notify

import (
	"strings"
	"testing"
)

func TestNewMailer(t *testing.T) {
	for _, c := range []struct {
		url      string
		port     int
		user     string
		security security
	}{
		{"smtp://mail.example.com", 587, "", offered},
		{"smtp://mail.example.com:25?starttls=never", 25, "", never},
		{"smtp://mail.example.com/?starttls=required", 587, "", required},
		{"smtp://me:p%40ss@mail.example.com:2525", 2525, "me", required},
		{"smtps://me:p@mail.example.com", 465, "me", implicit},
		{"smtp://me:p@localhost:1025", 1025, "me", never},
		{"smtp://[::1]:25", 25, "", never},
		{"smtp://me:p@127.0.0.1?starttls=required", 587, "me", required},
	} {
		m, err := NewMailer(c.url, "Sitegrade <s@example.com>")
		if err != nil || m.port != c.port || m.user != c.user || m.security != c.security {
			t.Errorf("%s: %+v, %v", c.url, m, err)
		}
	}
}

// What is wrong in the configuration is told without the password that stands beside it.
func TestNewMailerSaysWhatIsWrong(t *testing.T) {
	for _, c := range []struct{ url, from, says string }{
		{"smtp://me:hunter2%zz@h", "a@b.c", "percent-encoded"},
		{"smtp://me:hunter2@h:99999", "a@b.c", "port"},
		{"smtp://me:hunter2@h:0", "a@b.c", "port"},
		{"smtp://me:hunter2@h:x", "a@b.c", "percent-encoded"},
		{"https://me:hunter2@h", "a@b.c", "smtp://"},
		{"me:hunter2@h", "a@b.c", "smtp://"},
		{"smtp://me:hunter2@", "a@b.c", "host"},
		{"smtp://me:hunter2@h/x", "a@b.c", "nothing after"},
		{"smtp://me:hunter2@h?starttls=never", "a@b.c", "encryption"},
		{"smtp://me:hunter2@h?tls=1", "a@b.c", "starttls=required"},
		{"smtps://me:hunter2@h?starttls=required", "a@b.c", "smtps"},
		{"smtp://me:hunter2@h", "", "smtp_from"},
		{"smtp://me:hunter2@h", "a@b.c\r\nBcc: x@y.z", "smtp_from"},
	} {
		_, err := NewMailer(c.url, c.from)
		if err == nil || !strings.Contains(err.Error(), c.says) || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s from %q: %v", c.url, c.from, err)
		}
	}
}

func TestRecipient(t *testing.T) {
	for target, want := range map[string]string{
		"mailto:team@example.com":                     "team@example.com",
		"MAILTO:a.b+c@example.com":                    "a.b+c@example.com",
		"mailto:a%2Bb@example.com":                    "a+b@example.com",
		"mailto:":                                     "",
		"mailto:team":                                 "",
		"mailto:@example.com":                         "",
		"mailto:a@b@c":                                "",
		"mailto:a@b.c,d@e.f":                          "",
		"mailto:a@b.c?subject=x":                      "",
		"mailto:a@b.c%0d%0aRCPT TO:<x@y.z>":           "",
		"mailto:<a@b.c>":                              "",
		"https://a@b.c":                               "",
		"mailto:" + strings.Repeat("a", 254) + "@b.c": "",
	} {
		if got, err := recipient(target); got != want || (err == nil) != (want != "") {
			t.Errorf("%q: %q, %v", target, got, err)
		}
	}
}
