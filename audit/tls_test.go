package audit

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"sitegrade/fetch"
	"sitegrade/fetch/fetchtest"
	"sitegrade/weburl"
)

// serveTLS starts a server with HTTP/2 and the certificate of httptest, which is made out for example.com and 127.0.0.1.
func serveTLS(t testing.TB, handler http.HandlerFunc) *httptest.Server {
	t.Helper()
	return serveWith(t, handler, &tls.Config{}, true)
}

func serveWith(t testing.TB, handler http.HandlerFunc, config *tls.Config, http2 bool) *httptest.Server {
	t.Helper()
	s := httptest.NewUnstartedServer(handler)
	s.EnableHTTP2 = http2
	s.TLS = config
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.StartTLS()
	t.Cleanup(s.Close)
	return s
}

// authority signs certificates for tests.
type authority struct {
	key         *ecdsa.PrivateKey
	certificate *x509.Certificate
}

func newAuthority(t *testing.T) *authority {
	t.Helper()
	key := newKey(t)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "Test authority"}, IsCA: true, BasicConstraintsValid: true,
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour), KeyUsage: x509.KeyUsageCertSign,
	}
	return &authority{key, sign(t, template, template, key, key)}
}

func newKey(t *testing.T) *ecdsa.PrivateKey {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func sign(t *testing.T, template, parent *x509.Certificate, key, by *ecdsa.PrivateKey) *x509.Certificate {
	t.Helper()
	der, err := x509.CreateCertificate(rand.Reader, template, parent, &key.PublicKey, by)
	if err != nil {
		t.Fatal(err)
	}
	certificate, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	return certificate
}

// issue returns a certificate for 127.0.0.1 and the names, valid between the moments.
func (a *authority) issue(t *testing.T, from, to time.Time, names ...string) tls.Certificate {
	t.Helper()
	key := newKey(t)
	leaf := sign(t, &x509.Certificate{
		SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: "Test"}, NotBefore: from, NotAfter: to,
		DNSNames: names, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}, a.certificate, key, a.key)
	return tls.Certificate{Certificate: [][]byte{leaf.Raw}, PrivateKey: key, Leaf: leaf}
}

func TestCertificates(t *testing.T) {
	trusted, stranger := newAuthority(t), newAuthority(t)
	roots := x509.NewCertPool()
	roots.AddCert(trusted.certificate)
	names := fetchtest.Names(t, map[string]string{"site.example": "127.0.0.1"})
	now := time.Now()
	hour := time.Hour
	tests := []struct {
		name        string
		certificate tls.Certificate
		problem     string
	}{
		{"good", trusted.issue(t, now.Add(-hour), now.Add(hour), "site.example"), ""},
		{"wildcard", trusted.issue(t, now.Add(-hour), now.Add(hour), "*.example"), ""},
		{"expired", trusted.issue(t, now.Add(-2*hour), now.Add(-hour), "site.example"), "it expired on "},
		{"early", trusted.issue(t, now.Add(hour), now.Add(2*hour), "site.example"), "it is not valid before "},
		{"other name", trusted.issue(t, now.Add(-hour), now.Add(hour), "other.example"), "it is not made out for site.example"},
		{"untrusted", stranger.issue(t, now.Add(-hour), now.Add(hour), "site.example"), "no authority that browsers trust has signed it"},
	}
	for _, test := range tests {
		s := serveWith(t, func(w http.ResponseWriter, r *http.Request) { servePage(w, "") },
			&tls.Config{Certificates: []tls.Certificate{test.certificate}}, true)
		a := newAuditorWith(t, fetch.Options{Roots: roots, Resolver: names.Resolver()}, Options{})
		_, port, _ := net.SplitHostPort(s.Listener.Addr().String())
		found, failure := a.fetchPage(allotTo(t, a), weburl.Resolve(nil, "https://site.example:"+port+"/"))
		if failure != nil {
			t.Errorf("%s: %v", test.name, failure)
			continue
		}
		if got := found.TLS.Problem; !strings.HasPrefix(got, test.problem) || (got == "") != (test.problem == "") {
			t.Errorf("%s: the problem is %q", test.name, got)
		}
		if !found.TLS.NotAfter.Equal(test.certificate.Leaf.NotAfter) || found.TLS.Version != tls.VersionTLS13 || found.Proto != "HTTP/2.0" {
			t.Errorf("%s: %+v over %s", test.name, found.TLS, found.Proto)
		}
	}
}

func TestOldTLS(t *testing.T) {
	s := serveWith(t, func(w http.ResponseWriter, r *http.Request) { servePage(w, "") },
		&tls.Config{MinVersion: tls.VersionTLS10, MaxVersion: tls.VersionTLS10}, false)
	report, err := newAuditor(t, Options{}).Audit(t.Context(), weburl.Resolve(nil, s.URL))
	if err != nil {
		t.Fatal(err)
	}
	if got := outcomeOf(t, report, "tls-version").Status; got != Failed {
		t.Errorf("tls-version is %s with TLS 1.0", got)
	}
}

func TestNoHandshake(t *testing.T) {
	refusing := serveWith(t, func(http.ResponseWriter, *http.Request) {}, &tls.Config{
		GetConfigForClient: func(*tls.ClientHelloInfo) (*tls.Config, error) { return nil, io.ErrUnexpectedEOF },
	}, true)
	plain := serve(t, func(http.ResponseWriter, *http.Request) {})
	closing, _ := fetchtest.Canary(t)
	a := newAuditor(t, Options{})
	for _, address := range []string{refusing.URL, strings.Replace(plain.URL, "http:", "https:", 1), "https://127.0.0.1:" + closing} {
		if code := fetchCode(t, a, address); code != fetch.CodeTLS {
			t.Errorf("%s: %q", address, code)
		}
	}
}

func TestTimings(t *testing.T) {
	s := serveTLS(t, func(w http.ResponseWriter, r *http.Request) { servePage(w, "<title>x</title>") })
	names := fetchtest.Names(t, map[string]string{"site.example": "127.0.0.1"})
	a := newAuditorWith(t, fetch.Options{Resolver: names.Resolver()}, Options{SiteRequests: -1, Samples: -1})
	_, port, _ := net.SplitHostPort(s.Listener.Addr().String())
	for range 2 { // the second finds nothing of the first: neither a connection nor a name
		report, err := a.Audit(t.Context(), weburl.Resolve(nil, "https://site.example:"+port+"/"))
		if err != nil {
			t.Fatal(err)
		}
		for name, phase := range map[string]float64{
			"dns": report.Timings.DNS, "connect": report.Timings.Connect, "tls": report.Timings.TLS,
			"ttfb": report.Timings.TTFB, "document": report.Timings.Document, "total": report.Timings.Total,
		} {
			if phase <= 0 {
				t.Errorf("%s took %v ms", name, phase)
			}
		}
	}
}
