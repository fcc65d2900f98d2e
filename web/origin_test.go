package web

import (
	"net/http"
	"net/netip"
)

type clientAddress = netip.Addr

// originFromHeader lets a test say who its client is.
func originFromHeader(r *http.Request) (string, clientAddress, string) {
	base, _, id := ownOrigin(r)
	client, _ := netip.ParseAddr(r.Header.Get("Client"))
	return base, client, id
}

func mustAddress(s string) clientAddress { return netip.MustParseAddr(s) }

// addressNumber returns one of many IPv4 addresses.
func addressNumber(n int) clientAddress {
	return netip.AddrFrom4([4]byte{10, byte(n >> 16), byte(n >> 8), byte(n)})
}
