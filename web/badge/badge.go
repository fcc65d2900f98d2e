// Package badge draws the picture of a report's result that other sites show.
package badge

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"strings"
	"unicode"

	"sitegrade/audit"
	"sitegrade/db"
	"sitegrade/locale"
)

// The colours of results. White is readable on each, and each stands out on white and on black pages.
var colors = map[audit.Result]string{
	audit.Good: "#0b7a43", audit.Decent: "#8f5a00", audit.Bad: "#c0222b", audit.Unrated: "#5f616b",
}

// labelColor is that of the left part; a line in its own colour around it keeps it apart from dark pages.
const labelColor = "#34363f"

// maxLabel is how many characters of a name stand on a badge.
const maxLabel = 30

// SVG returns the badge of a report. label is whose it is.
func SVG(words *locale.Catalogue, label string, r db.Report) []byte {
	result := words.Fill("ui.badge." + cmp.Or(r.Result.String(), "none"))
	if r.Score != db.NoScore {
		result += fmt.Sprintf(" · %d", r.Score)
	}
	if runes := []rune(label); len(runes) > maxLabel {
		label = string(runes[:maxLabel-1]) + "…"
	}
	left, right := width(label)*15/16+16, width(result)+16 // bold is wider
	whole := left + right
	var b strings.Builder
	said := escape(label + ": " + result)
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="20" viewBox="0 0 %d 20" role="img" aria-label="%s"><title>%s</title>`, whole, whole, said, said)
	fmt.Fprintf(&b, `<clipPath id="r"><rect width="%d" height="20" rx="4"/></clipPath><g clip-path="url(#r)">`, whole)
	fmt.Fprintf(&b, `<rect width="%d" height="20" fill="%s"/><rect x="%d" width="%d" height="20" fill="%s"/></g>`, left, labelColor, left, right, colors[r.Result])
	fmt.Fprintf(&b, `<rect x=".5" y=".5" width="%d" height="19" rx="3.5" fill="none" stroke="#fff" stroke-opacity=".28"/>`, whole-1)
	b.WriteString(`<g fill="#fff" font-family="Verdana,DejaVu Sans,Geneva,sans-serif" font-size="11" text-anchor="middle">`)
	fmt.Fprintf(&b, `<text x="%d" y="14" textLength="%d">%s</text>`, left/2, left-16, escape(label))
	fmt.Fprintf(&b, `<text x="%d" y="14" textLength="%d" font-weight="bold">%s</text>`, left+right/2, right-16, escape(result))
	b.WriteString("</g></svg>\n")
	return []byte(b.String())
}

func escape(s string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(s)) // never fails in memory
	return b.String()
}

// width returns about how many pixels a text is wide; textLength has the browser make up for the rest.
func width(s string) int {
	tenths := 0
	for _, r := range s {
		switch {
		case strings.ContainsRune("iljtfrI.,:;'!| ", r):
			tenths += 45
		case strings.ContainsRune("mwMW", r):
			tenths += 105
		case r > 0x2e80: // East Asian
			tenths += 115
		case unicode.IsUpper(r):
			tenths += 82
		default:
			tenths += 71
		}
	}
	return max(1, tenths/10)
}
