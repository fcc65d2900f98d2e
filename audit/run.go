package audit

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"time"

	"sitegrade/weburl"
)

const (
	// besideTimeout bounds each request beside the document, so that none eats the time of the others.
	besideTimeout  = 5 * time.Second
	acceptAnything = "*/*"
)

// run is the part of one audit that comes after its document.
type run struct {
	client  *client
	options Options
	facts   *facts
	own     *allotment

	mu    sync.Mutex
	turns map[string]chan struct{} // by host: as many as may be asked for at once
}

// turn waits until another request to a host may begin, so that the wait takes nothing of the time that the request has. It gives
// what ends the turn, or false when the context ended first.
func (r *run) turn(ctx context.Context, host string) (done func(), ok bool) {
	r.mu.Lock()
	if r.turns[host] == nil {
		r.turns[host] = make(chan struct{}, connectionsPerHost)
	}
	turns := r.turns[host]
	r.mu.Unlock()
	select {
	case turns <- struct{}{}:
		return func() { <-turns }, true
	case <-ctx.Done():
		return nil, false
	}
}

// finish gathers what is not in the document, in the time that the context leaves.
func (r *run) finish(ctx context.Context) {
	r.fetchRobots(ctx)
	samples := r.chooseSamples()
	r.own.expectResources(mostOf(samples))
	var both sync.WaitGroup
	both.Go(func() { r.fetchSite(ctx) })
	both.Go(func() { r.fetchSamples(ctx, samples) })
	both.Wait()
}

// get asks for an address and keeps at most limit bytes of the body; whole tells whether that is all of it. What went wrong
// is the failure of the answer.
func (r *run) get(ctx context.Context, u *weburl.URL, accept string, limit int64) (found fetched, whole bool) {
	done, ok := r.turn(ctx, u.Host())
	if !ok {
		return failedFetch(u, timedOut()), false
	}
	defer done()
	limited, cancel := context.WithTimeout(ctx, besideTimeout)
	defer cancel()
	e, failure := r.client.open(limited, request{http.MethodGet, u, accept, r.options.MaxRedirects})
	if failure != nil {
		return failedFetch(u, failure), false
	}
	defer e.close()
	if limit == 0 {
		e.discard()
		return e.fetched, false
	}
	e.answer.Body = &countedBody{e.answer.Body, func(n int64) error { return r.own.holdResource(limited, n) }}
	raw, cut, err := e.receive(limit)
	if err == nil {
		err = r.decode(ctx, e, raw, cut, limit)
	}
	if err != nil && !errors.Is(err, errTooLarge) {
		return failedFetch(u, bodyFailure(limited, err, limit)), false
	}
	return e.fetched, err == nil
}

// decode fills the body of e when the processor has a place, and counts what it has become longer.
func (r *run) decode(ctx context.Context, e *exchange, raw []byte, cut bool, limit int64) error {
	var err error
	if waiting := r.own.compute(ctx, func() { err = e.decode(raw, cut, limit) }); waiting != nil {
		return waiting
	}
	if waiting := r.own.holdResource(ctx, max(0, e.size-e.wire)); waiting != nil {
		return waiting
	}
	return err
}

// head asks for the headers of an address. Servers that refuse the question, or answer it with an error, are asked for
// everything: only that says whether the address is broken.
func (r *run) head(ctx context.Context, u *weburl.URL, accept string) fetched {
	found := r.headOnly(ctx, u, accept)
	if found.failure == nil && found.status >= 400 || found.failure != nil && found.failure.Code != CodeTimeout {
		found, _ = r.get(ctx, u, accept, 0)
	}
	return found
}

func (r *run) headOnly(ctx context.Context, u *weburl.URL, accept string) fetched {
	done, ok := r.turn(ctx, u.Host())
	if !ok {
		return failedFetch(u, timedOut())
	}
	defer done()
	ctx, cancel := context.WithTimeout(ctx, besideTimeout)
	defer cancel()
	e, failure := r.client.open(ctx, request{http.MethodHead, u, accept, r.options.MaxRedirects})
	if failure != nil {
		return failedFetch(u, failure)
	}
	e.close()
	return e.fetched
}

func failedFetch(u *weburl.URL, failure *Failure) fetched {
	return fetched{response: response{url: u}, failure: failure}
}
