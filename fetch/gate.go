package fetch

import (
	"context"
	"sync"
)

// requestsPerHost is how many requests to a host are under way at once, whoever asks.
const requestsPerHost = 2

// gate lets requests in, host by host, in the order in which they come.
type gate struct {
	mu    sync.Mutex
	hosts map[string]*turns
}

// turns are those of one host. It is forgotten when nobody is in and nobody waits.
type turns struct {
	places chan struct{}
	users  int // that are in or wait
}

// enter waits until another request to the host may begin. It returns what ends the request's turn, or the error of ctx.
func (g *gate) enter(ctx context.Context, host string) (leave func(), err error) {
	t := g.use(host)
	select {
	case t.places <- struct{}{}:
		return sync.OnceFunc(func() {
			<-t.places
			g.drop(host, t)
		}), nil
	case <-ctx.Done():
		g.drop(host, t)
		return nil, ctx.Err()
	}
}

func (g *gate) use(host string) *turns {
	g.mu.Lock()
	defer g.mu.Unlock()
	t := g.hosts[host]
	if t == nil {
		t = &turns{places: make(chan struct{}, requestsPerHost)}
		g.hosts[host] = t
	}
	t.users++
	return t
}

func (g *gate) drop(host string, t *turns) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if t.users--; t.users == 0 {
		delete(g.hosts, host)
	}
}
