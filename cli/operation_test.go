package cli

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"io"
	"log/slog"
	"math/big"
	"net"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/common/expfmt"
)

// startServer runs a server until the test ends. configure may change its settings.
func startServer(t *testing.T, configure func(*settings)) *server {
	t.Helper()
	s, stop := launchServer(t, configure)
	t.Cleanup(stop)
	return s
}

// launchServer is startServer for a server that the test ends by stop, as a signal does.
func launchServer(t *testing.T, configure func(*settings)) (s *server, stop func()) {
	t.Helper()
	settings := defaultSettings()
	settings.Listen, settings.MetricsListen, settings.Data = "127.0.0.1:0", "127.0.0.1:0", t.TempDir()
	settings.AllowNetworks = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
	configure(settings)
	s, err := openServer(t.Context(), settings, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	s.level = new(slog.LevelVar)
	s.reread = settings.same
	ctx, signal := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.run(ctx) }()
	return s, func() {
		signal()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
}

func get(t *testing.T, url string) (int, string) {
	t.Helper()
	response, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(body)
}

func TestMetricsAreWhatPrometheusReads(t *testing.T) {
	s := startServer(t, func(*settings) {})
	get(t, s.address()+"/api/v1/openapi.json")
	get(t, s.address()+`/api/v1/no"such\path`)
	operated := "http://" + s.operated.Addr().String()
	status, body := get(t, operated+"/metrics")
	var parser expfmt.TextParser
	families, err := parser.TextToMetricFamilies(strings.NewReader(body))
	if status != http.StatusOK || err != nil {
		t.Fatalf("status %d, %v:\n%s", status, err, body)
	}
	for _, name := range []string{
		"sitegrade_build_info", "sitegrade_http_requests_total", "sitegrade_http_request_duration_seconds", "sitegrade_audits_running", "sitegrade_audits_computing",
		"sitegrade_audits_total", "sitegrade_queue_depth", "sitegrade_queue_age_seconds", "sitegrade_database_size_bytes",
		"sitegrade_database_free_pages", "sitegrade_database_pending_pages", "sitegrade_database_open_transactions",
	} {
		if families[name] == nil {
			t.Errorf("%s is missing", name)
		}
	}
	answers := 0.0
	for _, m := range families["sitegrade_http_requests_total"].GetMetric() {
		answers += m.GetCounter().GetValue()
	}
	if answers != 2 {
		t.Errorf("%v answers were counted, not 2", answers)
	}
	for _, m := range families["sitegrade_http_request_duration_seconds"].GetMetric() {
		buckets := m.GetHistogram().GetBucket()
		if last := buckets[len(buckets)-1]; last.GetCumulativeCount() != m.GetHistogram().GetSampleCount() {
			t.Errorf("the last bucket has %d of %d", last.GetCumulativeCount(), m.GetHistogram().GetSampleCount())
		}
	}
}

func TestHealth(t *testing.T) {
	s := startServer(t, func(*settings) {})
	for _, base := range []string{s.address(), "http://" + s.operated.Addr().String()} {
		for path, want := range map[string]string{"/livez": `{"status":"alive"}`, "/readyz": `{"status":"ready"}`} {
			if status, body := get(t, base+path); status != http.StatusOK || strings.TrimSpace(body) != want {
				t.Errorf("%s%s: %d %s", base, path, status, body)
			}
		}
	}
	s.health.stop()
	if status, body := get(t, s.address()+"/readyz"); status != http.StatusServiceUnavailable || !strings.Contains(body, "stopping") {
		t.Errorf("a stopping server is %d %s", status, body)
	}
	if status, _ := get(t, s.address()+"/livez"); status != http.StatusOK {
		t.Errorf("a stopping server lives with %d", status)
	}
	if status, _ := get(t, s.address()+"/metrics"); status != http.StatusNotFound {
		t.Errorf("the public port answers /metrics with %d", status)
	}
}

// writeCertificate writes a new certificate for 127.0.0.1 with that serial number, and its key.
func writeCertificate(t *testing.T, dir string, serial int64) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(serial), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	keyDER, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	for name, block := range map[string]*pem.Block{"cert.pem": {Type: "CERTIFICATE", Bytes: der}, "key.pem": {Type: "PRIVATE KEY", Bytes: keyDER}} {
		if err := os.WriteFile(filepath.Join(dir, name), pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// shownSerial returns the serial number of the certificate that the server shows.
func shownSerial(t *testing.T, s *server) int64 {
	t.Helper()
	conn, err := tls.Dial("tcp", s.listener.Addr().String(), &tls.Config{InsecureSkipVerify: true})
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	return conn.ConnectionState().PeerCertificates[0].SerialNumber.Int64()
}

func TestCertificateIsReadAgain(t *testing.T) {
	dir := t.TempDir()
	writeCertificate(t, dir, 1)
	s := startServer(t, func(s *settings) {
		s.TLSCert, s.TLSKey = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
		s.LogLevel = slog.LevelError
	})
	if serial := shownSerial(t, s); serial != 1 {
		t.Errorf("the first certificate has the number %d", serial)
	}
	if !strings.HasPrefix(s.address(), "https://") || s.plainBeyondLoopback() {
		t.Errorf("the address is %s", s.address())
	}
	writeCertificate(t, dir, 2)
	s.reload()
	if serial := shownSerial(t, s); serial != 2 {
		t.Errorf("after reading again the number is %d", serial)
	}
	if s.level.Level() != slog.LevelError {
		t.Errorf("after reading again the log level is %v", s.level.Level())
	}
	if err := os.WriteFile(filepath.Join(dir, "cert.pem"), []byte("not a certificate"), 0o600); err != nil {
		t.Fatal(err)
	}
	s.reload()
	if serial := shownSerial(t, s); serial != 2 {
		t.Errorf("a broken file changed the certificate to %d", serial)
	}
}

func TestServiceManagerIsTold(t *testing.T) {
	path := filepath.Join(t.TempDir(), "notify")
	socket, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: path, Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	defer socket.Close()
	t.Setenv("NOTIFY_SOCKET", path)
	for _, state := range []string{serviceReady, serviceStopping} {
		if err := notifyService(state); err != nil {
			t.Fatal(err)
		}
		told := make([]byte, 100)
		n, err := socket.Read(told)
		if err != nil || string(told[:n]) != state {
			t.Errorf("told %q (%v), not %q", told[:n], err, state)
		}
	}
}

func TestRetentionIsReadAsWritten(t *testing.T) {
	for text, want := range map[string]retention{"": {}, "90d": {age: 90 * 24 * time.Hour}, "1d": {age: 24 * time.Hour}, "5": {reports: 5}} {
		got, err := parseRetention(text)
		if err != nil || got != want || got.String() != text {
			t.Errorf("%q is %v, %q (%v)", text, got, got, err)
		}
	}
	for _, text := range []string{"0", "0d", "-1", "d", "5x", "90 d", "1001", "36501d", "99999999999999999999"} {
		if got, err := parseRetention(text); err == nil {
			t.Errorf("%q is read as %v", text, got)
		}
	}
}

// same returns s, as a configuration that has not changed.
func (s *settings) same() (*settings, error) { return s, nil }
