package worker

import (
	"net"
	"net/textproto"
	"strings"
	"sync"
	"testing"
)

// mailServer is an SMTP server that takes every mail.
type mailServer struct {
	listener net.Listener
	conns    sync.WaitGroup

	mu    sync.Mutex
	mails []string
}

func newMailServer(t *testing.T) *mailServer {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &mailServer{listener: listener}
	s.conns.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			s.conns.Go(func() { s.talk(textproto.NewConn(conn)) })
		}
	})
	t.Cleanup(func() {
		_ = listener.Close() // it is only closed here
		s.conns.Wait()
	})
	return s
}

// talk serves one connection until the client ends it.
func (s *mailServer) talk(c *textproto.Conn) {
	defer func() { _ = c.Close() }()
	reply := func(line string) { _ = c.PrintfLine("%s", line) } // a client that is gone ends the next reading
	reply("220 mail.example")
	for {
		line, err := c.ReadLine()
		if err != nil {
			return
		}
		switch command, _, _ := strings.Cut(strings.ToUpper(line), " "); command {
		case "DATA":
			reply("354 go on")
			mail, err := c.ReadDotBytes()
			if err != nil {
				return
			}
			s.mu.Lock()
			s.mails = append(s.mails, string(mail))
			s.mu.Unlock()
			reply("250 taken")
		case "QUIT":
			reply("221 bye")
			return
		default:
			reply("250 fine")
		}
	}
}

func (s *mailServer) got() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.mails...)
}
