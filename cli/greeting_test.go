package cli

import (
	"io"
	"os/exec"
	"testing"
)

// TestCurlLineReadsTheKeyInAnyShell returns the line to a shell whose curl prints its arguments.
func TestCurlLineReadsTheKeyInAnyShell(t *testing.T) {
	for _, dir := range []string{"data", "with space", "it's", "$HOME", "ünï", "-data"} {
		path := t.TempDir() + "/" + dir
		if err := writeWhole(path, 0o600, func(w io.Writer) error { _, err := w.Write([]byte("sg_secret\n")); return err }); err != nil {
			t.Fatal(err)
		}
		script := `curl() { for a; do echo "[$a]"; done; }; ` + curlLine(readByShell(path), "http://127.0.0.1:8080")
		got, err := exec.Command("sh", "-c", script).CombinedOutput()
		want := "[-H]\n[Authorization: Bearer sg_secret]\n[-d]\n[url=https://example.com/]\n[http://127.0.0.1:8080/api/v1/reports]\n"
		if err != nil || string(got) != want {
			t.Errorf("%s: %v\n%s", path, err, got)
		}
	}
}

func TestShellWord(t *testing.T) {
	for word, want := range map[string]string{
		"./data/first-key": "./data/first-key", "": "''", "a b": "'a b'", "it's": `'it'\''s'`, "-x": "'-x'", "~": "'~'", "http://[::1]:80": "'http://[::1]:80'",
	} {
		if got := shellWord(word); got != want {
			t.Errorf("%q: %s, want %s", word, got, want)
		}
		out, err := exec.Command("sh", "-c", "printf %s "+shellWord(word)).Output()
		if err != nil || string(out) != word {
			t.Errorf("%q comes out as %q, %v", word, out, err)
		}
	}
}
