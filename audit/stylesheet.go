package audit

import (
	"strings"

	"github.com/tdewolff/parse/v2"
	"github.com/tdewolff/parse/v2/css"
)

// cssFacts is what checks need to know of a stylesheet.
type cssFacts struct {
	imports     int // @import rules
	fonts       int // @font-face rules
	fontsHidden int // those without font-display: their text is invisible until the font is there
}

// readStylesheet reads a stylesheet token by token, so that a mistake in it affects nothing else.
func readStylesheet(source []byte) cssFacts {
	var facts cssFacts
	lexer := css.NewLexer(parse.NewInputBytes(append([]byte(nil), source...)))
	for {
		kind, text := lexer.Next()
		switch {
		case kind == css.ErrorToken:
			return facts
		case kind != css.AtKeywordToken:
		case strings.EqualFold(string(text), "@import"):
			facts.imports++
		case strings.EqualFold(string(text), "@font-face"):
			facts.fonts++
			if !hasFontDisplay(lexer) {
				facts.fontsHidden++
			}
		}
	}
}

// hasFontDisplay reads the block of an @font-face rule to its end, and reports whether it declares font-display.
func hasFontDisplay(lexer *css.Lexer) bool {
	found, depth := false, 0
	for {
		kind, text := lexer.Next()
		switch kind {
		case css.ErrorToken:
			return found
		case css.LeftBraceToken:
			depth++
		case css.RightBraceToken:
			if depth--; depth <= 0 {
				return found
			}
		case css.IdentToken:
			found = found || strings.EqualFold(string(text), "font-display")
		}
	}
}
