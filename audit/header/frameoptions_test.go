package header

import "testing"

func TestFrameOptions(t *testing.T) {
	tests := []struct {
		lines []string
		want  Framing
	}{
		{nil, FramedByAnyone},
		{[]string{""}, FramedByAnyone},
		{[]string{"DENY"}, FramedByNobody},
		{[]string{"\tdeny "}, FramedByNobody},
		{[]string{"SameOrigin"}, FramedByOwnOrigin},
		{[]string{"deny, DENY"}, FramedByNobody},
		{[]string{"sameorigin", "SAMEORIGIN"}, FramedByOwnOrigin},
		{[]string{"ALLOWALL"}, FramedByAnyone},
		{[]string{"allowall, ALLOWALL"}, FramedByAnyone},
		{[]string{"ALLOW-FROM https://a.example"}, FramedByAnyone},
		{[]string{"INVALID"}, FramedByAnyone},
		{[]string{"INVALID, other"}, FramedByAnyone},
		{[]string{`"DENY"`}, FramedByAnyone},
		{[]string{`"DENY, SAMEORIGIN"`}, FramedByAnyone},
		{[]string{`'DENY'`}, FramedByAnyone},
		{[]string{"DENY;"}, FramedByAnyone},
		{[]string{"deny\v"}, FramedByAnyone},
		{[]string{"ſameorigin"}, FramedByAnyone},
		{[]string{"DENY, SAMEORIGIN"}, FramedByNobody},
		{[]string{"SAMEORIGIN", "DENY"}, FramedByNobody},
		{[]string{"SAMEORIGIN,"}, FramedByNobody},
		{[]string{",SAMEORIGIN"}, FramedByNobody},
		{[]string{"", "DENY"}, FramedByNobody},
		{[]string{"INVALID, DENY"}, FramedByNobody},
		{[]string{"sameorigin, INVALID"}, FramedByNobody},
		{[]string{"ALLOWALL, INVALID"}, FramedByNobody},
		{[]string{"allowall, sameorigin"}, FramedByNobody},
		{[]string{`"DENY", DENY`}, FramedByNobody},
	}
	for _, test := range tests {
		if got := FrameOptions(test.lines); got != test.want {
			t.Errorf("FrameOptions(%q) = %d, want %d", test.lines, got, test.want)
		}
	}
}

func TestNosniff(t *testing.T) {
	tests := []struct {
		lines []string
		want  bool
	}{
		{nil, false},
		{[]string{""}, false},
		{[]string{"NoSniff"}, true},
		{[]string{" nosniff\t"}, true},
		{[]string{"nosniff,,@#$#%%&^&^*()()11!"}, true},
		{[]string{"@#$#%%&^&^*()()11!,nosniff"}, false},
		{[]string{"nosniff", "no"}, true},
		{[]string{"no", "nosniff"}, false},
		{[]string{"", "nosniff"}, false},
		{[]string{",nosniff"}, false},
		{[]string{"nosniff\v"}, false},
		{[]string{"nosniff\f"}, false},
		{[]string{"'nosniff'"}, false},
		{[]string{`"nosniff"`}, false},
		{[]string{`"nosniff, nosniff"`}, false},
		{[]string{"noſniff"}, false},
		{[]string{"nosniff;"}, false},
	}
	for _, test := range tests {
		if got := Nosniff(test.lines); got != test.want {
			t.Errorf("Nosniff(%q) = %v", test.lines, got)
		}
	}
}

func TestReferrerPolicy(t *testing.T) {
	tests := []struct {
		lines []string
		want  string
	}{
		{nil, ""},
		{[]string{""}, ""},
		{[]string{"No-Referrer"}, "no-referrer"},
		{[]string{"unsafe-url, strict-origin, future"}, "strict-origin"},
		{[]string{"unsafe-url", "", "same-origin"}, "same-origin"},
		{[]string{",origin,"}, "origin"},
		{[]string{"whimsy"}, ""},
		{[]string{"never, always, default"}, ""},
		{[]string{"no-referrer origin"}, ""},
		{[]string{`"no-referrer"`}, ""},
		{[]string{"no-referrer\v"}, ""},
	}
	for _, test := range tests {
		if got := ReferrerPolicy(test.lines); got != test.want {
			t.Errorf("ReferrerPolicy(%q) = %q, want %q", test.lines, got, test.want)
		}
	}
	metas := map[string]string{
		" Origin ": "origin", "never": "no-referrer", "ALWAYS": "unsafe-url", "default": "strict-origin-when-cross-origin",
		"origin-when-crossorigin": "origin-when-cross-origin", "": "", "whimsy": "", "no-referrer, origin": "",
	}
	for content, want := range metas {
		if got := MetaReferrerPolicy(content); got != want {
			t.Errorf("MetaReferrerPolicy(%q) = %q, want %q", content, got, want)
		}
	}
}

// FuzzLists holds that a value put first or last in a list is what these headers say it is, whatever stands beside it.
func FuzzLists(f *testing.F) {
	f.Add(`"DENY", \, "`)
	f.Fuzz(func(t *testing.T, line string) {
		if !Nosniff([]string{"nosniff", line}) {
			t.Errorf("nosniff before %q does not count", line)
		}
		if got := FrameOptions([]string{"deny", line}); got != FramedByNobody {
			t.Errorf("deny before %q: %d", line, got)
		}
		if got := ReferrerPolicy([]string{"no-referrer", line}); got == "" {
			t.Errorf("no-referrer before %q does not count", line)
		}
	})
}
