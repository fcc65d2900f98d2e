package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"

	"sitegrade/audit"
	"sitegrade/cli/manual"
)

// completion prints a script that completes command lines of Sitegrade in a shell.
func completion(_ context.Context, c *console, args []string) error {
	operands, err := c.parse(c.flags(), args)
	if err != nil {
		return err
	}
	shell, err := c.oneOperand(operands)
	if err != nil {
		return err
	}
	if known := manual.Shells(); !slices.Contains(known, shell) {
		return c.usage("completions are written for %s, not for %q", strings.Join(known, ", "), shell)
	}
	all, err := describeAll()
	if err != nil {
		return err
	}
	script, _ := manual.Completion(shell, all)
	_, err = io.WriteString(c.stdout, script)
	return err
}

// manPage prints the manual page, for man.
func manPage(_ context.Context, c *console, args []string) error {
	operands, err := c.parse(c.flags(), args)
	if err != nil {
		return err
	}
	if err := c.noOperands(operands); err != nil {
		return err
	}
	all, err := describeAll()
	if err != nil {
		return err
	}
	_, err = io.WriteString(c.stdout, manual.Page(buildVersion(), all))
	return err
}

// describeAll returns every command with its flags. It asks the commands themselves, so that no other list of flags exists.
func describeAll() ([]manual.Command, error) {
	var all []manual.Command
	for _, c := range commands() {
		described, err := describe(c)
		if err != nil {
			return nil, err
		}
		all = append(all, described)
	}
	return all, nil
}

func describe(c command) (manual.Command, error) {
	described := manual.Command{Name: c.name, Operands: c.operands, Summary: c.summary, Choices: choices(c.name)}
	options := defaultSettings().options()
	note := func(fs *flag.FlagSet) {
		fs.VisitAll(func(f *flag.Flag) {
			value, doc := flag.UnquoteUsage(f)
			configured := f.Name == "config" || findOption(options, strings.ReplaceAll(f.Name, "-", "_")) != nil
			described.Flags = append(described.Flags, manual.Flag{Name: f.Name, Value: strings.ToUpper(value), Doc: doc, Configured: configured})
		})
	}
	err := c.run(context.Background(), &console{command: c, helped: note}, []string{"-h"})
	if !errors.Is(err, errHelped) {
		return described, fmt.Errorf("the command %q does not tell its options: %w", c.name, err)
	}
	return described, nil
}

// choices returns the words that the operand of a command is one of; nil where it may be anything.
func choices(command string) []string {
	var words []string
	switch command {
	case "explain":
		for _, e := range audit.Explanations() {
			words = append(words, e.ID)
		}
	case "help":
		for _, c := range commands() {
			first, _, _ := strings.Cut(c.name, " ")
			words = append(words, first)
		}
		words = slices.Compact(words)
	case "completion":
		words = manual.Shells()
	}
	return words
}
