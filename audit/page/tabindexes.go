package page

import (
	"strconv"
	"strings"
)

// collectTabindexes finds the elements that change the order in which the keyboard reaches them.
func collectTabindexes(d *Document) collector {
	return collector{enter: func(e Element, in scope) {
		tabindex, ok := e.Attribute("tabindex")
		if !ok || in.unexposed {
			return
		}
		d.Total.Tabindexes++
		if n, ok := leadingInteger(tabindex); ok && n > 0 {
			d.Tabindexes = keep(d.Tabindexes, e)
		}
	}}
}

// leadingInteger returns the integer at the start of an attribute, as browsers do (WHATWG HTML, "rules for parsing integers"): whatever
// follows it is ignored. ok is false if there is none or it does not fit in 32 bits.
func leadingInteger(s string) (n int, ok bool) {
	s = strings.TrimLeft(s, " \t\n\f\r")
	end := 0
	if strings.HasPrefix(s, "-") || strings.HasPrefix(s, "+") {
		end++
	}
	for end < len(s) && '0' <= s[end] && s[end] <= '9' {
		end++
	}
	parsed, err := strconv.ParseInt(s[:end], 10, 32)
	return int(parsed), err == nil
}
