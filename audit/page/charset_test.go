package page

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestCharsets(t *testing.T) {
	late := "<head>" + strings.Repeat("<!-- filler -->", 100)
	tests := []struct{ name, contentType, body, encoding, text string }{
		{"nothing declared", "text/html", "caf\xe9", "windows-1252", "café"},
		{"UTF-8 undeclared", "text/html", "caf\xc3\xa9", "windows-1252", "cafÃ©"},
		{"header", "text/html; charset=utf-8", "caf\xc3\xa9", "utf-8", "café"},
		{"header, quoted", `text/html; charset="UTF-8"`, "caf\xc3\xa9", "utf-8", "café"},
		{"header with a parameter that cannot be read", "text/html; x; charset=utf-8; =", "caf\xc3\xa9", "utf-8", "café"},
		{"header that says it twice", "text/html; charset=utf-8; charset=utf-16", "caf\xc3\xa9", "utf-8", "café"},
		{"header in single quotes", "text/html; charset='utf-8'", "caf\xe9", "windows-1252", "café"},
		{"header beats meta", "text/html; charset=utf-8", "<meta charset=windows-1252>\xc3\xa9", "utf-8", "<meta charset=windows-1252>é"},
		{"unknown header", "text/html; charset=none", "<meta charset=utf-8>\xc3\xa9", "utf-8", "<meta charset=utf-8>é"},
		{"latin-1 is windows-1252", "text/html; charset=iso-8859-1", "\x80", "windows-1252", "€"},
		{"UTF-8 mark beats header", "text/html; charset=windows-1252", "\xef\xbb\xbf\xc3\xa9", "utf-8", "é"},
		{"UTF-16 mark beats header", "text/html; charset=utf-8", "\xff\xfeh\x00i\x00", "utf-16le", "hi"},
		{"UTF-16 big end first", "text/html", "\xfe\xff\x00h\x00i", "utf-16be", "hi"},
		{"UTF-16 by header", "text/html; charset=utf-16", "h\x00i\x00", "utf-16le", "hi"},
		{"meta", "text/html", "<meta charset='utf-8'>\xc3\xa9", "utf-8", "<meta charset='utf-8'>é"},
		{"meta in upper case", "text/html", "<META CHARSET=UTF-8>\xc3\xa9", "utf-8", "<META CHARSET=UTF-8>é"},
		{"meta with a slash", "text/html", "<meta/charset=utf-8/>\xc3\xa9", "windows-1252", "<meta/charset=utf-8/>Ã©"},
		{"pragma", "text/html", "<meta http-equiv=Content-Type content='text/html; charset=utf-8'>\xc3\xa9", "utf-8",
			"<meta http-equiv=Content-Type content='text/html; charset=utf-8'>é"},
		{"pragma, content first", "text/html", `<meta content="text/html;charset = 'utf-8'" http-equiv="content-type">` + "\xc3\xa9", "utf-8",
			`<meta content="text/html;charset = 'utf-8'" http-equiv="content-type">é`},
		{"content without pragma", "text/html", "<meta name=x content='charset=utf-8'>\xe9", "windows-1252", "<meta name=x content='charset=utf-8'>é"},
		{"the first that is known counts", "text/html", "<meta charset=none><meta charset=utf-8>\xc3\xa9", "utf-8",
			"<meta charset=none><meta charset=utf-8>é"},
		{"second attribute of a name", "text/html", "<meta charset=windows-1252 charset=utf-8>\xe9", "windows-1252",
			"<meta charset=windows-1252 charset=utf-8>é"},
		{"meta in a comment", "text/html", "<!-- <meta charset=utf-8> -->\xe9", "windows-1252", "<!-- <meta charset=utf-8> -->é"},
		{"meta after a short comment", "text/html", "<!--><meta charset=utf-8>\xc3\xa9", "utf-8", "<!--><meta charset=utf-8>é"},
		{"meta in a title", "text/html", "<title><meta charset=utf-8></title>\xc3\xa9", "utf-8", "<title><meta charset=utf-8></title>é"},
		{"meta in an attribute", "text/html", "<a title='<meta charset=utf-8>'>\xe9", "windows-1252", "<a title='<meta charset=utf-8>'>é"},
		{"metadata is no meta", "text/html", "<metadata charset=utf-8>\xe9", "windows-1252", "<metadata charset=utf-8>é"},
		{"meta without end", "text/html", "\xe9<meta charset=utf-8", "windows-1252", "é<meta charset=utf-8"},
		{"UTF-16 declared within", "text/html", "<meta charset=utf-16>\xc3\xa9", "utf-8", "<meta charset=utf-16>é"},
		{"x-user-defined", "text/html", "<meta charset=x-user-defined>\xe9", "windows-1252", "<meta charset=x-user-defined>é"},
		{"beyond 1,024 bytes in head", "text/html", late + "<meta charset=utf-8>\xc3\xa9", "utf-8", late + "<meta charset=utf-8>é"},
		{"beyond 1,024 bytes in body", "text/html", late + "<body><meta charset=utf-8>\xe9", "windows-1252", late + "<body><meta charset=utf-8>é"},
		{"Shift_JIS", "text/html", "<meta charset=shift_jis>\x83e\x83X\x83g", "shift_jis", "<meta charset=shift_jis>テスト"},
		{"EUC-JP", "text/html; charset=euc-jp", "\xa5\xc6\xa5\xb9\xa5\xc8", "euc-jp", "テスト"},
		{"GBK", "text/html; charset=gb2312", "\xb2\xe2\xca\xd4", "gbk", "测试"},
		{"Big5", "text/html; charset=big5", "\xb4\xfa\xb8\xd5", "big5", "測試"},
		{"EUC-KR", "text/html; charset=ks_c_5601-1987", "\xc7\xd1", "euc-kr", "한"},
		{"KOI8-R", "text/html; charset=koi8-r", "\xd4\xc5\xd3\xd4", "koi8-r", "тест"},
		{"XML declaration", "text/html", "<?xml version='1.0' encoding='utf-8'?>\xc3\xa9", "utf-8", "<?xml version='1.0' encoding='utf-8'?>é"},
		{"XHTML undeclared", "application/xhtml+xml", "\xc3\xa9", "utf-8", "é"},
		{"broken UTF-8", "text/html; charset=utf-8", "a\xffb\xe2\x82", "utf-8", "a\uFFFDb\uFFFD"},
		{"half a character of UTF-16", "text/html; charset=utf-16le", "h\x00i", "utf-16le", "h\uFFFD"},
		{"dangerous encoding", "text/html; charset=iso-2022-kr", "<script>", "replacement", "\uFFFD"},
		{"empty", "text/html", "", "windows-1252", ""},
	}
	for _, test := range tests {
		text, name := ToUTF8([]byte(test.body), test.contentType)
		if name != test.encoding || string(text) != test.text {
			t.Errorf("%s: %q in %s, want %q in %s", test.name, text, name, test.text, test.encoding)
		}
	}
}

func FuzzCharset(f *testing.F) {
	for _, seed := range []string{
		"<meta charset=utf-8>", "<meta http-equiv=content-type content='text/html; charset=shift_jis'>\x83e", "<!-- --><a b='>'c>",
		"<?xml encoding='gbk'?>", "\xff\xfe<\x00", "<!--><meta charset", "</x y=><?z><!a>",
	} {
		f.Add([]byte(seed), "text/html")
	}
	f.Add([]byte("\x1b$B"), "text/html; charset=iso-2022-jp")
	f.Fuzz(func(t *testing.T, body []byte, contentType string) {
		text, name := ToUTF8(body, contentType)
		if name == "" || !utf8.Valid(text) {
			t.Errorf("%q as %q gives %q in %q", body, contentType, text, name)
		}
	})
}
