package web

import (
	"net/netip"

	"sitegrade/httpx"
)

// behindProxy believes the forwarded headers that a test sends.
var behindProxy = httpx.Origins{TrustedProxies: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}}

// addressNumber returns one of many IPv4 addresses.
func addressNumber(n int) netip.Addr {
	return netip.AddrFrom4([4]byte{10, byte(n >> 16), byte(n >> 8), byte(n)})
}
