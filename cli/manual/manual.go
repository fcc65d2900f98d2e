// Package manual writes what tells of a command line beside the program: the page for man, and what completes it in shells. It knows no command
// by itself, so that nothing in it can differ from the program.
package manual

import "strings"

// Command is a command with its flags.
type Command struct {
	Name     string   // as typed: "keys create"
	Operands string   // as the usage text has them: "[ID]"; "FILE" is completed as a path
	Summary  string   // what it does, as a sentence without capital and full stop
	Choices  []string // what its operand is one of; nil where it may be anything
	Flags    []Flag
}

// Flag is a flag of a command.
type Flag struct {
	Name       string // "rate-limit"
	Value      string // what its value is called, "NUMBER"; "" for a switch. "FILE" and "DIRECTORY" are completed as paths
	Doc        string // one sentence or several, with the default
	Configured bool   // whether it is an option of the configuration, which the page explains once
}

func (f Flag) takesPath() bool { return f.Value == "FILE" || f.Value == "DIRECTORY" }

// short returns what the flag is for in a few words.
func (f Flag) short() string {
	short := f.Doc
	for _, end := range []string{" (default", ";", ". ", ": "} {
		short, _, _ = strings.Cut(short, end)
	}
	return short
}

func (c Command) takesPath() bool { return c.Operands == "FILE" }

// names returns the flags that a condition holds for, as they are typed, with spaces between them.
func (c Command) names(wanted func(Flag) bool) string {
	var names []string
	for _, f := range c.Flags {
		if wanted(f) {
			names = append(names, "-"+f.Name)
		}
	}
	return strings.Join(names, " ")
}

// firstWords returns the words that a command line may begin with.
func firstWords(all []Command) []string {
	var words []string
	for _, c := range all {
		first, _, _ := strings.Cut(c.Name, " ")
		if len(words) == 0 || words[len(words)-1] != first {
			words = append(words, first)
		}
	}
	return words
}

// secondWords returns the words that may follow a first one; none for a command of one word.
func secondWords(all []Command, first string) []string {
	var words []string
	for _, c := range all {
		if before, second, two := strings.Cut(c.Name, " "); two && before == first {
			words = append(words, second)
		}
	}
	return words
}
