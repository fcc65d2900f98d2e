package cli

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"sitegrade/gate"
	"sitegrade/locale"
	"sitegrade/reports"
	"sitegrade/weburl"
)

// wish is what a command line wants of its audits: how they are written, what they are compared with, and what makes them fail.
type wish struct {
	crawl      crawlFlags
	format     reports.Format
	language   locale.Language
	outputs    []output
	conditions gate.Conditions
	baseline   gate.Counts // nil for none
	known      string      // the file of the baseline; "" for none
	written    string      // the file that gets the baseline of this run; "" for none
}

// output is a file that gets the reports too.
type output struct {
	format reports.Format
	path   string
}

// addFlags adds the flags that say what is wanted.
func (w *wish) addFlags(fs *flag.FlagSet) {
	w.crawl.add(fs)
	w.format, _ = reports.FindFormat("text")
	fs.Func("format", "`format`: text, markdown, html (one file), json with a line {\"data\": {...}} for each page, as the API shows a report, "+
		"sarif (2.1.0), junit, or github for annotations (default text)", w.setFormat)
	fs.Func("lang", "`language` of what is found, and of all words of the HTML file: "+strings.Join(locale.Codes(), ", ")+" (default en)", w.setLanguage)
	fs.Func("output", "`format=file` that gets the reports as well; may be repeated", w.addOutput)
	fs.Func("fail-under", "`score` under which the exit status is 1", w.setFailUnder)
	fs.Func("fail-on", "`terms` with commas between them, any of which makes the exit status 1: new (a failure that the baseline lacks, or has in "+
		"fewer places), high, medium, low (a failure of that severity or a worse one), score<N. Warnings, measured times "+
		"and mere information count for the score alone", w.addConditions)
	fs.StringVar(&w.known, "baseline", "", "`file` of known failures, as -write-baseline wrote it")
	fs.StringVar(&w.written, "write-baseline", "", "`file` that gets the failures of this run, unless a page could not be audited")
}

// urls returns the URLs that operands name. The error says what is wrong with them, or with the flags of a crawl.
func (w *wish) urls(operands []string, stdin io.Reader) ([]*weburl.URL, error) {
	switch {
	case w.crawl.on && w.language != "":
		return nil, errors.New("-lang does not go with -crawl")
	case w.crawl.on:
		return w.crawl.starts(operands, stdin)
	case len(w.crawl.given) > 0:
		return nil, fmt.Errorf("-%s says how a site is crawled: -crawl is missing", w.crawl.given[0])
	}
	return parseURLs(operands)
}

func (w *wish) setFormat(name string) (err error) {
	w.format, err = reports.FindFormat(name)
	return err
}

func (w *wish) setLanguage(code string) error {
	l, ok := locale.Parse(code)
	if !ok {
		return fmt.Errorf("%q is not one of %s", code, strings.Join(locale.Codes(), ", "))
	}
	w.language = l
	return nil
}

func (w *wish) addOutput(text string) error {
	name, path, _ := strings.Cut(text, "=")
	format, err := reports.FindFormat(name)
	if err != nil {
		return err
	}
	if path == "" {
		return errors.New("a format and a file are needed, such as junit=report.xml")
	}
	w.outputs = append(w.outputs, output{format, path})
	return nil
}

func (w *wish) setFailUnder(text string) error {
	score, err := strconv.Atoi(text)
	if err != nil || score < 0 || score > 100 {
		return fmt.Errorf("%s is not a score from 0 to 100", text)
	}
	w.conditions.Score = max(w.conditions.Score, score)
	return nil
}

func (w *wish) addConditions(terms string) error {
	more, err := gate.ParseConditions(terms)
	w.conditions = w.conditions.Or(more)
	return err
}

// prepare finds what can be wrong before anything is fetched, and reads the baseline.
func (w *wish) prepare() error {
	if w.conditions.New && w.known == "" {
		return errors.New("-fail-on: new needs a -baseline to compare with")
	}
	paths := []string{w.written}
	for _, o := range w.outputs {
		paths = append(paths, o.path)
	}
	for _, path := range paths {
		if info, err := os.Stat(filepath.Dir(path)); err != nil {
			return err
		} else if !info.IsDir() {
			return fmt.Errorf("%s is not a directory", filepath.Dir(path))
		}
	}
	if w.known == "" {
		return nil
	}
	f, err := os.Open(w.known)
	if err != nil {
		return fmt.Errorf("-baseline: %w", err)
	}
	defer f.Close()
	if w.baseline, err = gate.ReadBaseline(f); err != nil {
		return fmt.Errorf("-baseline: %s: %w", w.known, err)
	}
	return nil
}

// finish writes what came of a run and judges it: the error says what fails. A fault, which says that not everything could be audited, beats
// all else.
func (w *wish) finish(stdout io.Writer, r reports.Run, fault string) error {
	r.Version = buildVersion()
	r = r.In(w.language)
	if err := w.format.Write(stdout, r); err != nil {
		return err
	}
	for _, o := range w.outputs {
		if err := replaceFile(o.path, func(file io.Writer) error { return o.format.Write(file, r) }); err != nil {
			return &exitError{statusUsage, err}
		}
	}
	if fault != "" {
		return &exitError{statusNotPossible, errors.New(fault)}
	}
	if w.written != "" {
		if err := writeBaseline(w.written, r.Counts()); err != nil {
			return &exitError{statusUsage, err}
		}
	}
	if reasons := w.conditions.Judge(r.Comparison); len(reasons) > 0 {
		return &exitError{statusFailed, errors.New(strings.Join(reasons, "\n"))}
	}
	return nil
}

func writeBaseline(path string, counts gate.Counts) error {
	text, err := counts.AppendBaseline(nil)
	if err != nil {
		return err
	}
	return replaceFile(path, func(file io.Writer) error {
		_, err := file.Write(text)
		return err
	})
}

// replaceFile writes a file whole or not at all. What is no plain file, such as a pipe, is written to as it is.
func replaceFile(path string, write func(io.Writer) error) error {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		return errors.Join(write(f), f.Close())
	}
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	return writeWhole(path, 0o644, write)
}
