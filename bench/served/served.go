// Package served starts servers and sites in processes of their own, so that what they use is told apart, and talks to a server by its API.
package served

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Start starts a program and returns it with the first line that it prints which begins so.
func Start(prefix, program string, args ...string) (*exec.Cmd, string, error) {
	command := exec.Command(program, args...)
	command.Stderr = os.Stderr
	out, err := command.StdoutPipe()
	if err != nil {
		return nil, "", err
	}
	if err := command.Start(); err != nil {
		return nil, "", err
	}
	var read []byte
	for b := make([]byte, 1); ; {
		if _, err := out.Read(b); err != nil {
			return command, "", fmt.Errorf("%s: %w", program, err)
		}
		if read = append(read, b[0]); b[0] != '\n' {
			continue
		}
		if line := strings.TrimSpace(string(read)); strings.Contains(line, prefix) {
			return command, line[strings.Index(line, prefix):], nil
		}
		read = read[:0]
	}
}

// Server starts a server of the program with its data in a directory, which may audit the pages of this machine, and returns it with its API.
func Server(program, dir string, flags ...string) (*exec.Cmd, API, error) {
	flags = append([]string{"serve", "-listen", "127.0.0.1:0", "-data", dir, "-allow-networks", "127.0.0.0/8", "-log-level", "warn"}, flags...)
	server, base, err := Start("http://", program, flags...)
	if err != nil {
		return server, API{}, err
	}
	key, err := os.ReadFile(filepath.Join(dir, "first-key"))
	if os.IsNotExist(err) {
		err = nil // another server of the database has made it
	}
	return server, API{strings.TrimRight(strings.Fields(base)[0], "/.,") + "/api/v1", strings.TrimSpace(string(key))}, err
}

// API is the API of a server, with a key.
type API struct{ Base, Key string }

// Do sends a form, nil for none, and reads the JSON of the response into shown.
func (a API) Do(method, path string, form url.Values, shown any) error {
	r, err := http.NewRequest(method, a.Base+path, strings.NewReader(form.Encode()))
	if err != nil {
		return err
	}
	r.Header.Set("Authorization", "Bearer "+a.Key)
	if form != nil {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if err := json.NewDecoder(response.Body).Decode(shown); err != nil || response.StatusCode >= 300 {
		return fmt.Errorf("%s %s: the response is %s, %v", method, path, response.Status, err)
	}
	return nil
}
