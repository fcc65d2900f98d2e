package manual

import "testing"

func TestRoffHasNothingToObey(t *testing.T) {
	for text, want := range map[string]string{
		".so /etc/passwd": `\&.so /etc/passwd`,
		"'br":             `\(aqbr`,
		`a\fBb -c`:        `a\efBb \-c`,
	} {
		if got := roff(text); got != want {
			t.Errorf("roff(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestShort(t *testing.T) {
	for doc, want := range map[string]string{
		"number of audits; more wait":           "number of audits",
		"mode of a crawl: links, sitemap":       "mode of a crawl",
		"time that an audit takes (default 3s)": "time that an audit takes",
	} {
		if got := (Flag{Doc: doc}).short(); got != want {
			t.Errorf("%q in short is %q, want %q", doc, got, want)
		}
	}
}
