package httpx

import (
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// Forwarded is the header of RFC 7239.
const Forwarded = "Forwarded"

const (
	forwardedFor   = "X-Forwarded-For"
	forwardedProto = "X-Forwarded-Proto"
	forwardedHost  = "X-Forwarded-Host"
)

// XForwarded are the headers that most proxies know, in place of Forwarded. It must not be changed.
var XForwarded = []string{forwardedFor, forwardedProto, forwardedHost}

// hop is what one proxy says of the request that it got.
type hop struct {
	client netip.Addr // invalid when unknown
	scheme string     // "" when unknown
	host   string     // "" when unknown
}

// hops returns what the proxies say, the nearest last; at least one. Only the headers that are configured count.
func (o Origins) hops(h http.Header) []hop {
	if slices.Contains(o.ForwardedHeaders, Forwarded) {
		return forwardedHops(h.Values(Forwarded))
	}
	clients, schemes, hosts := o.list(h, forwardedFor), o.list(h, forwardedProto), o.list(h, forwardedHost)
	hops := make([]hop, max(len(clients), 1))
	for i := range hops {
		fromLast := len(hops) - 1 - i
		hops[i] = hop{nodeAddress(fromEnd(clients, fromLast)), fromEnd(schemes, fromLast), fromEnd(hosts, fromLast)}
	}
	return hops
}

// list returns the members of a header that is a list, over all its lines; not one when the header does not count.
func (o Origins) list(h http.Header, name string) []string {
	if o.ForwardedHeaders != nil && !slices.Contains(o.ForwardedHeaders, name) {
		return nil
	}
	var members []string
	for _, line := range h.Values(name) {
		for member := range strings.SplitSeq(line, ",") {
			members = append(members, strings.TrimSpace(member))
		}
	}
	return members
}

// fromEnd returns the member that is n before the last; the first where there are fewer, since not every proxy adds to each header.
func fromEnd(members []string, n int) string {
	if len(members) == 0 {
		return ""
	}
	return members[max(0, len(members)-1-n)]
}

func forwardedHops(lines []string) []hop {
	var hops []hop
	for _, line := range lines {
		for element := range SplitQuoted(line, ',') {
			hops = append(hops, forwardedHop(element))
		}
	}
	if len(hops) == 0 {
		return []hop{{}}
	}
	return hops
}

func forwardedHop(element string) hop {
	var h hop
	for pair := range SplitQuoted(element, ';') {
		name, value, _ := strings.Cut(pair, "=")
		value = Unquote(strings.TrimSpace(value))
		switch strings.ToLower(strings.TrimSpace(name)) {
		case "for":
			h.client = nodeAddress(value)
		case "proto":
			h.scheme = value
		case "host":
			h.host = value
		}
	}
	return h
}

// outermost returns the hop of the outermost proxy that is trusted. They are read from the nearest on, and whatever lies before a hop that
// came from elsewhere may have been made up.
func (o Origins) outermost(hops []hop) hop {
	for i := len(hops) - 1; i > 0; i-- {
		if !o.trusts(hops[i].client) {
			return hops[i]
		}
	}
	return hops[0]
}

// through returns where a request came from as a proxy's hop tells it. What is missing or senseless stays as it was.
func (h hop) through(proxy hop) hop {
	if proxy.client.IsValid() {
		h.client = proxy.client
	}
	if scheme := strings.ToLower(proxy.scheme); scheme == "http" || scheme == "https" {
		h.scheme = scheme
	}
	if isHost(proxy.host) {
		h.host = proxy.host
	}
	return h
}

// nodeAddress reads an IP address with or without a port; invalid for "unknown" and for hidden names.
func nodeAddress(node string) netip.Addr {
	if withPort, err := netip.ParseAddrPort(node); err == nil {
		return withPort.Addr().Unmap()
	}
	address, err := netip.ParseAddr(strings.Trim(node, "[]"))
	if err != nil {
		return netip.Addr{}
	}
	return address.Unmap().WithZone("")
}
