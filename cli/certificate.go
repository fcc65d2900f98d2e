package cli

import (
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/mail"
	"net/netip"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/crypto/acme"
	"golang.org/x/crypto/acme/autocert"
	"golang.org/x/net/idna"
	"golang.org/x/time/rate"
)

// certificate is a certificate from files, which can be read again while the server runs.
type certificate struct {
	certFile, keyFile string
	current           atomic.Pointer[tls.Certificate]
}

// load reads the files. On an error the earlier certificate stays.
func (c *certificate) load() error {
	loaded, err := tls.LoadX509KeyPair(c.certFile, c.keyFile)
	if err != nil {
		return fmt.Errorf("the certificate of tls_cert and tls_key cannot be used: %w", err)
	}
	c.current.Store(&loaded)
	return nil
}

func (c *certificate) get(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	return c.current.Load(), nil
}

// tlsConfig returns how the port speaks TLS: nil for plain HTTP. The certificate is nil unless it comes from files.
func (s *settings) tlsConfig() (*tls.Config, *certificate, error) {
	if err := s.unusedACME(); err != nil {
		return nil, nil, err
	}
	switch {
	case (s.TLSCert == "") != (s.TLSKey == ""):
		return nil, nil, errors.New("tls_cert and tls_key: one needs the other")
	case s.TLSCert != "" && len(s.ACMEHosts) > 0:
		return nil, nil, errors.New("acme_hosts: the certificate comes from tls_cert already, take one of the two away")
	case s.TLSCert != "":
		c := &certificate{certFile: s.TLSCert, keyFile: s.TLSKey}
		config := &tls.Config{MinVersion: tls.VersionTLS12, GetCertificate: c.get, NextProtos: []string{"h2", "http/1.1"}}
		return config, c, c.load()
	case len(s.ACMEHosts) > 0:
		return s.acmeConfig(), nil, nil
	}
	return nil, nil, nil
}

// unusedACME says which option waits for acme_hosts in vain: who gives one wants certificates, and would serve without them.
func (s *settings) unusedACME() error {
	switch {
	case len(s.ACMEHosts) > 0:
		return nil
	case s.ACMEDirectory != autocert.DefaultACMEDirectory:
		return errors.New("acme_directory: no certificate is asked for without acme_hosts: name the hosts there, or take this away")
	case s.ACMEEmail != "":
		return errors.New("acme_email: no certificate is asked for without acme_hosts: name the hosts there, or take this away")
	}
	return nil
}

// acmeConfig gets certificates from the authority for acme_hosts alone, and renews them. The authority asks on port 443 itself
// (TLS-ALPN-01, RFC 8737), so that no second port is needed.
func (s *settings) acmeConfig() *tls.Config {
	manager := &autocert.Manager{
		Prompt:     autocert.AcceptTOS,
		HostPolicy: autocert.HostWhitelist(s.ACMEHosts...),
		Cache:      autocert.DirCache(s.certificateCache()),
		Client:     &acme.Client{DirectoryURL: s.ACMEDirectory, HTTPClient: &http.Client{Timeout: bodyTimeout}},
		Email:      s.ACMEEmail,
	}
	config := manager.TLSConfig()
	config.MinVersion = tls.VersionTLS12
	return config
}

// certificateWarning is how often the log tells at most that the authority gives no certificate: each visitor's connection asks anew.
const certificateWarning = time.Minute

// getCertificate is how TLS asks for the certificate of a connection.
type getCertificate func(*tls.ClientHelloInfo) (*tls.Certificate, error)

// warning returns get with a line in the log where it fails for one of the hosts. For other names it fails on purpose.
func (get getCertificate) warning(hosts []string, log *slog.Logger) getCertificate {
	sometimes := &rate.Sometimes{Interval: certificateWarning}
	own := map[string]bool{}
	for _, host := range hosts {
		if ascii, err := idna.Lookup.ToASCII(host); err == nil {
			own[ascii] = true
		}
	}
	return func(hello *tls.ClientHelloInfo) (*tls.Certificate, error) {
		certificate, err := get(hello)
		if err != nil && own[strings.ToLower(hello.ServerName)] {
			sometimes.Do(func() {
				log.Warn("no certificate for a host of acme_hosts: its name must lead here, and the authority must reach port 443", "host", hello.ServerName, "error", err)
			})
		}
		return certificate, err
	}
}

// certificatesName is the directory of certificates in the data directory.
const certificatesName = "certificates"

// certificateCache returns the directory of the certificates and of the account. Each authority has its own: after a change from one for
// tests to the real one, a certificate that no browser trusts would else be shown until it runs out.
func (s *settings) certificateCache() string {
	return filepath.Join(s.Data, certificatesName, url.QueryEscape(strings.TrimPrefix(s.ACMEDirectory, "https://")))
}

// certifiedHostsValue refuses what autocert would leave out without a word.
func certifiedHostsValue(to *[]string) value {
	list := listValue(to)
	return value{
		set: func(s string) error {
			for _, host := range splitList(s) {
				if !canBeCertified(host) {
					return fmt.Errorf("%q is not the name of a host such as seo.example.com", host)
				}
			}
			return list.set(s)
		},
		get: list.get,
	}
}

// canBeCertified reports whether host is a name with a dot that visitors can send: no number, no pattern, no port.
func canBeCertified(host string) bool {
	ascii, err := idna.Lookup.ToASCII(host)
	labels := strings.Split(ascii, ".")
	_, notNumber := netip.ParseAddr(ascii)
	return err == nil && notNumber != nil && len(labels) > 1 && !slices.Contains(labels, "")
}

// authorityValue takes the address of an authority's directory, which is to be trusted and so never comes over plain HTTP.
func authorityValue(to *string) value {
	return value{
		set: func(s string) error {
			u, err := url.Parse(s)
			if err != nil || u.Scheme != "https" || u.Hostname() == "" || u.User != nil || u.Fragment != "" {
				return fmt.Errorf("%q is not an https address of a directory such as https://acme-staging-v02.api.letsencrypt.org/directory", s)
			}
			*to = s
			return nil
		},
		get: func() string { return *to },
	}
}

func emailValue(to *string) value {
	return value{
		set: func(s string) error {
			if read, err := mail.ParseAddress(s); s != "" && (err != nil || read.Address != s) {
				return fmt.Errorf("%q is not an e-mail address such as webmaster@example.com", s)
			}
			*to = s
			return nil
		},
		get: func() string { return *to },
	}
}
