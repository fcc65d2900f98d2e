package cli

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
)

const exampleFile = "../config.example.toml"

// example returns the commented options of config.example.toml as "name = value" lines.
func example(t *testing.T) []string {
	t.Helper()
	b, err := os.ReadFile(exampleFile)
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, match := range regexp.MustCompile(`(?m)^#([a-z_]+ = .*)$`).FindAllSubmatch(b, -1) {
		lines = append(lines, string(match[1]))
	}
	return lines
}

func TestExampleHasEveryOptionInOrder(t *testing.T) {
	var want, got []string
	for _, o := range defaultSettings().options() {
		want = append(want, o.name)
	}
	for _, line := range example(t) {
		name, _, _ := strings.Cut(line, " ")
		got = append(got, name)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("the example has the options\n%v, the code has\n%v", got, want)
	}
}

func TestExampleHasTheDefaults(t *testing.T) {
	assignments, err := parseConfig(exampleFile, []byte(strings.Join(example(t), "\n")))
	if err != nil {
		t.Fatal(err)
	}
	defaults := defaultSettings().options()
	s := &settings{}
	options := s.options()
	if err := assign(options, assignments); err != nil {
		t.Fatal(err)
	}
	for i, o := range options {
		if got, want := o.value.get(), defaults[i].value.get(); got != want {
			t.Errorf("%s is %q in the example and %q in the code", o.name, got, want)
		}
	}
}

// TestDefaultsCanBeWritten holds every default against the reader of its own option.
func TestDefaultsCanBeWritten(t *testing.T) {
	for _, o := range defaultSettings().options() {
		text := o.value.get()
		if err := o.value.set(text); err != nil {
			t.Errorf("the default of %s: %v", o.name, err)
		}
		if again := o.value.get(); again != text {
			t.Errorf("the default of %s becomes %q from %q", o.name, again, text)
		}
	}
}

// configured runs configure with a file of this content.
func configured(t *testing.T, file string, args ...string) (*settings, []string, error) {
	t.Helper()
	if file != "" {
		path := filepath.Join(t.TempDir(), "sitegrade.toml")
		if err := os.WriteFile(path, []byte(file), 0o600); err != nil {
			t.Fatal(err)
		}
		args = append([]string{"-config", path}, args...)
	}
	c := &console{command: command{name: "serve"}, stdout: &bytes.Buffer{}}
	fs := flag.NewFlagSet("serve", flag.ContinueOnError)
	fs.SetOutput(&bytes.Buffer{})
	return c.configure(fs, allOptions, args)
}

func TestFlagsBeatTheEnvironmentWhichBeatsTheFile(t *testing.T) {
	t.Setenv("SITEGRADE_WORKERS", "2")
	t.Setenv("SITEGRADE_RATE_LIMIT", "20")
	t.Setenv("SITEGRADE_WAIT", "") // counts as absent
	t.Setenv("SITEGRADE_ALLOW_NETWORKS", "10.1.2.3/8, ::1")
	s, operands, err := configured(t, "workers = 3\nrate_limit = 30\nwait = \"3s\"\nmax_redirects = 3\ncors_origins = [\"https://a.example\", \"https://b.example\"]\n",
		"first", "-workers", "1", "second", "-audit-external-links")
	if err != nil {
		t.Fatal(err)
	}
	if s.Workers != 1 || s.RateLimit != 20 || s.Wait.String() != "3s" || s.MaxRedirects != 3 || !s.AuditExternalLinks {
		t.Errorf("%+v", s)
	}
	if got := strings.Join(operands, " "); got != "first second" {
		t.Errorf("operands: %s", got)
	}
	if len(s.AllowNetworks) != 2 || s.AllowNetworks[0].String() != "10.0.0.0/8" || s.AllowNetworks[1].String() != "::1/128" {
		t.Errorf("networks: %v", s.AllowNetworks)
	}
	if strings.Join(s.CORSOrigins, " ") != "https://a.example https://b.example" {
		t.Errorf("origins: %v", s.CORSOrigins)
	}
}

