package audit

import (
	"strings"
	"testing"

	"sitegrade/audit/page"
)

// BenchmarkLanguage listens to texts that are as long as it listens.
func BenchmarkLanguage(b *testing.B) {
	for _, lang := range []string{"en", "de", "ru", "ja"} {
		text := spokenTexts[lang]
		text = strings.Repeat(text+" ", 1+maxDetectedWords/max(len(strings.Fields(text)), 20))
		b.Run(lang, func(b *testing.B) {
			for b.Loop() {
				listen([]page.Passage{{Text: text}})
			}
		})
	}
}
