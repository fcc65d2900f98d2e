package cli

import (
	"bytes"
	"crypto/tls"
	"errors"
	"log/slog"
	"strings"
	"testing"

	"golang.org/x/crypto/acme/autocert"
)

func TestCertificatesOfAnAuthorityAreConfigured(t *testing.T) {
	t.Setenv("SITEGRADE_ACME_EMAIL", "webmaster@example.com")
	s, _, err := configured(t, `acme_hosts = ["seo.example.com", "Bücher.example"]`, "-acme-directory", "https://localhost:14000/dir")
	if err != nil {
		t.Fatal(err)
	}
	if strings.Join(s.ACMEHosts, " ") != "seo.example.com Bücher.example" || s.ACMEDirectory != "https://localhost:14000/dir" || s.ACMEEmail != "webmaster@example.com" {
		t.Errorf("read as %q, %q and %q", s.ACMEHosts, s.ACMEDirectory, s.ACMEEmail)
	}
	if config, _, err := s.tlsConfig(); config == nil || err != nil {
		t.Errorf("no TLS: %v", err)
	}
}

func TestAuthorityIsLetsEncryptByDefault(t *testing.T) {
	if s := defaultSettings(); s.ACMEDirectory != autocert.DefaultACMEDirectory {
		t.Errorf("it is %s", s.ACMEDirectory)
	}
}

func TestCertificateErrorsNameTheOption(t *testing.T) {
	tests := []struct {
		option, want string
		texts        []string
	}{
		{"acme_hosts", "is not the name of a host such as seo.example.com", []string{
			"https://seo.example.com", "seo.example.com:443", "*.example.com", "localhost", "192.0.2.1", "2001:db8::1", "seo..example.com",
			"seo.example.com.", "seo_1.example.com", "seo.example.com, b"}},
		{"acme_directory", "is not an https address of a directory such as https://acme-staging-v02.api.letsencrypt.org/directory", []string{
			"", "http://localhost:14000/dir", "localhost:14000/dir", "https://", "https:///dir", "https://me@localhost/dir", "https://local host/dir"}},
		{"acme_email", "is not an e-mail address such as webmaster@example.com", []string{
			"webmaster", "Me <me@example.com>", "mailto:me@example.com", "a@example.com, b@example.com", " me@example.com"}},
	}
	for _, test := range tests {
		for _, text := range test.texts {
			_, _, err := configured(t, test.option+` = "`+text+`"`)
			if err == nil || exitStatus(err) != statusUsage || !strings.Contains(err.Error(), "sitegrade.toml:1: "+test.option+": ") || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%s %q: %v, want ... %s", test.option, text, err, test.want)
			}
		}
	}
}

func TestCertificateOptionsGoTogether(t *testing.T) {
	for want, args := range map[string][]string{
		"acme_directory: no certificate is asked for without acme_hosts": {"-acme-directory", "https://localhost:14000/dir"},
		"acme_email: no certificate is asked for without acme_hosts":     {"-acme-email", "webmaster@example.com"},
		"acme_hosts: the certificate comes from tls_cert already":        {"-acme-hosts", "seo.example.com", "-tls-cert", "c.pem", "-tls-key", "k.pem"},
		"tls_cert and tls_key: one needs the other":                      {"-tls-cert", "c.pem"},
	} {
		s, _, err := configured(t, "", args...)
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := s.tlsConfig(); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v: %v, want %s", args, err, want)
		}
	}
	if config, _, err := defaultSettings().tlsConfig(); config != nil || err != nil {
		t.Errorf("the default is not plain HTTP: %v", err)
	}
}

// TestMissingCertificatesAreLogged asks for certificates that the authority does not give.
func TestMissingCertificatesAreLogged(t *testing.T) {
	var log bytes.Buffer
	refused := getCertificate(func(*tls.ClientHelloInfo) (*tls.Certificate, error) {
		return nil, errors.New("refused by the authority")
	})
	get := refused.warning([]string{"seo.example.com"}, slog.New(slog.NewTextHandler(&log, nil)))
	for _, name := range []string{"stranger.example", "SEO.example.com", "seo.example.com"} {
		if _, err := get(&tls.ClientHelloInfo{ServerName: name}); err == nil {
			t.Errorf("%s has a certificate", name)
		}
	}
	if text := log.String(); strings.Count(text, "refused by the authority") != 1 || strings.Contains(text, "stranger") {
		t.Errorf("the log is %s", text)
	}
}
