package cli

import (
	"crypto/tls"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"sync/atomic"

	"golang.org/x/crypto/acme"
	"golang.org/x/crypto/acme/autocert"
)

// certificateCache is the directory of certificates from ACME, in that of the data.
const certificateCache = "certificates"

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

// tlsConfig gives how the port speaks TLS: nil for plain HTTP. The certificate is nil unless it comes from files.
func (s *settings) tlsConfig() (*tls.Config, *certificate, error) {
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

// acmeConfig gets certificates from Let's Encrypt for acme_hosts alone, and renews them. The authority asks on port 443 itself
// (TLS-ALPN-01, RFC 8737), so that no second port is needed.
func (s *settings) acmeConfig() *tls.Config {
	manager := &autocert.Manager{
		Prompt:     autocert.AcceptTOS,
		HostPolicy: autocert.HostWhitelist(s.ACMEHosts...),
		Cache:      autocert.DirCache(filepath.Join(s.Data, certificateCache)),
		Client:     &acme.Client{DirectoryURL: autocert.DefaultACMEDirectory, HTTPClient: &http.Client{Timeout: bodyTimeout}},
	}
	config := manager.TLSConfig()
	config.MinVersion = tls.VersionTLS12
	return config
}
