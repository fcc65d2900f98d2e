package robots

import (
	"reflect"
	"strings"
	"testing"
)

func TestSignals(t *testing.T) {
	tests := []struct {
		value, path string
		uses        []Use
		problem     string // a part of it
	}{
		{"search=yes, ai-train=no", "", []Use{{"search", true}, {"ai-train", false}}, ""},
		{"AI-Input = YES", "", []Use{{"ai-input", true}}, ""},
		{"/blog/ ai-train=no", "/blog/", []Use{{"ai-train", false}}, ""},
		{"ai_train=no,search=yes", "", []Use{{"search", true}}, `no use "ai_train"`},
		{"search", "", nil, `"search" has no value`},
		{"search=maybe", "", nil, "search must be yes or no"},
		{"search=yes,", "", []Use{{"search", true}}, "missing"},
		{"", "", nil, "missing"},
	}
	for _, test := range tests {
		got := Parse([]byte("User-agent: *\nContent-Signal: " + test.value)).Signals[0]
		if got.Line != 2 || got.Path != test.path || !reflect.DeepEqual(got.Uses, test.uses) ||
			!strings.Contains(got.Problem, test.problem) || (got.Problem == "") != (test.problem == "") {
			t.Errorf("%q: %+v", test.value, got)
		}
	}
}

func TestAgentsOfSignals(t *testing.T) {
	r := Parse([]byte("Content-Signal: search=no\nUser-agent: a\nContent-Signal: search=yes\nUser-agent: b\nDisallow: /\nContent-Signal: search=no\n" +
		"User-agent: c\nUser-agent: d\nContent-Signal: search=no\nContent-Signal: ai-train=no"))
	for i, want := range [][]string{nil, {"a"}, {"b"}, {"c", "d"}, {"c", "d"}} {
		if got := r.Signals[i].Agents; !reflect.DeepEqual(got, want) {
			t.Errorf("signal %d is for %q, want %q", i, got, want)
		}
	}
}

func TestLicenses(t *testing.T) {
	r := Parse([]byte("License: https://example.com/a.xml\nUser-agent: *\nLICENSE : /b.xml # ours\nLicense:\nLicensed: x"))
	if want := []string{"https://example.com/a.xml", "/b.xml"}; !reflect.DeepEqual(r.Licenses, want) {
		t.Errorf("licenses %q", r.Licenses)
	}
}

func TestForbidEverything(t *testing.T) {
	for rules, want := range map[string]bool{
		"Disallow: /": true, "Disallow: *": true, "Disallow: /*": true, "Disallow: /a\nDisallow: /": true,
		"Disallow: /a": false, "Disallow:": false, "Disallow: /$": false, "Disallow: /\nAllow: /a": false, "": false,
	} {
		if got := Parse([]byte("User-agent: *\n" + rules)).RulesFor("Bot").ForbidEverything(); got != want {
			t.Errorf("%q forbids everything: %v", rules, got)
		}
	}
}

func TestContradiction(t *testing.T) {
	for rules, want := range map[string]string{
		"Disallow: /\nAllow: /": "/", "Allow: /a\nDisallow: /b\nDisallow: /a": "/a", "Allow: /a\nDisallow: /": "", "Disallow: /\nDisallow: /": "",
	} {
		if got := Parse([]byte("User-agent: *\n" + rules)).RulesFor("Bot").Contradiction(); got != want {
			t.Errorf("%q contradicts itself at %q, want %q", rules, got, want)
		}
	}
	if r := Parse([]byte("User-agent: a/1\nDisallow: /")); !r.Names("A") || r.Names("b") || r.Names("*") {
		t.Error("the file is for A alone")
	}
}
