package fetchtest

import (
	"net"
	"sync/atomic"
	"testing"
)

// Canary listens on every address of the machine and counts who comes.
func Canary(t testing.TB) (port string, visits *atomic.Int64) {
	t.Helper()
	visits = new(atomic.Int64)
	address := Listen(t, ":0", func(net.Conn) { visits.Add(1) })
	_, port, _ = net.SplitHostPort(address)
	return port, visits
}

// Listen takes one connection after the other at an address of the machine until the test ends. It closes each when meet returns.
// It returns the address with its port.
func Listen(t testing.TB, address string, meet func(net.Conn)) string {
	t.Helper()
	listener, err := net.Listen("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			meet(conn)
			conn.Close()
		}
	}()
	t.Cleanup(func() {
		listener.Close()
		<-done
	})
	return listener.Addr().String()
}

// ForbiddenHosts are hosts, in many spellings, that lead or could lead into the network of the machine.
var ForbiddenHosts = []string{
	"127.0.0.1", "127.1", "127.255.255.254", "2130706433", "0x7f000001", "0177.0.0.1", "0x7f.0.0.1", "１２７.0.0.1",
	"0", "0.0.0.0", "0.1.2.3", "10.0.0.1", "100.64.0.1", "100.100.100.200", "169.254.169.254", "2852039166",
	"172.16.0.1", "192.0.0.192", "192.0.2.1", "192.168.1.1", "198.18.0.1", "198.51.100.1", "203.0.113.1",
	"224.0.0.1", "240.0.0.1", "255.255.255.255", "168.63.129.16", "192.88.99.1",
	"[::]", "[::1]", "[::127.0.0.1]", "[::ffff:127.0.0.1]", "[::ffff:169.254.169.254]", "[::ffff:0:127.0.0.1]",
	"[64:ff9b::127.0.0.1]", "[64:ff9b::a9fe:a9fe]", "[64:ff9b:1::1]", "[2002:7f00:1::]", "[2002:a9fe:a9fe::1]",
	"[2001:0:7f00:1::]", "[2001::1]", "[2001:db8::1]", "[100::1]", "[fc00::1]", "[fd00:ec2::254]", "[fe80::1]",
	"[fec0::1]", "[ff02::1]", "[3fff::1]",
}
