package audit

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"time"

	"sitegrade/fetch"
	"sitegrade/weburl"
)

const (
	// besideTimeout bounds each request beside the document, so that none eats the time of the others.
	besideTimeout  = 5 * time.Second
	acceptAnything = "*/*"
)

// run is the part of one audit that comes after its document.
type run struct {
	client  *fetch.Client
	options Options
	series  *Series // nil for an audit that is alone
	facts   *facts
	own     *allotment
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
func (r *run) get(ctx context.Context, u *weburl.URL, accept string, limit int64) (found fetch.Result, whole bool) {
	limited := startClock(ctx, besideTimeout)
	defer limited.stop()
	e, failure := r.open(limited, r.request(http.MethodGet, u, accept, limited))
	if failure != nil {
		return fetch.Failed(u, failure), false
	}
	defer e.Close()
	if limit == 0 {
		e.Discard()
		return e.Result, false
	}
	e.Raw = &countedBody{e.Raw, func(n int64) error { return r.own.holdResource(limited, n) }}
	raw, cut, err := e.Receive(limit)
	if err == nil {
		err = r.decode(ctx, e, raw, cut, limit)
	}
	if err != nil && !errors.Is(err, fetch.ErrTooLarge) {
		return fetch.Failed(u, fetch.BodyFailure(limited, err, limit)), false
	}
	return e.Result, err == nil
}

// decode fills the body of e when the processor has a place, and counts what it has become longer.
func (r *run) decode(ctx context.Context, e *fetch.Exchange, raw []byte, cut bool, limit int64) error {
	var err error
	if waiting := r.own.compute(ctx, func() { err = e.Decode(raw, cut, limit) }); waiting != nil {
		return waiting
	}
	if waiting := r.own.holdResource(ctx, max(0, e.Size-e.Wire)); waiting != nil {
		return waiting
	}
	return err
}

// head asks for the headers of an address. Servers that refuse the question, or answer it with an error, are asked for
// everything: only that says whether the address is broken.
func (r *run) head(ctx context.Context, u *weburl.URL, accept string) fetch.Result {
	found := r.headOnly(ctx, u, accept)
	if found.Failure == nil && found.Status >= 400 || found.Failure != nil && found.Failure.Code != fetch.CodeTimeout {
		found, _ = r.get(ctx, u, accept, 0)
	}
	return found
}

func (r *run) headOnly(ctx context.Context, u *weburl.URL, accept string) fetch.Result {
	limited := startClock(ctx, besideTimeout)
	defer limited.stop()
	e, failure := r.open(limited, r.request(http.MethodHead, u, accept, limited))
	if failure != nil {
		return fetch.Failed(u, failure)
	}
	e.Close()
	return e.Result
}

// request returns a request whose time stands still while it waits for its turn.
func (r *run) request(method string, u *weburl.URL, accept string, limited *clock) fetch.Request {
	request := fetch.Request{Method: method, URL: u, Accept: accept, Redirects: r.options.MaxRedirects, Await: limited.await, Behind: r.own.behind}
	request.Header = r.series.headerFor(u)
	return request
}

// open makes a request, unless robots.txt keeps the audits of a series from it.
func (r *run) open(ctx context.Context, request fetch.Request) (*fetch.Exchange, *fetch.Failure) {
	if !r.series.mayAsk(request.URL) {
		return nil, fetch.NewFailure(fetch.CodeTimeout, "robots.txt keeps the crawl from this address.")
	}
	return r.client.Open(ctx, request)
}
