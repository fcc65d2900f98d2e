package api

import (
	"net"
	"net/http"
	"net/netip"
	"strings"
)

// origin is where a request came from and how its client spelt the server.
type origin struct {
	scheme    string
	host      string
	client    netip.Addr // invalid when unknown
	requestID string     // what a trusted proxy calls the request; "" for none
}

// origin reads the connection, and the forwarded headers where the peer is a trusted proxy.
func (a *API) origin(r *http.Request) origin {
	o := origin{scheme: "http", host: ownHost(r), client: peer(r)}
	if r.TLS != nil {
		o.scheme = "https"
	}
	if !a.trusts(o.client) {
		return o
	}
	if id := r.Header.Get("X-Request-Id"); isRequestID(id) {
		o.requestID = id
	}
	hops := hopsOf(r.Header)
	return o.through(a.firstTrusted(hops))
}

// Origin tells where a request came from, with the forwarded headers of trusted proxies counted: what links to this server begin
// with, the address of the client (invalid when unknown), and what the log calls the request. Other handlers on the same server
// use it, so that all agree.
func (a *API) Origin(r *http.Request) (base string, client netip.Addr, requestID string) {
	came := a.origin(r)
	base, requestID = a.BaseURL, came.requestID
	if base == "" {
		base = came.scheme + "://" + came.host
	}
	if requestID == "" {
		requestID = newRequestID()
	}
	return base, came.client, requestID
}

// ownHost returns the Host of a request, or the listener's address where it has none (HTTP/1.0).
func ownHost(r *http.Request) string {
	if isHost(r.Host) {
		return r.Host
	}
	if local, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr); ok {
		return local.String()
	}
	return "localhost"
}

func peer(r *http.Request) netip.Addr {
	address, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return netip.Addr{}
	}
	return address.Addr().Unmap()
}

func (a *API) trusts(address netip.Addr) bool {
	for _, network := range a.TrustedProxies {
		if network.Contains(address) {
			return true
		}
	}
	return false
}

// hop is what one proxy says of whom it had before it. Empty fields are unknown.
type hop struct{ client, scheme, host string }

// hopsOf returns what the proxies say, the nearest last: Forwarded (RFC 7239) where it is given, else the X-Forwarded headers.
func hopsOf(h http.Header) []hop {
	if h.Get("Forwarded") != "" {
		return forwardedHops(h.Values("Forwarded"))
	}
	clients, schemes, hosts := listed(h, "X-Forwarded-For"), listed(h, "X-Forwarded-Proto"), listed(h, "X-Forwarded-Host")
	hops := make([]hop, max(len(clients), 1))
	for i := range hops {
		fromLast := len(hops) - 1 - i
		hops[i] = hop{fromEnd(clients, fromLast), fromEnd(schemes, fromLast), fromEnd(hosts, fromLast)}
	}
	return hops
}

// listed returns the members of a header that is a list, over all its lines.
func listed(h http.Header, name string) []string {
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
		for element := range splitQuoted(line, ',') {
			hops = append(hops, forwardedHop(element))
		}
	}
	return hops
}

func forwardedHop(element string) hop {
	var h hop
	for pair := range splitQuoted(element, ';') {
		name, value, _ := strings.Cut(pair, "=")
		value = unquote(strings.TrimSpace(value))
		switch strings.ToLower(strings.TrimSpace(name)) {
		case "for":
			h.client = value
		case "proto":
			h.scheme = value
		case "host":
			h.host = value
		}
	}
	return h
}

// firstTrusted returns the hop of the outermost proxy that is trusted: whatever lies before it may have been made up.
func (a *API) firstTrusted(hops []hop) hop {
	for i := len(hops) - 1; i > 0; i-- {
		if !a.trusts(nodeAddress(hops[i].client)) {
			return hops[i]
		}
	}
	return hops[0]
}

// through returns the origin as a hop tells it. What is missing or senseless stays as it was.
func (o origin) through(h hop) origin {
	if client := nodeAddress(h.client); client.IsValid() {
		o.client = client
	}
	if scheme := strings.ToLower(h.scheme); scheme == "http" || scheme == "https" {
		o.scheme = scheme
	}
	if isHost(h.host) {
		o.host = h.host
	}
	return o
}

// nodeAddress reads an address with or without a port; invalid for "unknown" and for hidden names.
func nodeAddress(node string) netip.Addr {
	if withPort, err := netip.ParseAddrPort(node); err == nil {
		return withPort.Addr().Unmap()
	}
	address, err := netip.ParseAddr(strings.Trim(node, "[]"))
	if err != nil {
		return netip.Addr{}
	}
	return address.Unmap()
}

// isHost reports whether a text may stand in an address as its host, with or without a port.
func isHost(s string) bool {
	return s != "" && len(s) <= 255 && strings.Trim(s, hostCharacters) == ""
}

const hostCharacters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._:[]"

// isRequestID reports whether a text is fit for the log and for a header.
func isRequestID(s string) bool {
	return s != "" && len(s) <= 128 && strings.Trim(s, hostCharacters+"+/=") == ""
}
