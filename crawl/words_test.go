package crawl

import (
	"testing"

	"sitegrade/locale"
)

// holdsRecognised holds that the catalogues have what a crawl says of itself, which is kept in English.
func holdsRecognised(t *testing.T, text string) {
	t.Helper()
	said, ok := locale.Recognise(text, "crawl")
	if !ok || locale.For(locale.English).Say(said) != text {
		t.Errorf("%q is taken for %q", text, said.Compact())
	}
}
