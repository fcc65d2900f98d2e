package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"
)

// footprint is what an idle engine takes, measured in a process of its own.
type footprint struct {
	Start   time.Duration // from the start of the engine to the first newest page
	Private int64         // bytes of memory that are the process's own
	Mapped  int64         // bytes of files and shared memory that it has mapped and touched
}

// measureFootprint opens the engine in new processes, one after the other, and gives the one with the median start.
func measureFootprint(name, dir string) (footprint, error) {
	const starts = 5
	found := make([]footprint, starts)
	for i := range found {
		var err error
		if found[i], err = footprintOf(name, dir); err != nil {
			return footprint{}, err
		}
	}
	slices.SortFunc(found, func(a, b footprint) int { return cmp.Compare(a.Start, b.Start) })
	return found[starts/2], nil
}

// footprintOf opens the engine in a new process.
func footprintOf(name, dir string) (footprint, error) {
	self, err := os.Executable()
	if err != nil {
		return footprint{}, err
	}
	cmd := exec.Command(self, "-footprint", name, "-out", dir)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return footprint{}, fmt.Errorf("footprint of %s: %w", name, err)
	}
	var f footprint
	return f, json.Unmarshal(out, &f)
}

// printFootprint is what the new process does: it opens the engine, asks for the newest page once, and looks at its memory.
func printFootprint(name, dir string) (err error) {
	e := newEngine(name)
	began := time.Now()
	if err := e.open(dir); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, e.close()) }()
	server, err := serve(e)
	if err != nil {
		return err
	}
	connection, err := server.dial()
	if err != nil {
		return err
	}
	var body strings.Builder
	if err := connection.get(server.request(kind{name: "newest", query: newest()}), &body); err != nil {
		return err
	}
	f := footprint{Start: time.Since(began)}
	debug.FreeOSMemory()
	if f.Private, f.Mapped, err = memory(os.Getpid()); err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(f)
}

// memory adds up what a process and all its children take, shared pages by their share.
func memory(pid int) (private, mapped int64, err error) {
	rollup, err := os.Open(fmt.Sprintf("/proc/%d/smaps_rollup", pid))
	if err != nil {
		return 0, 0, err
	}
	defer rollup.Close()
	lines := bufio.NewScanner(rollup)
	for lines.Scan() {
		fields := strings.Fields(lines.Text())
		if len(fields) != 3 {
			continue
		}
		kilobytes, err := strconv.ParseInt(fields[1], 10, 64)
		if err != nil {
			continue // the line of the address range
		}
		switch fields[0] {
		case "Pss_Anon:":
			private += kilobytes << 10
		case "Pss_File:", "Pss_Shmem:":
			mapped += kilobytes << 10
		}
	}
	for _, child := range children(pid) {
		p, m, err := memory(child)
		if err != nil {
			continue // it has ended since
		}
		private, mapped = private+p, mapped+m
	}
	return private, mapped, lines.Err()
}

// children returns the processes that a process has started.
func children(pid int) []int {
	var found []int
	lists, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	if err != nil {
		return nil
	}
	for _, list := range lists {
		text, err := os.ReadFile(list)
		if err != nil {
			continue
		}
		for field := range strings.FieldsSeq(string(text)) {
			if child, err := strconv.Atoi(field); err == nil {
				found = append(found, child)
			}
		}
	}
	return found
}

// filesSize adds up the files that exist.
func filesSize(paths ...string) (total int64, err error) {
	for _, path := range paths {
		info, err := os.Stat(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return 0, err
		}
		total += info.Size()
	}
	return total, nil
}
