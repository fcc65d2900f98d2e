package audit

import (
	"strings"

	"sitegrade/locale"
)

// aiText are the checks of what a page gives to those who read it without rendering it.
var aiText = []check{
	{
		id: "text-without-script", severity: Info,
		source: "the bots' documentation",
		run:    checkTextWithoutScript,
	},
	{
		id: "token-weight", severity: Info,
		source: "estimate: 4 ASCII characters, 2 letters of other alphabets or 1 of Chinese, Japanese and Korean to a token",
		run:    checkTokenWeight,
	},
}

// fewWithoutScript is how many words are as good as none: "Loading", a name, "Please turn on JavaScript".
const fewWithoutScript = 10

// checkTextWithoutScript compares the words of the page with those in data that scripts make text of. Frameworks often send both, so
// that the longer of the two is taken for the whole.
func checkTextWithoutScript(f *facts) finding {
	scripts, data := 0, 0
	for _, s := range f.doc.Scripts {
		switch s.MIME {
		case "", "module", "text/javascript", "application/javascript":
			scripts++
		case "application/json":
			data += wordsInJSON(s.Text())
		}
	}
	words := f.doc.Words
	switch {
	case words == 0 && scripts == 0:
		return notApplicable("text-without-script.nothing")
	case scripts == 0:
		return pass("text-without-script.no-scripts", locale.Count(words))
	case words < fewWithoutScript:
		return fail(nil, "text-without-script.too-little", locale.Count(words))
	case data > words:
		return pass("text-without-script.share", locale.Percent(100*words/data), locale.Count(words), locale.Count(data))
	}
	return pass("text-without-script.whole", locale.Count(words))
}

// minProse is how many words a string of data must have to be taken for text that people read.
const minProse = 4

// wordsInJSON counts the words of the strings in JSON that look like text.
func wordsInJSON(data string) int {
	words := 0
	for {
		_, rest, found := strings.Cut(data, `"`)
		if !found {
			return words
		}
		end := endOfString(rest)
		words += wordsOfProse(rest[:end])
		data = rest[min(end+1, len(rest)):]
	}
}

// wordsOfProse counts the words of a string that looks like text.
func wordsOfProse(s string) int {
	if strings.ContainsAny(s, "{}=<>;") {
		return 0
	}
	words := 0
	for range strings.FieldsSeq(s) {
		words++
	}
	if words < minProse {
		return 0
	}
	return words
}

// endOfString returns the index of the quotation mark that ends a JSON string, or the length of s.
func endOfString(s string) int {
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			return i
		}
	}
	return len(s)
}

// checkTokenWeight reports.
func checkTokenWeight(f *facts) finding {
	if len(f.doc.Source) == 0 {
		return notApplicable("common.page-empty")
	}
	text, source := estimateTokens(f.doc.Text), estimateTokens(f.doc.Source)
	if text == 0 {
		return pass("token-weight.no-text", locale.Count(source))
	}
	return pass("token-weight.found", locale.Count(text), locale.Count(source), locale.Decimal(float64(source)/float64(text)))
}

// estimateTokens says about how many tokens language models make of a text in UTF-8: one of 4 ASCII characters, of 2 characters of other
// alphabets, of 1 character of Chinese, Japanese or Korean.
func estimateTokens[T string | []byte](text T) int {
	quarters := 0
	for i := range len(text) {
		switch c := text[i]; {
		case c < 0x80:
			quarters++
		case c >= 0xE3: // begins a character of these scripts, or a pictograph
			quarters += 4
		case c >= 0xC0:
			quarters += 2
		}
	}
	return (quarters + 3) / 4
}
