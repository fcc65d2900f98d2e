package cli

import (
	"context"
	"flag"
	"fmt"
	"io"
	"strings"

	"sitegrade/terminal"
)

// help prints what a command does, what every command of a group does, or the list of commands.
func help(ctx context.Context, c *console, args []string) error {
	if len(args) > 0 && strings.HasPrefix(args[0], "-") {
		_, err := c.parse(c.flags(), args)
		return err
	}
	if len(args) == 0 {
		printHelp(c.stdout)
		return nil
	}
	if group := commandGroup(args[0]); len(args) == 1 && len(group) > 0 {
		for _, word := range group {
			if err := help(ctx, c, []string{args[0], word}); err != nil {
				return err
			}
		}
		return nil
	}
	found, rest, err := findCommand(args)
	if err != nil {
		return err
	}
	if found.name == "help" || len(rest) > 0 {
		printHelp(c.stdout)
		return nil
	}
	if err := found.run(ctx, &console{command: found, stdin: c.stdin, stdout: c.stdout, stderr: c.stderr}, []string{"-h"}); err != nil && err != errHelped {
		return err
	}
	return nil
}

func printHelp(w io.Writer) {
	fmt.Fprintln(w, "Sitegrade analyses web pages and serves their reports over an HTTP API.")
	fmt.Fprintln(w)
	fmt.Fprintln(w, "Usage: sitegrade COMMAND [OPTIONS]")
	fmt.Fprintln(w)
	for _, c := range commands() {
		fmt.Fprintf(w, "  %-20s %s\n", strings.TrimSpace(c.name+" "+c.operands), c.summary)
	}
	fmt.Fprintln(w)
	fmt.Fprintln(w, `"sitegrade help COMMAND" lists the options of a command. Those of the`)
	fmt.Fprintln(w, "configuration can also stand in the environment (-rate-limit is SITEGRADE_RATE_LIMIT)")
	fmt.Fprintln(w, "and in a TOML file (rate_limit) that -config names.")
}

func printCommandHelp(w io.Writer, c command, fs *flag.FlagSet) {
	fmt.Fprintf(w, "sitegrade %s: %s.\n\nUsage: %s\n", c.name, c.summary, strings.TrimSpace("sitegrade "+c.name+" [OPTIONS] "+c.operands))
	fs.VisitAll(func(f *flag.Flag) {
		placeholder, doc := flag.UnquoteUsage(f)
		fmt.Fprintf(w, "\n  %s\n", strings.TrimSpace("-"+f.Name+" "+strings.ToUpper(placeholder)))
		for _, line := range terminal.Wrap(doc, 72) {
			fmt.Fprintf(w, "      %s\n", line)
		}
	})
	fmt.Fprintln(w)
}
