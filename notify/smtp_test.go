package notify

import (
	"bufio"
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net"
	"net/http/httptest"
	"net/textproto"
	"strings"
	"sync"
	"testing"
)

// smtpServer is an SMTP server on loopback for the time of a test. The fields before the mutex are set before it is used.
type smtpServer struct {
	listener net.Listener
	tls      *tls.Config
	roots    *x509.CertPool
	starttls bool              // offers STARTTLS
	replies  map[string]string // in place of success, by command: "RCPT" -> "550 5.1.1 No such user"
	silent   bool              // accepts and says nothing

	mu    sync.Mutex
	mails []received
	conns sync.WaitGroup
}

// received is a mail as the server took it.
type received struct {
	from, to  string
	encrypted bool
	auth      string
	data      []byte
}

// serveSMTP starts a server; implicit has it speak TLS from the first byte.
func serveSMTP(t testing.TB, implicit bool, set func(*smtpServer)) *smtpServer {
	t.Helper()
	certified := httptest.NewTLSServer(nil) // for its certificate, which is made out for 127.0.0.1
	defer certified.Close()
	s := &smtpServer{tls: &tls.Config{Certificates: certified.TLS.Certificates}, roots: x509.NewCertPool()}
	s.roots.AddCert(certified.Certificate())
	if set != nil {
		set(s)
	}
	var err error
	if s.listener, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	if implicit {
		s.listener = tls.NewListener(s.listener, s.tls)
	}
	s.conns.Go(func() {
		for {
			conn, err := s.listener.Accept()
			if err != nil {
				return
			}
			s.conns.Go(func() { s.talk(conn, implicit) })
		}
	})
	t.Cleanup(func() {
		s.listener.Close()
		s.conns.Wait()
	})
	return s
}

// url returns the smtp_url of the server; user is "name:password@" or "".
func (s *smtpServer) url(scheme, user, query string) string {
	return scheme + "://" + user + s.listener.Addr().String() + query
}

// mailer returns one that trusts the server's certificate.
func (s *smtpServer) mailer(t testing.TB, scheme, user, query string) *Mailer {
	t.Helper()
	m, err := NewMailer(s.url(scheme, user, query), "Sitegrade <sitegrade@sender.example>")
	if err != nil {
		t.Fatal(err)
	}
	m.roots = s.roots
	return m
}

// talk serves one connection.
func (s *smtpServer) talk(conn net.Conn, encrypted bool) {
	defer func() { conn.Close() }()
	lines := textproto.NewReader(bufio.NewReader(conn))
	if s.silent {
		lines.ReadLine() // until the client gives up
		return
	}
	fmt.Fprint(conn, "220 test\r\n")
	mail := received{encrypted: encrypted}
	for {
		line, err := lines.ReadLine()
		if err != nil {
			return
		}
		command, rest, _ := strings.Cut(line, " ")
		command = strings.ToUpper(command)
		if reply, ok := s.replies[command]; ok {
			fmt.Fprint(conn, reply+"\r\n")
			continue
		}
		reply := "250 OK"
		switch command {
		case "EHLO":
			reply = s.extensions(mail.encrypted)
		case "STARTTLS":
			fmt.Fprint(conn, "220 go on\r\n")
			conn = tls.Server(conn, s.tls)
			lines, mail = textproto.NewReader(bufio.NewReader(conn)), received{encrypted: true}
			continue
		case "AUTH":
			mail.auth, reply = rest, "235 welcome"
		case "MAIL":
			mail.from = rest
		case "RCPT":
			mail.to += rest
		case "DATA":
			fmt.Fprint(conn, "354 go on\r\n")
			mail.data, _ = lines.ReadDotBytes()
			s.take(mail)
		case "QUIT":
			fmt.Fprint(conn, "221 bye\r\n")
			return
		}
		fmt.Fprint(conn, reply+"\r\n")
	}
}

func (s *smtpServer) extensions(encrypted bool) string {
	reply := "250-test\r\n250-8BITMIME\r\n"
	if s.starttls && !encrypted {
		reply += "250-STARTTLS\r\n"
	}
	return reply + "250 AUTH PLAIN"
}

func (s *smtpServer) take(m received) {
	m.data = bytes.Clone(m.data)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.mails = append(s.mails, m)
}

// only returns the mail that came, which must be one.
func (s *smtpServer) only(t testing.TB) received {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.mails) != 1 {
		t.Fatalf("%d mails came, want 1", len(s.mails))
	}
	return s.mails[0]
}
