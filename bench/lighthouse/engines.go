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

// readLighthouse reads the lines that lighthouse.mjs writes, and tells on stderr how far it is.
func readLighthouse(r io.Reader, pages int) (*verdicts, error) {
	found := &verdicts{}
	lines := json.NewDecoder(bufio.NewReader(r))
	for i := range pages {
		var line struct {
			Error, Version string
			Audits         map[string]struct {
				Score *float64
				Mode  string
				Shown []string
			}
		}
		if err := lines.Decode(&line); err != nil {
			return nil, err
		}
		fmt.Fprintf(os.Stderr, "\rlighthouse: %d of %d", i+1, pages)
		page := map[string]verdict{}
		for id, a := range line.Audits {
			page[id] = verdict{
				applies: a.Score != nil,
				failed:  a.Score != nil && *a.Score < 0.5,
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

// runSitegrade has Sitegrade audit pages.
func runSitegrade(binary string, addresses []string) (*verdicts, error) {
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
	lines := json.NewDecoder(&out)
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

// cpuOf gives the processor time of a command that has ended, and of those that it waited for.
func cpuOf(cmd *exec.Cmd) time.Duration {
	return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
}
