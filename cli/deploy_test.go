package cli

import (
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/oasdiff/yaml"
)

// serversDir has what starts several servers with their database.
const serversDir = "../deploy/servers"

// composition is what compose.yaml says, as far as this test holds it against other files.
type composition struct {
	Services map[string]struct {
		Image       string
		Environment map[string]string
		Volumes     []string
		Secrets     []struct{ Source, Target string }
		Networks    map[string]struct {
			Address string `json:"ipv4_address"`
		}
	}
	Networks map[string]struct {
		IPAM struct{ Config []struct{ Subnet string } }
	}
	Secrets, Volumes map[string]any
}

// TestCompositionOfServers holds that the servers of deploy/servers are started with options that there are, that Caddy knows all of them and is
// the only one whose headers they trust, and that whatever is named is there.
func TestCompositionOfServers(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(serversDir, "compose.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var c composition
	if _, err := yaml.Unmarshal(text, &c, yaml.DecodeOpts{}); err != nil {
		t.Fatal(err)
	}
	options := map[string]option{}
	for _, o := range defaultSettings().options() {
		options["SITEGRADE_"+strings.ToUpper(o.name)] = o
	}
	var servers []string
	for name, service := range c.Services {
		for _, volume := range service.Volumes {
			source, _, _ := strings.Cut(volume, ":")
			_, named := c.Volumes[source]
			if _, err := os.Stat(filepath.Join(serversDir, source)); !named && err != nil {
				t.Errorf("%s mounts %s: %v", name, source, err)
			}
		}
		if service.Image != "sitegrade" {
			continue
		}
		servers = append(servers, name+":8080")
		for variable, value := range service.Environment {
			value = os.Expand(value, func(string) string { return "example.com" })
			if o, known := options[variable]; !known {
				t.Errorf("%s has the variable %s, which is no option", name, variable)
			} else if err := o.value.set(value); err != nil {
				t.Errorf("%s has the %s %q: %v", name, variable, value, err)
			}
		}
		if trusted, caddy := service.Environment["SITEGRADE_TRUSTED_PROXIES"], c.Services["caddy"].Networks["default"].Address; trusted != caddy+"/32" {
			t.Errorf("%s trusts %s, not Caddy at %s", name, trusted, caddy)
		}
		if len(service.Secrets) != 1 || service.Secrets[0].Target != "/data/"+cookieSecretName || c.Secrets[service.Secrets[0].Source] == nil {
			t.Errorf("%s has the secrets %v", name, service.Secrets)
		}
	}
	slices.Sort(servers)
	caddyfile, err := os.ReadFile(filepath.Join(serversDir, "Caddyfile"))
	if err != nil {
		t.Fatal(err)
	}
	proxied := regexp.MustCompile(`reverse_proxy (.*) \{`).FindSubmatch(caddyfile)
	if proxied == nil || string(proxied[1]) != strings.Join(servers, " ") || len(servers) != 3 {
		t.Errorf("Caddy has %q, and the servers are %v", proxied, servers)
	}
	if !strings.Contains(string(caddyfile), "health_uri /readyz\n") || !new(health).answers("/readyz") {
		t.Error("Caddy does not ask whether servers are ready")
	}
	for _, program := range []string{"start", "primary.sh"} {
		if info, err := os.Stat(filepath.Join(serversDir, program)); err != nil || runtime.GOOS != "windows" && info.Mode()&0o100 == 0 {
			t.Errorf("%s cannot be run: %v", program, err)
		}
	}
}
