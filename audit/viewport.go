package audit

import (
	"strconv"
	"strings"
)

// viewportProperties returns what the content of a viewport sets, names and values in lower case, as browsers read it (CSS Device
// Adaptation, "parsing algorithm"): white space separates properties as commas and semicolons do, and a name without a value says nothing.
func viewportProperties(content string) map[string]string {
	const space, ends = " \t\n\f\r", ",;"
	properties := map[string]string{}
	rest := strings.ToLower(content)
	for {
		rest = strings.TrimLeft(rest, space+ends+"=")
		if rest == "" {
			return properties
		}
		name := untilAny(rest, space+ends+"=")
		rest = rest[len(name):]
		rest = rest[len(untilAny(rest, ends+"=")):]
		rest = strings.TrimLeft(rest, space+"=")
		value := untilAny(rest, space+ends+"=")
		if rest = rest[len(value):]; value != "" {
			properties[name] = value
		}
	}
}

// untilAny returns the text before the first of some characters.
func untilAny(s, characters string) string {
	if i := strings.IndexAny(s, characters); i >= 0 {
		return s[:i]
	}
	return s
}

// forbidsZoom reports whether browsers take a user-scalable for no, as they do for numbers between -1 and 1 and for unknown words.
func forbidsZoom(scalable string) bool {
	if scalable == "" || scalable == "yes" {
		return false
	}
	n := viewportNumber(scalable)
	return n > -1 && n < 1
}

// viewportNumber returns the number that browsers take a value of the viewport for (CSS Device Adaptation, "the viewport META
// element"): the number at its start, 10 for the width or height of the device, 1 for yes, else 0.
func viewportNumber(value string) float64 {
	switch value {
	case "device-width", "device-height":
		return 10
	case "yes":
		return 1
	}
	end := len(value) - len(strings.TrimLeft(value, "+-.0123456789"))
	for ; end > 0; end-- {
		if n, err := strconv.ParseFloat(value[:end], 64); err == nil {
			return n
		}
	}
	return 0
}
