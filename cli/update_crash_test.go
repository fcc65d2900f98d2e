package cli

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// killedAt starts an update and kills it with SIGKILL as soon as it has printed a line with this text; whole reports that it ended before.
// each is called with each line that it prints.
func (p *program) killedAt(line, from string, each func()) (output string, whole bool) {
	p.t.Helper()
	process := exec.Command(p.path, "update", "-from", from, "-data", p.data)
	read, write, err := os.Pipe()
	if err != nil {
		p.t.Fatal(err)
	}
	process.Stdout, process.Stderr = write, write
	if err := process.Start(); err != nil {
		p.t.Fatal(err)
	}
	if err := write.Close(); err != nil {
		p.t.Fatal(err)
	}
	lines := bufio.NewScanner(read)
	for lines.Scan() {
		output += lines.Text() + "\n"
		if strings.Contains(lines.Text(), line) {
			_ = process.Process.Kill() // says so when it has ended
			break
		}
		each()
	}
	whole = process.Wait() == nil
	_, _ = io.Copy(io.Discard, read) // until the last of its children has ended too
	return output, whole
}

// TestKilledUpdate kills an update after each of its steps, while a server runs that is written to, and where none runs. One version or the other
// is there afterwards, whole, with all that was acknowledged, and the next update succeeds.
func TestKilledUpdate(t *testing.T) {
	from := publish(t, newer, programOf(t, newer))
	p := installed(t)
	p.start("-wait", "0")
	var made []string
	create := func() { made = append(made, p.create(fmt.Sprintf(closedPort+"%d", len(made)))) }
	for _, line := range []string{"its signature holds", "its sum is the signed one", "The copy is at", "a copy of the data: check",
		"a copy of the data: serve", "Installed", "still " + older} {
		output, _ := p.killedAt(line, from, create)
		switch version := p.version(); {
		case version == newer && strings.Contains(output, "a copy of the data: serve"):
			if err := os.Rename(p.path+".previous", p.path); err != nil { // for the next round
				t.Error(err)
			}
		case version != older:
			t.Errorf("killed at %q the program is %s:\n%s", line, version, output)
		}
		p.check()
	}
	if output, whole := p.killedAt("never", from, create); !whole || p.version() != newer {
		t.Errorf("the last update: %s", output)
	}
	if left := p.rooms(); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	p.terminate()
	p.start()
	t.Logf("%d reports were acknowledged", len(made))
	for _, id := range made {
		if status := p.do("GET", "/reports/"+id, "", nil, nil); status != http.StatusOK {
			t.Errorf("the new server responds to %s with %d", id, status)
		}
	}
	p.terminate()
	p.check()
}

// TestKilledUpdateWithoutServer kills an update where no server runs, after it has put the new program in its place.
func TestKilledUpdateWithoutServer(t *testing.T) {
	from := publish(t, newer, programOf(t, newer))
	for _, line := range []string{"Installed", "works with the data"} {
		p := installed(t)
		output, _ := p.killedAt(line, from, func() {})
		if version := p.version(); version != newer {
			t.Errorf("killed at %q the program is %s:\n%s", line, version, output)
		}
		p.check()
		if exported := string(p.export()); strings.Count(exported, `"kind":"report"`) != 1 {
			t.Errorf("killed at %q the data is\n%s", line, exported)
		}
	}
}
