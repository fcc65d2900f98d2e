package audit

import (
	"strings"
	"testing"
)

// FuzzHreflang holds that a valid code is made of subtags of ASCII letters, in any case.
func FuzzHreflang(f *testing.F) {
	for _, seed := range []string{"x-default", "de", "zh-Hant-TW", "en-UK", "i-default", "de--", "ß-DE", "\x00"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, code string) {
		if !isHreflang(code) {
			return
		}
		for subtag := range strings.SplitSeq(strings.ToLower(code), "-") {
			if subtag == "" || strings.Trim(subtag, "abcdefghijklmnopqrstuvwxyz") != "" {
				t.Errorf("%q is valid with the subtag %q", code, subtag)
			}
		}
		if !isHreflang(strings.ToUpper(code)) || !isHreflang(strings.ToLower(code)) {
			t.Errorf("the case of %q counts", code)
		}
	})
}
