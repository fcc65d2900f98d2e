package audit

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"sync"
	"time"
)

const (
	// besideTimeout bounds each request beside the document, so that none eats the time of the others.
	besideTimeout = 5 * time.Second
	// besideRedirects is how far such a request is followed: RFC 9309 asks for at least five with robots.txt.
	besideRedirects = 5
	acceptAnything  = "*/*"
)

// run is the part of one audit that comes after its document.
type run struct {
	client   *client
	options  Options
	facts    *facts
	decoding sync.Mutex // one body is decoded at a time, since the windows of the codings take megabytes
}

// finish gathers what is not in the document, in the time that the context leaves.
func (r *run) finish(ctx context.Context) {
	r.fetchRobots(ctx)
	var both sync.WaitGroup
	both.Go(func() { r.fetchSite(ctx) })
	both.Go(func() { r.fetchSamples(ctx) })
	both.Wait()
}

// get asks for an address and keeps at most limit bytes of the body; whole tells whether that is all of it. What went wrong
// is the failure of the answer.
func (r *run) get(ctx context.Context, u *url.URL, accept string, limit int64) (found fetched, whole bool) {
	ctx, cancel := context.WithTimeout(ctx, besideTimeout)
	defer cancel()
	e, failure := r.client.open(ctx, request{http.MethodGet, u, accept, besideRedirects})
	if failure != nil {
		return failedFetch(u, failure), false
	}
	defer e.close()
	if limit == 0 {
		e.discard()
		return e.fetched, false
	}
	raw, cut, err := e.receive(limit)
	if err == nil {
		r.decoding.Lock()
		err = e.decode(raw, cut, limit)
		r.decoding.Unlock()
	}
	if err != nil && !errors.Is(err, errTooLarge) {
		return failedFetch(u, bodyFailure(ctx, err, limit)), false
	}
	return e.fetched, err == nil
}

// head asks for the headers of an address. Servers that refuse the question, or answer it with an error, are asked for
// everything: only that says whether the address is broken.
func (r *run) head(ctx context.Context, u *url.URL, accept string) fetched {
	limited, cancel := context.WithTimeout(ctx, besideTimeout)
	defer cancel()
	e, failure := r.client.open(limited, request{http.MethodHead, u, accept, besideRedirects})
	switch {
	case failure != nil && failure.Code == CodeTimeout:
		return failedFetch(u, failure)
	case failure == nil:
		defer e.close()
		if e.status < 400 {
			return e.fetched
		}
	}
	found, _ := r.get(ctx, u, accept, 0)
	return found
}

func failedFetch(u *url.URL, failure *Failure) fetched {
	return fetched{response: response{url: u}, failure: failure}
}
