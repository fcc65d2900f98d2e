package audit

import (
	"context"
	"net/http"
	"slices"

	"sitegrade/audit/header"
	"sitegrade/fetch"
	"sitegrade/weburl"
)

const (
	// maxLoaded is how many addresses that pages load are asked for in a series. Pages that come later are judged by what is known.
	maxLoaded = 50_000
	// loadedMemory is how many bytes of their bodies are kept: the styles and scripts of a site are mostly those of each page.
	loadedMemory = 24 << 20
)

// loaded is what the pages of a series load: each address is asked for once.
type loaded struct {
	answers map[loadedKey]*loadedAnswer
	bytes   int64
}

// loadedKey is an address and how it is asked for: one that two pages use differently is asked for twice.
type loadedKey struct {
	address string
	limit   int64
}

// loadedAnswer is what came of a request. Who made it closes ready.
type loadedAnswer struct {
	ready     chan struct{}
	result    fetch.Result
	truncated bool
}

// share fills in what came of a sample, by the answer that another page has got or by a request of its own.
func (s *Series) share(ctx context.Context, r *run, wanted *sample) {
	_, limit := wanted.needs()
	key := loadedKey{wanted.url.WithoutFragment().String(), limit}
	s.mu.Lock()
	a, known := s.loaded.answers[key]
	full := len(s.loaded.answers) >= maxLoaded
	if !known && !full {
		a = &loadedAnswer{ready: make(chan struct{})}
		s.loaded.answers[key] = a
	}
	s.mu.Unlock()
	switch {
	case known:
		select {
		case <-a.ready:
			wanted.Result, wanted.truncated = a.result, a.truncated
		case <-ctx.Done():
			wanted.Result = fetch.Failed(wanted.url, fetch.TimedOut())
		}
		return
	case full:
		wanted.Result = fetch.Failed(wanted.url, fetch.TimedOut())
		return
	}
	r.fetchOwnSample(ctx, wanted)
	s.keep(key, a, wanted, ctx.Err() == nil)
}

// keep keeps what came of a sample for other pages. One that was broken off is forgotten.
func (s *Series) keep(key loadedKey, a *loadedAnswer, came *sample, whole bool) {
	if s.settle(key, a, came, whole) {
		s.remember(remembered{Loaded: rememberLoaded(key, a)})
	}
}

// settle is the part of keep that changes the series. It reports whether the answer is kept.
func (s *Series) settle(key loadedKey, a *loadedAnswer, came *sample, whole bool) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer close(a.ready)
	a.result, a.truncated = came.Result, came.truncated
	a.result.Header = keptHeader(came.Header)
	if !whole {
		delete(s.loaded.answers, key)
		return false
	}
	s.loaded.bytes += int64(len(a.result.Body))
	if s.loaded.bytes > loadedMemory {
		s.loaded.bytes -= int64(len(a.result.Body))
		a.result.Body, a.truncated = nil, true
	}
	return true
}

// keepVisited keeps what the crawl has met at an address that is no page, for pages that load it.
func (s *Series) keepVisited(u *weburl.URL, found fetch.Result) {
	key := loadedKey{u.WithoutFragment().String(), 0}
	a := &loadedAnswer{ready: make(chan struct{}), result: found, truncated: true}
	a.result.Header, a.result.Body = keptHeader(found.Header), nil
	close(a.ready)
	s.mu.Lock()
	isNew := s.loaded.answers[key] == nil && len(s.loaded.answers) < maxLoaded
	if isNew {
		s.loaded.answers[key] = a
	}
	s.mu.Unlock()
	if isNew {
		s.remember(remembered{Loaded: rememberLoaded(key, a)})
	}
}

// seenLoaded returns what a crawl learns from an address that a page has loaded, nil for one that is to be asked for: nobody did, or it
// may be a page.
func (s *Series) seenLoaded(u *weburl.URL) *Seen {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, limit := range []int64{0, codeRead} {
		a := s.loaded.answers[loadedKey{u.WithoutFragment().String(), limit}]
		if a == nil {
			continue
		}
		select {
		case <-a.ready:
		default:
			continue
		}
		r := &a.result
		if r.Failure == nil && len(r.Redirects) == 0 && (r.Status >= 400 && r.Status < 429 || r.Status == http.StatusOK && neverHTML(header.MIMEType(r.Header))) {
			return &Seen{Status: r.Status}
		}
	}
	return nil
}

// keptNames are the headers that the checks of what a page loads look at.
var keptNames = [...]string{
	"Content-Type", "Content-Length", "Content-Encoding", "Cache-Control", "Expires", "Date", "Age", "Last-Modified", "Etag", "Pragma",
	"Vary", "X-Robots-Tag", "Link",
}

// keptHeader returns those headers of a response that the checks look at.
func keptHeader(h http.Header) http.Header {
	kept := http.Header{}
	for _, name := range keptNames {
		if values := h.Values(name); len(values) > 0 {
			kept[name] = values
		}
	}
	return kept
}

// leaveOut leaves out the uses that the audits of a series do not sample: the crawl asks for what the pages link within the site, and
// robots.txt may forbid the rest.
func (r *run) leaveOut(kind resourceKind, uses []use) []use {
	if r.series == nil {
		return uses
	}
	sparing := r.series.isSparing()
	left := slices.DeleteFunc(uses, func(u use) bool {
		return r.series.isInside(u.url) && (sparing || isForCrawl(kind) || !r.series.mayAsk(u.url))
	})
	if len(left) < len(uses) {
		r.facts.leftOut[kind] = true
	}
	return left
}

// isForCrawl reports whether a crawl itself asks for the addresses of the site that pages use so.
func isForCrawl(kind resourceKind) bool {
	return kind == internalLink || kind == externalLink || kind == canonicalTarget || kind == hreflangTarget
}
