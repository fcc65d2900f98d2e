package audit

import (
	"fmt"
	"strings"
)

// How details count things, so that noun and verb agree with the number. A predicate begins with its verb and is written for one
// thing: "has no name", "leads to http".

// plural returns a number with its noun: "1 image", "2 images".
func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// counted says what a number of things do: "1 form sends data", "2 forms send data".
func counted(n int, one, many, predicate string) string {
	if n == 1 {
		return "1 " + one + " " + predicate
	}
	return plural(n, one, many) + " " + forMany(predicate)
}

// share says what some of all things do: "The only link leads to http", "1 of 3 links leads to http",
// "2 of 3 links lead to http".
func share(n, total int, one, many, predicate string) string {
	switch {
	case n == 0 && total == 1:
		return "Not one " + one + " " + predicate
	case total == 1:
		return "The only " + one + " " + predicate
	case n == 1:
		return fmt.Sprintf("1 of %d %s %s", total, many, predicate)
	}
	return fmt.Sprintf("%d of %d %s %s", n, total, many, forMany(predicate))
}

// every says what all things do: "The only link leads to https", "All 3 links lead to https".
func every(total int, one, many, predicate string) string {
	if total == 1 {
		return "The only " + one + " " + predicate
	}
	return fmt.Sprintf("All %d %s %s", total, many, forMany(predicate))
}

// firstOf names the first of the things that a sentence has just counted.
func firstOf(n int) string {
	if n == 1 {
		return "it"
	}
	return "the first one"
}

// forMany returns a predicate for several things: "has no name" becomes "have no name". Verbs without an ending for one thing, such
// as "could" and "may", stay as they are.
func forMany(predicate string) string {
	verb, rest, spaced := strings.Cut(predicate, " ")
	switch verb {
	case "has":
		verb = "have"
	case "is":
		verb = "are"
	case "does":
		verb = "do"
	default:
		if stem, ok := strings.CutSuffix(verb, "ies"); ok {
			verb = stem + "y"
		} else {
			verb = strings.TrimSuffix(verb, "s")
		}
	}
	if spaced {
		verb += " "
	}
	return verb + rest
}
