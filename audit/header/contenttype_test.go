package header

import (
	"net/http"
	"testing"
)

func TestContentType(t *testing.T) {
	tests := []struct {
		lines            []string
		essence, charset string
	}{
		{nil, "", ""},
		{[]string{""}, "", ""},
		{[]string{"TEXT/HTML"}, "text/html", ""},
		{[]string{" text/html ; charset=utf-8 "}, "text/html", "utf-8"},
		{[]string{"text/html;charset=GBK"}, "text/html", "GBK"},
		{[]string{`text/html;charset="gb\k"; x`}, "text/html", "gbk"},
		{[]string{`text/html;charset="gbk`}, "text/html", "gbk"},
		{[]string{`text/html;charset="gbk"x;charset=utf-8`}, "text/html", "gbk"},
		{[]string{`text/html;charset='gbk'`}, "text/html", "'gbk'"},
		{[]string{`text/html;charset=gbk"`}, "text/html", `gbk"`},
		{[]string{"text/html;charset=gbk;charset=utf-8"}, "text/html", "gbk"},
		{[]string{"text/html;charset=;charset=gbk"}, "text/html", "gbk"},
		{[]string{`text/html;charset="";charset=gbk`}, "text/html", ""},
		{[]string{"text/html;charset =gbk"}, "text/html", ""},
		{[]string{"text/html;charset= gbk"}, "text/html", " gbk"},
		{[]string{"text/html;charset=\x01;charset=gbk"}, "text/html", "gbk"},
		{[]string{"text/html;test;charset=gbk"}, "text/html", "gbk"},
		{[]string{`text/html;x="a;charset=utf-8";charset=gbk`}, "text/html", "gbk"},
		{[]string{"text/html;;;;charset=gbk"}, "text/html", "gbk"},
		{[]string{"text/html;charset"}, "text/html", ""},
		{[]string{"text/html charset=gbk"}, "", ""},
		{[]string{"text"}, "", ""},
		{[]string{"text/"}, "", ""},
		{[]string{"/html"}, "", ""},
		{[]string{"text /html"}, "", ""},
		{[]string{"text/html/x"}, "", ""},
		{[]string{"text/html\u00a0"}, "", ""},
		{[]string{"text/plain, text/html"}, "text/html", ""},
		{[]string{"text/html", "*/*"}, "text/html", ""},
		{[]string{"text/html;charset=gbk, nonsense"}, "text/html", "gbk"},
		{[]string{"text/html;charset=gbk", "text/html"}, "text/html", "gbk"},
		{[]string{"text/html;charset=gbk", "text/html;x=y;charset=a", "text/html"}, "text/html", "gbk"},
		{[]string{"text/html;charset=gbk", "text/plain", "text/html"}, "text/html", ""},
		{[]string{`text/html;x=", text/plain`}, "text/html", ""},
	}
	for _, test := range tests {
		if essence, charset := ContentType(test.lines); essence != test.essence || charset != test.charset {
			t.Errorf("ContentType(%q) = %q, %q, want %q, %q", test.lines, essence, charset, test.essence, test.charset)
		}
	}
}

// FuzzContentType holds that a good type after anything counts, unless a quote before it has no end.
func FuzzContentType(f *testing.F) {
	f.Add(`text/html; x="\"`)
	f.Fuzz(func(t *testing.T, line string) {
		got := MIMEType(http.Header{"Content-Type": {"image/png", line}})
		if own := MIMEType(http.Header{"Content-Type": {line}}); own != "" && own != "*/*" && got != own || got == "" {
			t.Errorf("%q: %q, alone %q", line, got, own)
		}
	})
}
