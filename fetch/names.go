package fetch

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"
)

// nameLife is how long the addresses of a name are remembered, or that there is no such name: as long as an audit takes, and not longer.
const nameLife = 30 * time.Second

// names looks names up: each once at a time, for all who want it.
type names struct {
	resolver *net.Resolver
	flights  singleflight.Group

	mu    sync.Mutex
	found map[string]foundName
}

type foundName struct {
	ips  []netip.Addr
	err  error // that there is no such name; nil for one with addresses
	ends time.Time
}

func newNames(resolver *net.Resolver) *names {
	if resolver == nil {
		resolver = net.DefaultResolver
	}
	return &names{resolver: resolver, found: map[string]foundName{}}
}

// known returns what came of a host that was looked up a moment before, and whether there was one.
func (n *names) known(host string) (ips []netip.Addr, err error, ok bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	f, ok := n.found[host]
	return f.ips, f.err, ok && time.Now().Before(f.ends)
}

// ask looks a host up, or waits for whoever does so at this moment. The lookup goes on for the others when ctx ends.
func (n *names) ask(ctx context.Context, host string) ([]netip.Addr, error) {
	asked := n.flights.DoChan(host, func() (any, error) {
		ctx, cancel := context.WithTimeout(context.Background(), phaseTimeout)
		defer cancel()
		ips, err := n.resolver.LookupNetIP(ctx, "ip", host)
		var failed *net.DNSError
		if err == nil || errors.As(err, &failed) && failed.IsNotFound {
			n.remember(host, ips, err)
		}
		return ips, err
	})
	select {
	case r := <-asked:
		ips, _ := r.Val.([]netip.Addr)
		return ips, r.Err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// remember keeps what came of a host for a while, and forgets those whose time is over.
func (n *names) remember(host string, ips []netip.Addr, err error) {
	for i := range ips {
		ips[i] = ips[i].Unmap()
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	now := time.Now()
	for name, f := range n.found {
		if now.After(f.ends) {
			delete(n.found, name)
		}
	}
	n.found[host] = foundName{ips, err, now.Add(nameLife)}
}
