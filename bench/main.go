// Command bench measures Sitegrade beside the engines that a user would pick instead, on the same data, in one run.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
	"time"
)

// garbagePercent is how the collector works in all engines here: as in Sitegrade's server.
const garbagePercent = 400

func main() {
	debug.SetGCPercent(garbagePercent)
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	n := flags.Int("n", 1_000_000, "how many reports")
	names := flags.String("engines", strings.Join(engineNames, ","), "what to measure, separated by commas")
	out := flags.String("out", "out", "directory for the data, which is emptied, and for report.md")
	budget := flags.Duration("budget", time.Second, "how long each kind is measured with each engine")
	iterations := flags.Int("iterations", 30, "after how many calls a kind may end before its budget is used up")
	only := flags.String("only", "", "regular expression: measure only the kinds of list with such names, and nothing else")
	inside := flags.Bool("inside", false, "measure nothing over HTTP and no deletion: the lists, shows and creates within the process alone, which takes a fifth of the time")
	profile := flags.String("cpuprofile", "", "write a processor profile of all that is measured to this file")
	footprint := flags.String("footprint", "", "open only this engine in -out, and print its footprint (what the benchmark starts itself)")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *footprint != "" {
		return printFootprint(*footprint, *out)
	}
	pattern, err := regexp.Compile(*only)
	if err != nil {
		return fmt.Errorf("-only: %w", err)
	}
	b := &bench{dir: *out, limits: limits{budget: *budget, iterations: *iterations}, profile: *profile, inside: *inside}
	if *only != "" {
		b.only = pattern
	}
	for name := range strings.SplitSeq(*names, ",") {
		if !slices.Contains(engineNames, name) {
			return fmt.Errorf("no engine is called %q: there are %s", name, strings.Join(engineNames, ", "))
		}
		b.names = append(b.names, name)
	}
	if *n < smallestSet {
		return fmt.Errorf("-n must be at least %d", smallestSet)
	}
	found, err := b.run(*n)
	if err != nil {
		return err
	}
	text := found.markdown()
	fmt.Println(text)
	if err := os.WriteFile(filepath.Join(*out, "report.md"), []byte(text+"\n"), 0o644); err != nil {
		return err
	}
	if len(found.differences) > 0 {
		return errors.New("the engines do not agree: see the differences above")
	}
	return nil
}
