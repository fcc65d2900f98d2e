package acme

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/letsencrypt/pebble/v2/wfe"

	"sitegrade/cli"
)

// asProduct makes the test binary the product, whose main function does no more than TestMain. A binary that the test builds would do
// too, but "go test" would not see when that changes, and show an earlier result.
const asProduct = "ACME_TEST_AS_PRODUCT"

func TestMain(m *testing.M) {
	if os.Getenv(asProduct) != "" {
		os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

// product is a running server.
type product struct {
	process *exec.Cmd
	address string // 127.0.0.1 and its port
	stderr  bytes.Buffer
}

var servesLine = regexp.MustCompile(`serves https://(\S+), data`)

// startProduct starts the server on a free port. It is killed at the end of the test unless it was stopped.
func startProduct(t *testing.T, data string, a *authority) *product {
	t.Helper()
	p := &product{process: exec.Command(os.Args[0], "serve", "-listen", "127.0.0.1:0", "-data", data, "-log-level", "debug",
		"-acme-hosts", certified, "-acme-directory", a.front.URL+wfe.DirectoryPath, "-acme-email", email)}
	p.process.Env = []string{asProduct + "=1", "SSL_CERT_FILE=" + a.rootFile}
	p.process.Stderr = &p.stderr
	stdout, err := p.process.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.process.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = p.process.Process.Kill() // it has ended where the test went well
		_ = p.process.Wait()
		if t.Failed() {
			t.Logf("the server said:\n%s", p.stderr.String())
		}
	})
	for lines := bufio.NewScanner(stdout); lines.Scan(); {
		if match := servesLine.FindStringSubmatch(lines.Text()); match != nil {
			p.address = match[1]
			return p
		}
	}
	t.Fatal("the server did not start")
	return nil
}

func (p *product) port(t *testing.T) int {
	t.Helper()
	_, text, err := net.SplitHostPort(p.address)
	if err != nil {
		t.Fatal(err)
	}
	port, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	return port
}

// get asks the server by this name, as a visitor who trusts only these roots and has no connection yet.
func (p *product) get(host string, roots *x509.CertPool) (*http.Response, error) {
	here := func(ctx context.Context, network, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, network, p.address)
	}
	client := &http.Client{Timeout: time.Minute, Transport: &http.Transport{
		DialContext: here, DisableKeepAlives: true, TLSClientConfig: &tls.Config{RootCAs: roots},
	}}
	return client.Get("https://" + host + "/livez")
}

// alive holds that the server answers over HTTPS, and gives the certificate that it shows.
func (p *product) alive(t *testing.T, roots *x509.CertPool) *x509.Certificate {
	t.Helper()
	response, err := p.get(certified, roots)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK || string(bytes.TrimSpace(body)) != `{"status":"alive"}` {
		t.Fatalf("answered %d %q, %v", response.StatusCode, body, err)
	}
	return response.TLS.PeerCertificates[0]
}

// stop ends the server in good order.
func (p *product) stop(t *testing.T) {
	t.Helper()
	if err := p.process.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := p.process.Wait(); err != nil {
		t.Fatalf("the server ended badly: %v", err)
	}
}
