package fetch

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"time"
)

// verifier judges certificates as browsers do, after the connection is made.
type verifier struct {
	roots *x509.CertPool // nil: the system's
	now   func() time.Time
}

// facts returns what a handshake told, nil for a connection without TLS.
func (v verifier) facts(state *tls.ConnectionState, host string) *TLS {
	if state == nil {
		return nil
	}
	found := &TLS{Version: state.Version}
	if len(state.PeerCertificates) == 0 {
		found.Problem = "the server shows no certificate"
		return found
	}
	found.Leaf = state.PeerCertificates[0]
	found.NotAfter = found.Leaf.NotAfter
	found.Problem = v.problem(state.PeerCertificates, host)
	return found
}

// problem returns why browsers would refuse a chain, "" if they would not.
func (v verifier) problem(chain []*x509.Certificate, host string) string {
	leaf := chain[0]
	now := v.now()
	switch {
	case now.After(leaf.NotAfter):
		return "it expired on " + leaf.NotAfter.UTC().Format(time.DateOnly)
	case now.Before(leaf.NotBefore):
		return "it is not valid before " + leaf.NotBefore.UTC().Format(time.DateOnly)
	case leaf.VerifyHostname(host) != nil:
		return "it is not made out for " + host
	}
	intermediates := x509.NewCertPool()
	for _, c := range chain[1:] {
		intermediates.AddCert(c)
	}
	_, err := leaf.Verify(x509.VerifyOptions{Roots: v.roots, Intermediates: intermediates, CurrentTime: now})
	var unknown x509.UnknownAuthorityError
	switch {
	case err == nil:
		return ""
	case errors.As(err, &unknown):
		return "no authority that browsers trust has signed it"
	}
	return "its chain is not valid"
}
