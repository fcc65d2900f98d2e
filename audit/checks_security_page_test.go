package audit

import (
	"slices"
	"testing"
)

func TestSecurityPageChecks(t *testing.T) {
	runCheckCases(t, securityPageChecks, securityPageCases(), []string{"plaintext-email"}, nil)
}

func securityPageCases() []checkCase {
	const plain = "http://example.com/"
	return []checkCase{
		{id: "mixed-content", name: "https", html: "<img src=https://a.example/a.png><script src=//a.example/a.js></script>", want: Passed},
		{id: "mixed-content", name: "loopback", html: "<img src=http://localhost/a.png>", want: Passed},
		{id: "mixed-content", name: "a link is no resource", html: "<img src=a.png><a href=http://a.example/>", want: Passed},
		{id: "mixed-content", name: "upgraded", html: "<img src=http://a.example/a.png>", want: Passed,
			change: with("Content-Security-Policy", "upgrade-insecure-requests")},
		{id: "mixed-content", name: "image", html: "<img src=http://a.example/a.png>", want: Failed},
		{id: "mixed-content", name: "relative to an http base", html: "<base href=http://a.example/><img src=a.png>", want: Failed},
		{id: "mixed-content", name: "srcset", html: `<img src=a.png srcset="a.png 1x, http://a.example/b.png 2x">`, want: Failed},
		{id: "mixed-content", name: "frame, script, style and icon", want: Failed, detail: "4 resources",
			html: `<link rel=icon href=http://a.example/i.png><link rel=stylesheet href=http://a.example/a.css>
				<script src=http://a.example/a.js></script><iframe src=http://a.example/></iframe>`},
		{id: "mixed-content", name: "nothing loaded", html: "<p>", want: NotApplicable},
		{id: "mixed-content", name: "an http page", html: "<img src=a.png>", change: at(plain), want: NotApplicable},
		{id: "form-action", name: "https", html: "<form action=/send method=post></form>", want: Passed},
		{id: "form-action", name: "a dialog", html: "<form action=http://a.example/ method=dialog></form>", want: Passed},
		{id: "form-action", name: "to http", html: "<form action=http://a.example/></form>", want: Failed},
		{id: "form-action", name: "a button to http", html: "<form action=/send><input type=submit formaction=http://a.example/></form>", want: Failed},
		{id: "form-action", name: "a button of another kind", html: "<form><button type=button formaction=http://a.example/>x</button><input formaction=http://a.example/></form>", want: Passed},
		{id: "form-action", name: "a button that closes a dialog", html: "<form><button formaction=http://a.example/ formmethod=dialog>x</button></form>", want: Passed},
		{id: "form-action", name: "a password on http", change: at(plain), want: Failed,
			html: "<form action=https://example.com/ method=post><input type=password></form>"},
		{id: "form-action", name: "a password on this machine", html: "<form><input type=password></form>", change: at("http://127.0.0.1/"), want: Passed},
		{id: "form-action", name: "no forms", want: NotApplicable},
		{id: "sri", name: "integrity", html: `<script src=https://cdn.example/a.js integrity=sha384-abc></script>`, want: Passed},
		{id: "sri", name: "none", html: `<script src=https://cdn.example/a.js></script>`, want: Failed},
		{id: "sri", name: "no hash", html: `<script src=https://cdn.example/a.js integrity="sha384- md5-abc yes"></script>`, want: Failed},
		{id: "sri", name: "a hash among others", html: `<script src=//cdn.example/a.js integrity="md5-abc SHA512-abc?x"></script>`, want: Passed},
		{id: "sri", name: "over http", html: `<script src=http://cdn.example/a.js integrity=sha384-abc></script>`, want: Failed, detail: "over http"},
		{id: "sri", name: "another host of the site", html: `<script src=https://cdn.example.com/a.js></script>`, want: NotApplicable},
		{id: "sri", name: "another site under a public suffix", html: `<script src=https://me.github.io/a.js></script>`, want: Failed},
		{id: "sri", name: "own scripts", html: `<script src=/a.js></script><script>x()</script>`, want: NotApplicable},
		{id: "plaintext-email", name: "none", html: "<p>me at example dot com, logo@2x.png, @someone", want: Passed},
		{id: "plaintext-email", name: "in the text", html: "<p>Write to Jo.Doe+web@mail.example.com.", want: Failed, detail: "1 email address"},
		{id: "plaintext-email", name: "in a link and the text", html: "<a href='mailto:a@example.com?subject=x'>A@example.com</a>", want: Failed, detail: "1 email address"},
		{id: "plaintext-email", name: "in an attribute only", html: "<p title=a@example.com>x", want: Passed},
	}
}

// TestEmailEvidence holds that a report, which may be public, does not spread the addresses that it warns of.
func TestEmailEvidence(t *testing.T) {
	f := exampleFacts(t, "<p>secret.name@example.com <a href=mailto:other@example.com>write</a>")
	found := checkPlaintextEmail(f)
	want := []string{"o…@example.com", "s…@example.com"}
	var got []string
	for _, e := range found.evidence {
		got = append(got, e.Snippet)
	}
	if !slices.Equal(got, want) {
		t.Errorf("evidence %q, want %q", got, want)
	}
}

func TestFindEmails(t *testing.T) {
	tests := []struct {
		text string
		want []string
	}{
		{"", nil},
		{"@", nil},
		{"a@b", nil},
		{"a@@b.example.com", []string{}},
		{"a@example.com,b@example.co.uk", []string{"a@example.com", "b@example.co.uk"}},
		{"(a@example.com)", []string{"a@example.com"}},
		{"Mail a@example.com.", []string{"a@example.com"}},
		{"a@-example.com a@example..com a@.com", nil},
		{"ü@example.com", nil},
	}
	for _, test := range tests {
		if got := findEmails(test.text); !slices.Equal(got, test.want) {
			t.Errorf("findEmails(%q) = %q, want %q", test.text, got, test.want)
		}
	}
}
