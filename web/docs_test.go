package web

import (
	"bytes"
	"errors"
	"html"
	"image"
	"image/png"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestCommandsOfTheDocumentation pastes every command of the documentation into a shell, those that delete at the end, and holds that each does
// what it says: the ids in them are of something that is there.
func TestCommandsOfTheDocumentation(t *testing.T) {
	if _, err := exec.LookPath("curl"); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal(err)
		}
		t.Skip("needs curl")
	}
	s := newServer(t, Options{})
	project := s.changing(true, false).Project.Name
	page := html.UnescapeString(s.visitor().page("/docs"))
	script, deletes := []string{"set -e"}, []string{}
	for _, found := range regexp.MustCompile(`(?s)<pre class="command"><code>(.*?)</code></pre>`).FindAllStringSubmatch(page, -1) {
		command := strings.NewReplacer("https://example.com/", s.site.URL+"/", `"project":"Example"`, `"project":"`+project+`"`, `"project":"example.com"`, `"project":"`+project+`"`).Replace(found[1])
		told := strings.Replace(command, "curl", "curl -s -o /dev/null -w '%{http_code} '", 1) + "; echo " + strings.ReplaceAll(command, "'", "")
		switch {
		case strings.HasPrefix(command, "export"):
			script = append(script, command)
		case strings.Contains(command, "-X DELETE"):
			deletes = append(deletes, told)
		default:
			script = append(script, told)
		}
	}
	slices.SortStableFunc(deletes, func(x, y string) int { return strings.Count(y, "/") - strings.Count(x, "/") }) // what is within something first
	shell := exec.Command("sh", "-c", strings.Join(append(script, deletes...), "\n"))
	shell.Dir = t.TempDir()
	var logo bytes.Buffer
	if err := errors.Join(png.Encode(&logo, image.NewGray(image.Rect(0, 0, 8, 8))), os.WriteFile(shell.Dir+"/logo.png", logo.Bytes(), 0o600)); err != nil {
		t.Fatal(err)
	}
	shell.Env = append(os.Environ(), "SITEGRADE_KEY="+s.key)
	out, err := shell.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	if len(lines) < 30 {
		t.Fatalf("there are only %d commands:\n%s", len(lines), out)
	}
	for _, line := range lines {
		if !strings.HasPrefix(line, "2") {
			t.Error(line)
		}
	}
}
