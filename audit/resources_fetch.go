package audit

import (
	"context"
	"sync"
	"time"

	"sitegrade/audit/page"
	"sitegrade/fetch"
	"sitegrade/weburl"
)

const (
	// samplesTimeout bounds all sampling together.
	samplesTimeout = 10 * time.Second
	// samplesAtOnce is how many samples are asked for at a time, over all hosts.
	samplesAtOnce = 8
	// codeRead is how much of a stylesheet or script is read.
	codeRead = 400 << 10
	// headRead is how much of a page is read whose head counts.
	headRead    = 256 << 10
	acceptImage = "image/avif,image/webp,image/*,*/*;q=0.8"
)

// fetchSamples asks for a part of what the page links and loads (class c), in an order that depends on the page alone.
func (r *run) fetchSamples(ctx context.Context, samples []*sample) {
	ctx, cancel := context.WithTimeout(ctx, samplesTimeout)
	defer cancel()
	next := make(chan *sample)
	var workers sync.WaitGroup
	for range min(samplesAtOnce, len(samples)) {
		workers.Go(func() {
			for s := range next {
				r.fetchSample(ctx, s)
			}
		})
	}
	for _, s := range samples {
		next <- s
	}
	close(next)
	workers.Wait()
	r.facts.resources = resourcesOf(samples)
}

// sample is an address to ask for, and everything that the page uses it for.
type sample struct {
	url  *weburl.URL
	uses []use
	fetch.Result
	truncated bool
}

// use is one place where the page names an address.
type use struct {
	kind     resourceKind
	url      *weburl.URL
	evidence Evidence
}

// fetchSample asks for as much as the most demanding use needs.
func (r *run) fetchSample(ctx context.Context, s *sample) {
	if r.series != nil {
		r.series.share(ctx, r, s)
		return
	}
	r.fetchOwnSample(ctx, s)
}

// fetchOwnSample is fetchSample for an audit that shares nothing.
func (r *run) fetchOwnSample(ctx context.Context, s *sample) {
	accept, limit := s.needs()
	if limit == 0 {
		s.Result, s.truncated = r.head(ctx, s.url, accept), true
		return
	}
	found, whole := r.get(ctx, s.url, accept, limit)
	s.Result, s.truncated = found, !whole
	if limit == headRead {
		s.Body, _ = page.ToUTF8(s.Body, s.Header.Get("Content-Type"))
	}
}

// mostOf returns how many bytes of the samples will be read at most.
func mostOf(samples []*sample) (most int64) {
	for _, s := range samples {
		_, limit := s.needs()
		most += limit
	}
	return most
}

// needs says what to accept and how much of the body to read, 0 for the headers alone.
func (s *sample) needs() (accept string, limit int64) {
	accept = acceptAnything
	for _, u := range s.uses {
		switch u.kind {
		case stylesheetResource, scriptResource:
			return acceptAnything, codeRead
		case canonicalTarget, hreflangTarget:
			accept, limit = acceptPage, headRead
		case imageResource:
			accept = acceptImage
		}
	}
	return accept, limit
}

// resourcesOf returns a resource for each use of each sample, kind by kind, in the order in which they were chosen.
func resourcesOf(samples []*sample) []resource {
	var all []resource
	for kind := range resourceKinds {
		for _, s := range samples {
			for _, u := range s.uses {
				if u.kind == kind {
					all = append(all, resource{kind: kind, Result: s.Result, evidence: u.evidence, truncated: s.truncated})
				}
			}
		}
	}
	return all
}

// chooseSamples takes one address of each kind in turn until there are enough, so that a page of a thousand images has its
// links looked at too. An address that is used twice counts once.
func (r *run) chooseSamples() []*sample {
	var kinds [resourceKinds][]use
	for kind := range resourceKinds {
		kinds[kind] = r.leaveOut(kind, r.uses(kind))
	}
	var chosen []*sample
	known := map[string]*sample{}
	for left := true; left; {
		left = false
		for kind := range kinds {
			if len(kinds[kind]) == 0 {
				continue
			}
			next := kinds[kind][0]
			kinds[kind] = kinds[kind][1:]
			left = true
			address := next.url.WithoutFragment().String()
			s := known[address]
			if s == nil {
				if len(chosen) >= r.options.Samples {
					r.facts.leftOut[kind] = true
					continue
				}
				s = &sample{url: next.url}
				known[address] = s
				chosen = append(chosen, s)
			}
			s.uses = append(s.uses, next)
		}
	}
	r.facts.sample = r.facts.sampleName(chosen)
	return chosen
}