func TestFileIsNamedByTheEnvironment(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.toml")
	if err := os.WriteFile(path, []byte("workers = 7"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("SITEGRADE_CONFIG", path)
	s, _, err := configured(t, "")
	if err != nil || s.Workers != 7 {
		t.Errorf("%+v, %v", s, err)
	}
}

func TestConfigErrors(t *testing.T) {
	tests := []struct{ file, want string }{
		{"\n\nwrokers = 3", "sitegrade.toml:3: wrokers: there is no such option"},
		{"workers = 3\n[server]\nlisten = \":80\"", "sitegrade.toml:2: server: options stand at the top of the file, not in tables"},
		{"workers = \"many\"", "sitegrade.toml:1: workers: \"many\" is not a whole number from 1 to 1000"},
		{"workers = 0", "sitegrade.toml:1: workers: \"0\" is not a whole number from 1 to 1000"},
		{"wait = 30", "sitegrade.toml:1: wait: \"30\" is not a duration such as 30s, 5m or 1h30m"},
		{"wait = \"2m\"", "sitegrade.toml:1: wait: \"2m\" is not from 0s to 1m"},
		{"wait = 1.5", "sitegrade.toml:1: wait: the value must be a text, a whole number, true, false or a list of texts"},
		{"allow_networks = [1]", "sitegrade.toml:1: allow_networks: element 1 of the list is not a text without commas"},
		{"allow_networks = [\"10.0.0.0/33\"]", "sitegrade.toml:1: allow_networks: \"10.0.0.0/33\" is not a network such as 10.0.0.0/8 or fd00::/8"},
		{"max_size = \"10 apples\"", "sitegrade.toml:1: max_size: \"10 apples\" is not a size such as 4096, 500kB or 10MiB"},
		{"audit_max_size = 0", "sitegrade.toml:1: audit_max_size: \"0\" is less than 1"},
		{"listen = \"8080\"", "sitegrade.toml:1: listen: \"8080\" is not an address with a port such as 127.0.0.1:8080 or :8080"},
		{"listen = \":http\"", "sitegrade.toml:1: listen: \":http\" has no port from 0 to 65535"},
		{"base_url = \"example.com\"", "sitegrade.toml:1: base_url: \"example.com\" is not an address such as https://sitegrade.example.com"},
		{"log_level = \"loud\"", "sitegrade.toml:1: log_level: \"loud\" is not debug, info, warn or error"},
		{"audit_external_links = \"perhaps\"", "sitegrade.toml:1: audit_external_links: \"perhaps\" is not true or false"},
		{"workers = 3\nworkers = 4", "sitegrade.toml:2:1: key workers is already defined"},
		{"workers =", "sitegrade.toml:1:9: "},
	}
	for _, test := range tests {
		_, _, err := configured(t, test.file)
		if err == nil || !strings.Contains(err.Error(), test.want) || exitStatus(err) != statusUsage {
			t.Errorf("%q: %v, want %s", test.file, err, test.want)
		}
	}
}

func TestConfigErrorsNameTheirSource(t *testing.T) {
	if _, _, err := configured(t, "", "-wait", "long"); err == nil || !strings.Contains(err.Error(), `-wait: "long" is not a duration`) {
		t.Error(err)
	}
	if _, _, err := configured(t, "", "-config", "/no/such/file"); err == nil || !strings.Contains(err.Error(), "/no/such/file") {
		t.Error(err)
	}
	t.Setenv("SITEGRADE_WAIT", "long")
	if _, _, err := configured(t, ""); err == nil || !strings.Contains(err.Error(), `SITEGRADE_WAIT: "long" is not a duration`) {
		t.Error(err)
	}
}

func TestSizes(t *testing.T) {
	tests := []struct {
		text  string
		bytes int64
		again string
	}{
		{"0", 0, "0"}, {"4096", 4096, "4KiB"}, {"10MiB", 10 << 20, "10MiB"}, {"1.5 GiB", 3 << 29, "1536MiB"},
		{"500kB", 500_000, "500000"}, {"2GB", 2_000_000_000, "1953125KiB"}, {"7B", 7, "7"}, {"1TiB", 1 << 40, "1TiB"},
	}
	for _, test := range tests {
		got, err := parseSize(test.text)
		if err != nil || got != test.bytes || formatSize(got) != test.again {
			t.Errorf("%s is %d, %v and again %s", test.text, got, err, formatSize(got))
		}
	}
	for _, text := range []string{"", "-1", "MiB", "10 XB", "NaN", "Inf", "9000000000000000000GiB", "0x10p4zz"} {
		if n, err := parseSize(text); err == nil {
			t.Errorf("%q is %d", text, n)
		}
	}
}

// FuzzConfig holds that no file makes the reader panic, and that what it accepts can be assigned or is refused with a line.
func FuzzConfig(f *testing.F) {
	for _, seed := range []string{"workers = 3", "a.b = 1\n[c]\nd = 2", "x = [[1]]", "\"\" = 1", "wait = 1979-05-27", "'a\nb' = 3", "a = {b = 1}"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		assignments, err := parseConfig("f.toml", b)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "f.toml:") {
				t.Errorf("an error without its place: %v", err)
			}
			return
		}
		if err := assign(defaultSettings().options(), assignments); err != nil && !strings.HasPrefix(err.Error(), "f.toml:") {
			t.Errorf("an error without its place: %v", err)
		}
	})
}
