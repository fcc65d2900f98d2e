// Package fetchtest has what tests of fetch and of the packages above it share.
package fetchtest

import (
	"context"
	"net"
	"net/netip"
	"strings"
	"sync"
	"testing"

	"golang.org/x/net/dns/dnsmessage"
)

// NameServer is a DNS server for the time of a test. It knows the names that it was given; every other does not exist.
type NameServer struct {
	conn net.PacketConn

	mu        sync.Mutex
	addresses map[string][]netip.Addr
	questions map[string]int
}

// Names starts a server that knows names: of each its addresses, separated by spaces. The first question for a name is answered with
// the first of them, the next with the next, and all after that with the last.
func Names(t testing.TB, names map[string]string) *NameServer {
	t.Helper()
	conn, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &NameServer{conn: conn, addresses: map[string][]netip.Addr{}, questions: map[string]int{}}
	for name, addresses := range names {
		for address := range strings.FieldsSeq(addresses) {
			s.addresses[name+"."] = append(s.addresses[name+"."], netip.MustParseAddr(address))
		}
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		s.serve()
	}()
	t.Cleanup(func() {
		conn.Close()
		<-done
	})
	return s
}

// Resolver returns a resolver that asks the server.
func (s *NameServer) Resolver() *net.Resolver {
	return &net.Resolver{
		PreferGo: true,
		Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return (&net.Dialer{}).DialContext(ctx, "udp", s.conn.LocalAddr().String())
		},
	}
}

// Lookups returns how often the IPv4 addresses of a name were asked for.
func (s *NameServer) Lookups(name string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.questions[name+"."]
}

func (s *NameServer) serve() {
	buffer := make([]byte, 1500)
	for {
		n, from, err := s.conn.ReadFrom(buffer)
		if err != nil {
			return
		}
		var message dnsmessage.Message
		if message.Unpack(buffer[:n]) != nil || len(message.Questions) != 1 {
			continue
		}
		answer, err := s.answer(message)
		if err != nil {
			continue
		}
		s.conn.WriteTo(answer, from)
	}
}

func (s *NameServer) answer(question dnsmessage.Message) ([]byte, error) {
	asked := question.Questions[0]
	reply := dnsmessage.Message{
		Header:    dnsmessage.Header{ID: question.ID, Response: true, Authoritative: true, RecursionAvailable: true},
		Questions: question.Questions,
	}
	name := strings.ToLower(asked.Name.String())
	s.mu.Lock()
	defer s.mu.Unlock()
	if asked.Type == dnsmessage.TypeA {
		s.questions[name]++
	}
	addresses, known := s.addresses[name]
	if !known {
		reply.RCode = dnsmessage.RCodeNameError
		return reply.Pack()
	}
	header := dnsmessage.ResourceHeader{Name: asked.Name, Class: asked.Class}
	switch address := addresses[0]; {
	case asked.Type == dnsmessage.TypeA && address.Is4():
		reply.Answers = []dnsmessage.Resource{{Header: header, Body: &dnsmessage.AResource{A: address.As4()}}}
	case asked.Type == dnsmessage.TypeAAAA && address.Is6():
		reply.Answers = []dnsmessage.Resource{{Header: header, Body: &dnsmessage.AAAAResource{AAAA: address.As16()}}}
	default:
		return reply.Pack()
	}
	if len(addresses) > 1 {
		s.addresses[name] = addresses[1:]
	}
	return reply.Pack()
}
