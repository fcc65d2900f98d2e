package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"strings"

	"sitegrade/audit"
)

// described is a command with its flags, as the man page and the completions of shells tell of it.
type described struct {
	command
	flags []describedFlag
}

// describedFlag is a flag of a command.
type describedFlag struct {
	name     string // "rate-limit"
	value    string // what its value is called, "NUMBER"; "" for a switch
	doc      string // one sentence or several, with the default
	isOption bool   // of the configuration
}

// describeAll returns every command with its flags. It asks the commands themselves, so that no other list of flags exists.
func describeAll() ([]described, error) {
	var all []described
	for _, c := range commands() {
		d, err := describe(c)
		if err != nil {
			return nil, err
		}
		all = append(all, d)
	}
	return all, nil
}

func describe(c command) (described, error) {
	d := described{command: c}
	options := defaultSettings().options()
	note := func(fs *flag.FlagSet) {
		fs.VisitAll(func(f *flag.Flag) {
			value, doc := flag.UnquoteUsage(f)
			isOption := f.Name == "config" || findOption(options, strings.ReplaceAll(f.Name, "-", "_")) != nil
			d.flags = append(d.flags, describedFlag{f.Name, strings.ToUpper(value), doc, isOption})
		})
	}
	err := c.run(context.Background(), &console{command: c, helped: note}, []string{"-h"})
	if !errors.Is(err, errHelped) {
		return d, fmt.Errorf("the command %q does not tell its options: %w", c.name, err)
	}
	return d, nil
}

// takesPath reports whether the value of a flag is a file or a directory.
func (f describedFlag) takesPath() bool { return f.value == "FILE" || f.value == "DIRECTORY" }

// short returns what the flag is for in a few words.
func (f describedFlag) short() string {
	short := f.doc
	for _, end := range []string{" (default", ";", ". ", ": "} {
		short, _, _ = strings.Cut(short, end)
	}
	return short
}

// takesPath reports whether the operand of a command is a file.
func (d described) takesPath() bool { return d.operands == "FILE" }

// choices returns the words that the operand of a command is one of; nil where it may be anything.
func (d described) choices() []string {
	switch d.name {
	case "explain":
		var ids []string
		for _, e := range audit.Explanations() {
			ids = append(ids, e.ID)
		}
		return ids
	case "help":
		return firstWords()
	case "completion":
		return shellNames()
	}
	return nil
}

// firstWords returns the words that a command line may begin with.
func firstWords() []string {
	var words []string
	for _, c := range commands() {
		first, _, _ := strings.Cut(c.name, " ")
		if len(words) == 0 || words[len(words)-1] != first {
			words = append(words, first)
		}
	}
	return words
}
