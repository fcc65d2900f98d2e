package web

import "strings"

// piece is a part of a description: text, or code.
type piece struct {
	Text string
	Code bool
}

// pieces parts a description, in which backquotes mark code. The template "prose" shows them.
func pieces(description string) []piece {
	var all []piece
	for i, text := range strings.Split(description, "`") {
		all = append(all, piece{Text: text, Code: i%2 == 1})
	}
	return all
}
