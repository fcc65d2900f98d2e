package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// chromium is a running browser. All its processes are of one process group, which is how they are counted and ended.
type chromium struct {
	cmd     *exec.Cmd
	dir     string // of its profile
	port    string // of its debugging protocol
	version string
}

// chromiumFlags keep the browser from doing anything but what it is asked for.
var chromiumFlags = []string{
	"--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
	"--disable-component-update", "--disable-sync", "--remote-debugging-port=0",
}

// startChromium starts a browser with a new profile and waits until it can be talked to.
func startChromium(path string) (*chromium, error) {
	version, err := exec.Command(path, "--version").Output()
	if err != nil {
		return nil, fmt.Errorf("%s --version: %w", path, err)
	}
	dir, err := os.MkdirTemp("", "sitegrade-chromium-")
	if err != nil {
		return nil, err
	}
	c := &chromium{dir: dir, version: strings.TrimSpace(string(version))}
	c.cmd = exec.Command(path, append(chromiumFlags, "--user-data-dir="+dir, "about:blank")...)
	c.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := c.cmd.Start(); err != nil {
		os.RemoveAll(dir)
		return nil, err
	}
	if err := c.waitForPort(30 * time.Second); err != nil {
		c.stop()
		return nil, err
	}
	return c, nil
}

// waitForPort reads the port that the browser chose from the file in its profile where it writes it.
func (c *chromium) waitForPort(patience time.Duration) error {
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		text, err := os.ReadFile(filepath.Join(c.dir, "DevToolsActivePort"))
		if port, _, whole := strings.Cut(string(text), "\n"); err == nil && whole {
			c.port = port
			return nil
		}
	}
	return fmt.Errorf("%s did not start within %s", c.cmd.Path, patience)
}

// stop ends all processes of the browser and removes its profile.
func (c *chromium) stop() {
	syscall.Kill(-c.cmd.Process.Pid, syscall.SIGKILL)
	c.cmd.Wait()
	os.RemoveAll(c.dir)
}

// cpu returns the processor time that all processes of the browser have used, those that ended included: whoever waited for them
// has their time.
func (c *chromium) cpu() (time.Duration, error) {
	processes, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil || len(processes) == 0 {
		return 0, fmt.Errorf("counting processor time needs Linux's /proc")
	}
	var ticks int64
	for _, file := range processes {
		stat, err := os.ReadFile(file)
		if err != nil {
			continue // it has ended in the meantime
		}
		group, used := processTimes(stat)
		if group == c.cmd.Process.Pid {
			ticks += used
		}
	}
	const ticksPerSecond = 100 // USER_HZ, on every architecture that Go and Linux share
	return time.Duration(ticks) * time.Second / ticksPerSecond, nil
}

// processTimes reads /proc/PID/stat (man 5 proc): the process group and, in clock ticks, utime, stime, cutime and cstime together.
func processTimes(stat []byte) (group int, ticks int64) {
	const groupField, firstTime, lastTime = 5, 14, 17 // counted from 1; the name, field 2, may hold spaces and brackets
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	field := func(i int) int64 {
		if i-3 >= len(fields) {
			return 0
		}
		n, _ := strconv.ParseInt(string(fields[i-3]), 10, 64)
		return n
	}
	for i := firstTime; i <= lastTime; i++ {
		ticks += field(i)
	}
	return int(field(groupField)), ticks
}
