package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"
)

// verdicts is what one side says of the pages, and what it took.
type verdicts struct {
	version string
	pages   []map[string]verdict // by audit or check, in the order of the pages
	errors  []string             // why there is no verdict on a page; "" where there is one
	cpu     time.Duration        // of all processes, user and system
	wall    time.Duration
}

// verdict is what one side says of one page.
type verdict struct {
	applies bool
	failed  bool
	detail  string
}

// runLighthouse has Lighthouse look at pages, one after the other, in one Chromium.
func runLighthouse(node, chromium string, addresses []string) (*verdicts, error) {
	start := time.Now()
	browser, err := startChromium(chromium)
	if err != nil {
		return nil, err
	}
	defer browser.stop()
	cmd := exec.Command(node, "lighthouse.mjs", browser.port, strings.Join(lighthouseAudits(), ","))
	cmd.Stdin = strings.NewReader(strings.Join(addresses, "\n") + "\n")
	cmd.Stderr = os.Stderr
	lines, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	found, readErr := readLighthouse(lines, len(addresses))
	if err := errors.Join(readErr, cmd.Wait()); err != nil {
		return nil, fmt.Errorf("lighthouse: %w", err)
	}
	found.wall = time.Since(start)
	inBrowser, err := browser.cpu()
	if err != nil {
		return nil, err
	}
	found.cpu = inBrowser + cpuOf(cmd)
	found.version += " in " + browser.version
	return found, nil
}

// lighthouseAudit is what lighthouse.mjs writes of one audit.
type lighthouseAudit struct {
	Score *float64 // nil where it does not apply or only informs
	Mode  string
	Shown []string
}

// isFinding reports whether the audit found something to mend: its score is under what Lighthouse shows as passed, or it only informs
// and has something to inform of.
func (a lighthouseAudit) isFinding() bool {
	const passing = 0.9
	if a.Mode == "informative" {
		return len(a.Shown) > 0
	}
	return a.Score != nil && *a.Score < passing
}

// readLighthouse reads the lines that lighthouse.mjs writes, and tells on stderr how far it is.
func readLighthouse(r io.Reader, pages int) (*verdicts, error) {
	found := &verdicts{}
	lines := json.NewDecoder(bufio.NewReader(r))
	for i := range pages {
		var line struct {
			Error, Version string
			Audits         map[string]lighthouseAudit
		}
		if err := lines.Decode(&line); err != nil {
			return nil, err
		}
		fmt.Fprintf(os.Stderr, "\rlighthouse: %d of %d", i+1, pages)
		page := map[string]verdict{}
		for id, a := range line.Audits {
			page[id] = verdict{
				applies: a.Score != nil || a.isFinding(),
				failed:  a.isFinding(),
				detail:  strings.Join(a.Shown, " | "),
			}
			if a.Mode == "error" {
				line.Error = strings.TrimSpace(line.Error + " " + id + " had an error.")
			}
		}
		found.version = "Lighthouse " + line.Version
		found.pages = append(found.pages, page)
		found.errors = append(found.errors, line.Error)
	}
	fmt.Fprintln(os.Stderr)
	return found, nil
}

// runSitegrade has Sitegrade audit pages. What it printed is kept in a file.
func runSitegrade(binary string, addresses []string, file string) (*verdicts, error) {
	version, err := exec.Command(binary, "version").Output()
	if err != nil {
		return nil, fmt.Errorf("%s version: %w", binary, err)
	}
	start := time.Now()
	cmd := exec.Command(binary, append([]string{"audit", "-format", "json"}, addresses...)...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, os.Stderr
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("%s audit: %w", binary, err)
	}
	found := &verdicts{version: strings.TrimSpace(string(version)), wall: time.Since(start), cpu: cpuOf(cmd)}
	if err := os.WriteFile(file, out.Bytes(), 0o644); err != nil {
		return nil, err
	}
	lines := json.NewDecoder(bytes.NewReader(out.Bytes()))
	for range addresses {
		var line struct {
			Data struct {
				Checks []struct{ ID, Status, Detail string }
			}
		}
		if err := lines.Decode(&line); err != nil {
			return nil, fmt.Errorf("%s audit: %w", binary, err)
		}
		page := map[string]verdict{}
		for _, c := range line.Data.Checks {
			page[c.ID] = verdict{applies: c.Status != "not_applicable", failed: c.Status == "failed", detail: c.Detail}
		}
		found.pages = append(found.pages, page)
		found.errors = append(found.errors, "")
	}
	return found, nil
}

// cpuOf returns the processor time of a command that has ended, and of those that it waited for.
func cpuOf(cmd *exec.Cmd) time.Duration {
	return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
}
