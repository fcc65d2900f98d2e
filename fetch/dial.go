package fetch

import (
	"context"
	"errors"
	"net"
	"net/http/httptrace"
	"net/netip"
	"time"
)

// fallbackDelay is how long an address of the other family waits for the first one to be connected (RFC 8305 section 5).
const fallbackDelay = 300 * time.Millisecond

// dial connects to an address as net.Dialer does, but with the names that the client looks up. The guard judges each IP address that
// is dialled.
func (c *Client) dial(ctx context.Context, network, address string) (net.Conn, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	if _, err := netip.ParseAddr(host); err == nil {
		return c.dialer.DialContext(ctx, network, address)
	}
	ctx, cancel := context.WithTimeout(ctx, phaseTimeout)
	defer cancel()
	ips, err := c.lookup(ctx, host)
	if err != nil {
		return nil, err
	}
	return c.dialFamilies(ctx, network, ips, port)
}

// lookup returns the IP addresses of a host. The document's request asks anew, so that its timing tells what a lookup takes.
func (c *Client) lookup(ctx context.Context, host string) ([]netip.Addr, error) {
	if ips, err, known := c.names.known(host); known && !isFresh(ctx) {
		return ips, err
	}
	hooks := httptrace.ContextClientTrace(ctx)
	if hooks != nil && hooks.DNSStart != nil {
		hooks.DNSStart(httptrace.DNSStartInfo{Host: host})
	}
	ips, err := c.names.ask(ctx, host)
	if hooks != nil && hooks.DNSDone != nil {
		hooks.DNSDone(httptrace.DNSDoneInfo{Err: err})
	}
	return ips, err
}

// dialFamilies tries the addresses of the family that comes first, and those of the other one as soon as the first fail or take long.
func (c *Client) dialFamilies(ctx context.Context, network string, ips []netip.Addr, port string) (net.Conn, error) {
	first, other := byFamily(ips)
	if len(other) == 0 {
		return c.dialEach(ctx, network, first, port)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	type dialled struct {
		conn net.Conn
		err  error
	}
	results := make(chan dialled)
	try := func(ips []netip.Addr) {
		conn, err := c.dialEach(ctx, network, ips, port)
		select {
		case results <- dialled{conn, err}:
		case <-ctx.Done():
			if conn != nil {
				conn.Close()
			}
		}
	}
	go try(first)
	delay := time.NewTimer(fallbackDelay)
	defer delay.Stop()
	startOther := func() { go try(other) }
	waiting := 2
	var failed error
	for {
		select {
		case <-delay.C:
		case r := <-results:
			if r.err == nil {
				return r.conn, nil
			}
			failed = errors.Join(failed, r.err)
			if waiting--; waiting == 0 {
				return nil, failed
			}
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		if startOther != nil {
			startOther()
			startOther = nil
		}
	}
}

// byFamily parts addresses into those of the first one's family and the others.
func byFamily(ips []netip.Addr) (first, other []netip.Addr) {
	for _, ip := range ips {
		if ip.Is4() == ips[0].Is4() {
			first = append(first, ip)
		} else {
			other = append(other, ip)
		}
	}
	return first, other
}

// dialEach tries one address after the other. Each has its share of the time that is left, but two seconds at least.
func (c *Client) dialEach(ctx context.Context, network string, ips []netip.Addr, port string) (net.Conn, error) {
	var failed error
	for i, ip := range ips {
		conn, err := c.dialOne(ctx, network, net.JoinHostPort(ip.String(), port), len(ips)-i)
		if err == nil {
			return conn, nil
		}
		if failed == nil {
			failed = err // as net.Dialer: the first says most
		}
		if ctx.Err() != nil {
			break
		}
	}
	return nil, failed
}

func (c *Client) dialOne(ctx context.Context, network, address string, left int) (net.Conn, error) {
	if ends, ok := ctx.Deadline(); ok && left > 1 {
		limited, cancel := context.WithTimeout(ctx, max(time.Until(ends)/time.Duration(left), 2*time.Second))
		defer cancel()
		ctx = limited
	}
	return c.dialer.DialContext(ctx, network, address)
}
