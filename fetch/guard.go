package fetch

import (
	"net/netip"

	"code.dny.dev/ssrf"

	"sitegrade/weburl"
)

// alsoDenied are addresses of the public ranges that lead into the network of whoever rents the machine: 168.63.129.16 is
// the platform of every virtual machine at Azure.
var alsoDenied = []netip.Prefix{netip.MustParsePrefix("168.63.129.16/32")}

// newGuard returns the guard that every connection passes when its address is known, whichever name, redirect or record led to
// it: public unicast addresses and the allowed networks, over TCP, to any port. IPv6 addresses that stand for IPv4 ones (mapped,
// NAT64, 6to4, Teredo) are not public.
func newGuard(allowed []netip.Prefix) *ssrf.Guardian {
	var v4, v6 []netip.Prefix
	for _, network := range allowed {
		if network = unmap(network); network.Addr().Is4() {
			v4 = append(v4, network)
		} else {
			v6 = append(v6, network)
		}
	}
	return ssrf.New(
		ssrf.WithAnyPort(),
		ssrf.WithDeniedV4Prefixes(alsoDenied...),
		ssrf.WithAllowedV4Prefixes(v4...),
		ssrf.WithAllowedV6Prefixes(v6...),
	)
}

// unmap returns a network of IPv4-mapped IPv6 addresses as the IPv4 network that is dialled in its place.
func unmap(network netip.Prefix) netip.Prefix {
	if network.Addr().Is4In6() && network.Bits() >= 96 {
		return netip.PrefixFrom(network.Addr().Unmap(), network.Bits()-96)
	}
	return network
}

// ForbiddenDetail says of a URL that is forbidden what would be right.
const ForbiddenDetail = "must not be an address in a network that this server does not contact (allow_networks in its configuration opens networks)"

// Forbidden reports whether the host of a URL is an IP address that the client will not contact. Of a name only the connection
// itself can tell.
func (c *Client) Forbidden(u *weburl.URL) bool {
	ip, isIP := u.IP()
	return isIP && c.guard.SafeAddr(ip.Unmap()) != nil
}
