// Package cli is the command line: a file for each command, the configuration, and the wiring of the server. It is the only
// package that reads flags, environment variables and configuration files.
package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"sitegrade/terminal"
)

// The exit statuses. A command that is about a difference or a score uses statusFailed for "there is one".
const (
	statusDone        = 0
	statusFailed      = 1
	statusUsage       = 2
	statusNotPossible = 3 // only audit: a page could not be audited
)

// command is one entry of the table: its name as typed ("keys create"), its operands for the usage text, and what it does.
type command struct {
	name     string
	operands string
	summary  string
	run      func(ctx context.Context, c *console, args []string) error
}

// commands is a function because the help command prints it.
func commands() []command {
	return []command{
		{"serve", "", "serve the API from ./data on 127.0.0.1:8080", serve},
		{"audit", "URL...", "audit pages, or crawl a site, and print the reports", auditPages},
		{"explain", "[ID]", "say what a check looks at and how to mend it, or list the checks", explainCheck},
		{"mcp", "", "serve the tools of agents (MCP) on standard input and output, without a server", serveTools},
		{"keys create", "", "make an API key and print it, once", keysCreate},
		{"keys list", "", "list the API keys", keysList},
		{"keys revoke", "ID", "make an API key useless", keysRevoke},
		{"export", "", "write everything as JSON Lines to standard output", exportLines},
		{"import", "", "read JSON Lines from standard input", importLines},
		{"backup", "FILE", `write a verified copy of the database ("-": to standard output)`, backup},
		{"check", "", "compare every index with the records", check},
		{"compact", "", "shrink the database file, with no server running", compact},
		{"update", "", "replace this program by the newest signed release", update},
		{"completion", "SHELL", "print a script that completes command lines, for bash, zsh or fish", completion},
		{"man", "", "print the manual page, for man", manPage},
		{"version", "", "print the version; look for a newer one, or whether this one is genuine", version},
		{"help", "[COMMAND]", "explain a command and its options", help},
	}
}

// console is what a command talks to.
type console struct {
	command command
	stdin   io.Reader
	stdout  io.Writer
	stderr  io.Writer
	helped  func(*flag.FlagSet) // gets the flags of the command instead of their help being printed; nil to print it
}

// errHelped ends a command that printed its help instead.
var errHelped = errors.New("help was printed")

// usageError says how a command line is wrong.
type usageError struct {
	command string // "" for none
	detail  string
}

func (e *usageError) Error() string {
	return e.detail + "\nTo see what is possible: sitegrade " + strings.TrimSpace("help "+e.command)
}

// exitError is an error with an exit status of its own.
type exitError struct {
	status int
	err    error
}

func (e *exitError) Error() string { return e.err.Error() }
func (e *exitError) Unwrap() error { return e.err }

// Main runs the command that args name and gives its exit status.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	// After the first signal the next one ends the process at once.
	context.AfterFunc(ctx, stop)
	err := runCommand(ctx, args, stdin, stdout, stderr)
	if errors.Is(err, context.Canceled) {
		err = errors.New("interrupted")
	}
	if err != nil && !errors.Is(err, errHelped) {
		fmt.Fprintln(stderr, "sitegrade:", terminal.CleanLines(err.Error()))
	}
	return exitStatus(err)
}

func runCommand(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) error {
	if len(args) == 0 {
		printHelp(stderr)
		return &usageError{detail: "a command is missing"}
	}
	if slices.Contains([]string{"-h", "-help", "--help"}, args[0]) {
		printHelp(stdout)
		return nil
	}
	c, rest, err := findCommand(args)
	if err != nil {
		return err
	}
	return c.run(ctx, &console{command: c, stdin: stdin, stdout: stdout, stderr: stderr}, rest)
}

func exitStatus(err error) int {
	var exit *exitError
	var usage *usageError
	switch {
	case err == nil, errors.Is(err, errHelped):
		return statusDone
	case errors.As(err, &exit):
		return exit.status
	case errors.As(err, &usage):
		return statusUsage
	default:
		return statusFailed
	}
}

// findCommand returns the command that args begin with, and the arguments behind its name.
func findCommand(args []string) (command, []string, error) {
	for _, c := range commands() {
		words := strings.Fields(c.name)
		if len(args) >= len(words) && slices.Equal(args[:len(words)], words) {
			return c, args[len(words):], nil
		}
	}
	group := commandGroup(args[0])
	switch {
	case len(group) == 0:
		return command{}, nil, &usageError{detail: fmt.Sprintf("there is no command %q", args[0])}
	case len(args) > 1 && slices.Contains([]string{"-h", "-help", "--help"}, args[1]):
		return command{name: args[0], run: help}, args[:1], nil
	default:
		return command{}, nil, &usageError{args[0], fmt.Sprintf("%s needs one of these words behind it: %s", args[0], strings.Join(group, ", "))}
	}
}

// commandGroup returns the second words of the commands whose first word is this one.
func commandGroup(first string) []string {
	var group []string
	for _, c := range commands() {
		if words := strings.Fields(c.name); len(words) == 2 && words[0] == first {
			group = append(group, words[1])
		}
	}
	return group
}

// flags returns an empty set of flags that reports errors instead of printing them.
func (c *console) flags() *flag.FlagSet {
	fs := flag.NewFlagSet(c.command.name, flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	return fs
}

// parse reads the flags, which may stand before, between and behind the operands, and returns the operands. It answers -h
// itself, with errHelped.
func (c *console) parse(fs *flag.FlagSet, args []string) (operands []string, err error) {
	for {
		if err := fs.Parse(args); errors.Is(err, flag.ErrHelp) {
			if c.helped != nil {
				c.helped(fs)
			} else {
				printCommandHelp(c.stdout, c.command, fs)
			}
			return nil, errHelped
		} else if err != nil {
			return nil, c.usage("%s", err)
		}
		parsed := args[:len(args)-fs.NArg()]
		if len(parsed) > 0 && parsed[len(parsed)-1] == "--" {
			return append(operands, fs.Args()...), nil
		}
		if fs.NArg() == 0 {
			return operands, nil
		}
		operands = append(operands, fs.Arg(0))
		args = fs.Args()[1:]
	}
}

// usage returns an error for a wrong command line of this command.
func (c *console) usage(format string, args ...any) error {
	return &usageError{c.command.name, fmt.Sprintf(format, args...)}
}

// noOperands refuses operands where a command takes none.
func (c *console) noOperands(operands []string) error {
	if len(operands) > 0 {
		return c.usage("%s takes no operand, but there is %q", c.command.name, operands[0])
	}
	return nil
}

// oneOperand returns the only operand of a command that needs one.
func (c *console) oneOperand(operands []string) (string, error) {
	if len(operands) != 1 {
		return "", c.usage("%s needs exactly one operand: %s", c.command.name, c.command.operands)
	}
	return operands[0], nil
}
