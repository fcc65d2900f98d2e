package audit

import (
	"context"
	"net"
	"net/netip"
	"strings"
	"testing"

	"golang.org/x/net/dns/dnsmessage"
)

// nameServer is a DNS server for the time of a test. It knows the names it was given; every other does not exist.
type nameServer struct {
	conn      net.PacketConn
	addresses map[string][]netip.Addr
}

// useNames lets an auditor look names up among these alone. An address given twice for a name is answered in turn: the first for the
// first question, and so on, the last for all later ones.
func useNames(t testing.TB, a *Auditor, names map[string]string) {
	t.Helper()
	conn, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &nameServer{conn: conn, addresses: map[string][]netip.Addr{}}
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
	a.client.dialer.Resolver = &net.Resolver{
		PreferGo: true,
		Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return (&net.Dialer{}).DialContext(ctx, "udp", conn.LocalAddr().String())
		},
	}
}

func (s *nameServer) serve() {
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

func (s *nameServer) answer(question dnsmessage.Message) ([]byte, error) {
	asked := question.Questions[0]
	reply := dnsmessage.Message{
		Header:    dnsmessage.Header{ID: question.ID, Response: true, Authoritative: true, RecursionAvailable: true},
		Questions: question.Questions,
	}
	addresses, known := s.addresses[strings.ToLower(asked.Name.String())]
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
		s.addresses[strings.ToLower(asked.Name.String())] = addresses[1:]
	}
	return reply.Pack()
}
