package acme

import (
	"crypto"
	"crypto/x509"
	"encoding/pem"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"sync/atomic"
	"testing"

	"github.com/letsencrypt/pebble/v2/ca"
	"github.com/letsencrypt/pebble/v2/db"
	"github.com/letsencrypt/pebble/v2/va"
	"github.com/letsencrypt/pebble/v2/wfe"
	"github.com/miekg/dns"
)

// authority is a Pebble with its own roots and accounts.
type authority struct {
	front    *httptest.Server
	rootFile string       // the root of the certificate of front, which the product must trust
	asked    atomic.Int64 // requests
	ready    chan struct{}
	pebble   http.Handler // once ready
	store    *db.MemoryStore
	issuer   *ca.CAImpl
	log      *log.Logger
}

// startAuthority opens the port of a new authority, which answers when it is told whom to certify: the product must know its address, and
// it that of the product.
func startAuthority(t *testing.T) *authority {
	t.Helper()
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
		t.Skip("SSL_CERT_FILE does not count here")
	}
	t.Setenv("PEBBLE_VA_NOSLEEP", "1")
	t.Setenv("PEBBLE_WFE_NONCEREJECT", "0") // each good nonce that it refuses for practice costs a second
	a := &authority{ready: make(chan struct{}), store: db.NewMemoryStore(), log: failureLog(t)}
	a.issuer = ca.New(a.log, a.store, "", "ecdsa", 0, 1, map[string]ca.Profile{"default": {Description: "the default"}})
	a.front = httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a.asked.Add(1)
		<-a.ready
		a.pebble.ServeHTTP(w, r)
	}))
	t.Cleanup(a.front.Close)
	a.rootFile = filepath.Join(t.TempDir(), "root.pem")
	root := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: a.front.Certificate().Raw})
	if err := os.WriteFile(a.rootFile, root, 0o600); err != nil {
		t.Fatal(err)
	}
	return a
}

// certify lets the authority certify servers at this port of this machine, whatever their names.
func (a *authority) certify(t *testing.T, port int) {
	t.Helper()
	validator := va.New(a.log, 0, port, true, startNames(t), a.store)
	front := wfe.New(a.log, a.store, validator, a.issuer, []string{"authority.example"}, true, false, 0, 0)
	a.pebble = front.Handler()
	close(a.ready)
}

// roots returns what trusts the certificates of the authority, and nothing else.
func (a *authority) roots() *x509.CertPool {
	pool := x509.NewCertPool()
	pool.AddCert(a.issuer.GetRootCert(0).Cert)
	return pool
}

// contacts returns whom the authority may write to about the account with this key.
func (a *authority) contacts(t *testing.T, key crypto.PublicKey) []string {
	t.Helper()
	account, err := a.store.GetAccountByKey(key)
	if err != nil || account == nil {
		t.Fatalf("the authority has no such account: %v", err)
	}
	return account.Contact
}

// failureLog returns a log that is shown when the test fails.
func failureLog(t *testing.T) *log.Logger {
	t.Helper()
	file, err := os.Create(filepath.Join(t.TempDir(), "log"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if text, err := os.ReadFile(file.Name()); t.Failed() {
			t.Logf("the authority said:\n%s%v", text, err)
		}
		file.Close()
	})
	return log.New(file, "", 0)
}

// startNames serves a DNS in which every name is this machine, and gives its address.
func startNames(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	server := &dns.Server{Listener: listener, Handler: dns.HandlerFunc(thisMachine)}
	go func() { _ = server.ActivateAndServe() }() // until the listener is closed
	return listener.Addr().String()
}

func thisMachine(w dns.ResponseWriter, asked *dns.Msg) {
	reply := new(dns.Msg).SetReply(asked)
	if question := asked.Question[0]; question.Qtype == dns.TypeA {
		header := dns.RR_Header{Name: question.Name, Rrtype: dns.TypeA, Class: dns.ClassINET}
		reply.Answer = []dns.RR{&dns.A{Hdr: header, A: net.IPv4(127, 0, 0, 1)}}
	}
	_ = w.WriteMsg(reply) // without an answer the authority says that the name cannot be resolved
}
