package cli

import (
	"fmt"
	"io"
	"net"
	"net/netip"
	"net/url"
	"strings"

	"sitegrade/api"
	"sitegrade/terminal"
)

// greet says where the server is and how to make the first report.
func (s *server) greet(w io.Writer) {
	paint := terminal.StyleFor(w).Paint
	address := s.address()
	fmt.Fprintf(w, "\n  %s serves %s, data in %s\n", paint("Sitegrade", terminal.Bold), paint(address, terminal.Bold), s.settings.place())
	if s.key != "" {
		fmt.Fprintf(w, "\n  A report of a page:\n\n    %s\n\n  Or open %s/ and sign in with the key.\n\n", curlLine(s.key, address), address)
	} else if s.settings.Database == "" {
		fmt.Fprintf(w, "\n  To use it, make an API key:\n\n    sitegrade keys create -data %s\n\n", shellWord(s.settings.Data))
	} else {
		fmt.Fprint(w, "\n  To use it, take the key of the first server, or make one, with the same database:\n\n    sitegrade keys create\n\n")
	}
	if !terminal.IsTerminal(w) { // where the log has other readers
		s.log.Info("serving", "address", address, "data", s.settings.place(), "version", buildVersion(), "workers", s.settings.Workers, "base_url", s.settings.BaseURL)
	}
	if s.plainBeyondLoopback() {
		s.log.Warn("this address is reachable from other machines by plain HTTP, where keys can be read on the way: set tls_cert or acme_hosts, or put a reverse proxy with HTTPS before it and name its address as base_url")
	}
}

// place says where the data is, without what opens it.
func (s *settings) place() string {
	if s.Database == "" {
		return s.Data
	}
	if u, err := url.Parse(s.Database); err == nil && u.Host != "" {
		return "PostgreSQL at " + u.Host + u.Path
	}
	return "PostgreSQL"
}

// address returns where the server can be reached from this machine.
func (s *server) address() string {
	bound := s.boundAddress()
	host := bound.Addr()
	if host.IsUnspecified() {
		host = netip.MustParseAddr("127.0.0.1")
	}
	if !s.encrypted {
		return "http://" + netip.AddrPortFrom(host, bound.Port()).String()
	}
	if hosts := s.settings.ACMEHosts; len(hosts) > 0 && bound.Port() == 443 {
		return "https://" + hosts[0]
	}
	return "https://" + netip.AddrPortFrom(host, bound.Port()).String()
}

func (s *server) boundAddress() netip.AddrPort {
	return s.listener.Addr().(*net.TCPAddr).AddrPort()
}

func (s *server) plainBeyondLoopback() bool {
	return !s.encrypted && !s.boundAddress().Addr().Unmap().IsLoopback() && !strings.HasPrefix(s.settings.BaseURL, "https://")
}

// curlLine returns a line for a shell that makes a report of a page. key is what the shell reads the key from.
func curlLine(key, address string) string {
	return `curl -H "Authorization: Bearer ` + key + `" -d url=https://example.com/ ` + shellWord(address+api.Base+"/reports")
}

// readByShell returns what a shell replaces by the content of the file.
func readByShell(path string) string { return "$(cat " + shellWord(path) + ")" }

// shellWord quotes a word for a POSIX shell where it needs that.
func shellWord(s string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("/._-:", r)
	}
	if s != "" && strings.TrimFunc(s, plain) == "" && s[0] != '-' {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
