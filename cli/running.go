package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path"
	"strings"
)

// about is what a running server says of itself.
type about struct {
	Version string `json:"version"`
	Restart string `json:"restart,omitempty"` // the command that restarts it; "" where nobody knows one
}

func aboutTask(_ context.Context, _ task, s surroundings) error {
	return json.NewEncoder(s.stdout).Encode(about{Version: buildVersion(), Restart: restartCommand()})
}

// restartCommand returns the command that restarts this process where it is the service of a systemd.
func restartCommand() string {
	if os.Getenv("INVOCATION_ID") == "" { // which systemd gives to what it starts
		return ""
	}
	groups, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		return ""
	}
	return restartOf(string(groups))
}

// restartOf returns the command for a process of these control groups (cgroups(7)): "0::/system.slice/sitegrade.service".
func restartOf(groups string) string {
	for line := range strings.Lines(groups) {
		group, _ := strings.CutPrefix(strings.TrimSpace(line), "0::")
		unit := path.Base(group)
		if !strings.HasSuffix(unit, ".service") {
			continue
		}
		if strings.Contains(group, "/user@") {
			return "systemctl --user restart " + shellWord(unit)
		}
		return "sudo systemctl restart " + shellWord(unit)
	}
	return ""
}

// askRunning asks the server that runs on the data directory who it is. runs is false when none runs there.
func (c *console) askRunning(ctx context.Context, data string) (found about, runs bool) {
	conn, err := dialControl(data)
	if err != nil {
		return about{}, false
	}
	var response bytes.Buffer
	quiet := &console{command: c.command, stdout: &response, stderr: io.Discard}
	if err := quiet.performThere(ctx, conn, task{Do: "about"}); err != nil {
		return about{}, true // one that does not know the question, or is about to end
	}
	if err := json.Unmarshal(response.Bytes(), &found); err != nil {
		return about{}, true
	}
	return found, true
}

// sayRestart says what the user is to do for the new version to serve.
func (c *console) sayRestart(running about, data string) {
	version := "still the version before"
	if running.Version != "" {
		version = "still " + running.Version
	}
	how := "stop it (SIGTERM) and start it again"
	if running.Restart != "" {
		how = running.Restart
	}
	fmt.Fprintf(c.stdout, "The server that runs on %s is %s and serves on. To have it replaced: %s\n", data, version, how)
}
