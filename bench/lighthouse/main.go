// Command lighthouse holds Sitegrade against Lighthouse: both look at the same pages in one run, and what they say of the checks that
// both have is compared, with the time that it took.
package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "lighthouse:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	flags := flag.NewFlagSet("lighthouse", flag.ContinueOnError)
	chromium := flags.String("chromium", "chromium", "path of Chromium or Chrome")
	node := flags.String("node", "node", "path of Node.js")
	binary := flags.String("sitegrade", "", "path of a built sitegrade (default: build the one beside this directory)")
	n := flags.Int("n", 80, "how many pages to make up when no directory of pages is given")
	seed := flags.Uint64("seed", 1, "what the made-up pages grow from: the same seed gives the same pages")
	out := flags.String("out", "out", "directory for report.md, what Sitegrade printed and the made-up pages")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() > 1 {
		return errors.New("one directory of pages is enough")
	}
	if err := os.MkdirAll(*out, 0o755); err != nil {
		return err
	}
	pages, err := pagesOf(flags.Arg(0), *out, *n, *seed)
	if err != nil {
		return err
	}
	if *binary == "" {
		if *binary, err = build(*out); err != nil {
			return err
		}
	}
	site, err := serve(pages)
	if err != nil {
		return err
	}
	defer site.Close()
	theirs, err := runLighthouse(*node, *chromium, site.addresses)
	if err != nil {
		return err
	}
	ours, err := runSitegrade(*binary, site.addresses, filepath.Join(*out, "sitegrade.jsonl"))
	if err != nil {
		return err
	}
	text := comparison{pages, theirs, ours}.markdown()
	fmt.Print(text)
	return os.WriteFile(filepath.Join(*out, "report.md"), []byte(text), 0o644)
}

// pagesOf reads the pages of a directory, or makes some up and writes them to out, for people to look at.
func pagesOf(dir, out string, n int, seed uint64) ([]page, error) {
	if dir != "" {
		return readPages(dir)
	}
	pages := makePages(n, seed)
	return pages, writePages(filepath.Join(out, "pages"), pages)
}

// build builds Sitegrade as it is released and gives its path.
func build(out string) (string, error) {
	path, err := filepath.Abs(filepath.Join(out, "sitegrade"))
	if err != nil {
		return "", err
	}
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", path, ".")
	cmd.Dir = filepath.Join("..", "..")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if text, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("building sitegrade: %s", cmp.Or(string(text), err.Error()))
	}
	return path, nil
}
