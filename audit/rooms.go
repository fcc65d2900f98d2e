package audit

import (
	"context"
	"errors"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"

	"sitegrade/fetch"
)

// Many audits are under way at once, and nearly all of them wait for a network. What an audit needs of this machine beside that is bounded for
// all of them together, so that neither the processor nor the memory runs short:
//
//   - Options.Workers of them use the processor, and so decode, read a page or run checks.
//   - Options.Workers of them receive a large document: one over largeSize, as it comes or decoded.
//   - Large documents take up to readingWeight bytes of memory for each of their own while they are read, and then holdingWeight until the
//     audit is done (measured with testdata/hostile.txt at 10 MiB; people's pages take as much, and are smaller). Together they get
//     documentMemory.
//   - What is linked from the page and read (styles, scripts, alternates) takes resourceMemory at most, without the first freeResources bytes
//     of each audit.
//   - largeWindows sitemaps are decoded at once whose coding may take megabytes for itself.
//
// Who finds no place waits, in order, and what somebody waits for before what nobody does (Auditor.Behind). Small pages never wait, but for
// the processor.
const (
	largeSize      = 256 << 10
	readingWeight  = 10
	holdingWeight  = 5
	documentMemory = 100 << 20
	freeResources  = 1 << 20
	resourceMemory = 96 << 20
	largeWindows   = 8
)

// rooms are the places and the memory that the audits of a process share.
type rooms struct {
	processor room
	bodies    room
	documents room // bytes
	resources room // bytes
	windows   room
	computing atomic.Int32 // places of the processor that are taken
}

func newRooms(workers int) *rooms {
	return &rooms{
		processor: newRoom(int64(workers)),
		bodies:    newRoom(int64(workers)),
		documents: newRoom(documentMemory),
		resources: newRoom(resourceMemory),
		windows:   newRoom(largeWindows),
	}
}

// room is places, or bytes, that audits share.
type room struct {
	places *semaphore.Weighted
	// behind is where those wait that nobody waits for, before they come to places. No more of them come there than find room: who is waited
	// for has no more than those before it, however many others there are.
	behind *semaphore.Weighted
}

func newRoom(n int64) room { return room{semaphore.NewWeighted(n), semaphore.NewWeighted(n)} }

// enter waits for n places. The error is that of ctx, and then none was taken.
func (r room) enter(ctx context.Context, n int64, behind bool) error {
	if !behind {
		return r.places.Acquire(ctx, n)
	}
	if err := r.behind.Acquire(ctx, n); err != nil {
		return err
	}
	err := r.places.Acquire(ctx, n)
	if err != nil {
		r.behind.Release(n)
	}
	return err
}

// leave gives back n places that were taken with the same behind.
func (r room) leave(n int64, behind bool) {
	r.places.Release(n)
	if behind {
		r.behind.Release(n)
	}
}

// allotment is what one audit has of the rooms, and its time.
type allotment struct {
	*clock
	*rooms
	behind   bool // nobody waits for it
	hasBody  bool
	document int64 // bytes held of documents

	mu        sync.Mutex // guards what follows: resources are fetched by several goroutines
	received  int64      // bytes of resources
	most      int64      // bytes of resources that are to be asked for
	resources int64      // bytes held of rooms.resources
}

func (a *Auditor) allot(ctx context.Context) *allotment {
	return &allotment{clock: startClock(ctx, a.Timeout), rooms: a.rooms, behind: a.behind}
}

// compute calls do as soon as the processor has a place. The error is that of ctx, and then do was not called.
func (o *allotment) compute(ctx context.Context, do func()) error {
	if err := o.processor.enter(ctx, 1, o.behind); err != nil {
		return err
	}
	o.useProcessor(do)
	return nil
}

// useProcessor calls do, for which there is a place, and gives the place back.
func (o *allotment) useProcessor(do func()) {
	defer o.processor.leave(1, o.behind)
	o.computing.Add(1)
	defer o.computing.Add(-1)
	do()
}

// leave gives everything back.
func (o *allotment) leave() {
	o.stop()
	o.leaveBodies()
	o.documents.leave(o.document, o.behind)
	o.rooms.resources.leave(o.resources, o.behind)
	o.document, o.resources = 0, 0
}

// enterBodies waits for a place among those that receive large documents.
func (o *allotment) enterBodies() error {
	if o.hasBody {
		return nil
	}
	err := o.await(func(ctx context.Context) error { return o.bodies.enter(ctx, 1, o.behind) })
	o.hasBody = err == nil
	return err
}

func (o *allotment) leaveBodies() {
	if o.hasBody {
		o.bodies.leave(1, o.behind)
		o.hasBody = false
	}
}

// computeAlone is compute without the wait counting as time of the audit. Only one goroutine may be at work for it.
func (o *allotment) computeAlone(do func()) error {
	if err := o.await(func(ctx context.Context) error { return o.processor.enter(ctx, 1, o.behind) }); err != nil {
		return err
	}
	o.useProcessor(do)
	return nil
}

// holdDocument waits for the memory that reading a document of that size takes.
func (o *allotment) holdDocument(size int) error {
	defer o.leaveBodies()
	if size <= largeSize {
		return nil
	}
	wanted := min(int64(size)*readingWeight, documentMemory)
	if err := o.await(func(ctx context.Context) error { return o.documents.enter(ctx, wanted, o.behind) }); err != nil {
		return err
	}
	o.document = wanted
	return nil
}

// shrinkDocument gives back what only the reading took.
func (o *allotment) shrinkDocument() {
	surplus := o.document - o.document*holdingWeight/readingWeight
	o.documents.leave(surplus, o.behind)
	o.document -= surplus
}

// receive fills the body of a document, and returns when the last of it came, without our own waits.
func (o *allotment) receive(e *fetch.Exchange, limit int64) (end time.Time, err error) {
	small := min(limit, largeSize)
	if e.Length() > small {
		if err := o.enterBodies(); err != nil {
			return end, err
		}
	} else {
		e.Raw = &gate{ReadCloser: e.Raw, free: small, open: o.enterBodies}
	}
	waited := o.waited
	raw, cut, err := e.Receive(limit)
	end = time.Now().Add(waited - o.waited)
	if err != nil {
		return end, err
	}
	if !o.hasBody {
		err := o.decode(e, raw, cut, small)
		if !errors.Is(err, fetch.ErrTooLarge) || small == limit {
			return end, err
		}
		if err := o.enterBodies(); err != nil { // it is small as it comes, and large decoded
			return end, err
		}
	}
	return end, o.decode(e, raw, cut, limit)
}

// decode decodes a document when the processor has a place.
func (o *allotment) decode(e *fetch.Exchange, raw []byte, cut bool, limit int64) error {
	var err error
	if waiting := o.computeAlone(func() { err = e.Decode(raw, cut, limit) }); waiting != nil {
		return waiting
	}
	return err
}

// expectResources tells how many bytes of resources will be asked for at most.
func (o *allotment) expectResources(n int64) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.most = n
}

// holdResource counts bytes of a resource that were received, and waits for memory when they are more than every audit may have.
func (o *allotment) holdResource(ctx context.Context, n int64) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.received += n
	if o.received <= freeResources || o.resources > 0 {
		return nil
	}
	wanted := min(max(o.most, freeResources), resourceMemory)
	if err := o.rooms.resources.enter(ctx, wanted, o.behind); err != nil {
		return err
	}
	o.resources = wanted
	return nil
}

// gate is a body of which so many bytes are free; open is called before more of it are handed out.
type gate struct {
	io.ReadCloser
	free int64
	open func() error
}

func (g *gate) Read(p []byte) (int, error) {
	n, err := g.ReadCloser.Read(p)
	if g.free -= int64(n); g.free < 0 && g.open != nil {
		open := g.open
		g.open = nil
		if err := open(); err != nil {
			return n, err
		}
	}
	return n, err
}

// countedBody is a body whose bytes are counted as they come.
type countedBody struct {
	io.ReadCloser
	count func(int64) error
}

func (c *countedBody) Read(p []byte) (int, error) {
	n, err := c.ReadCloser.Read(p)
	if err := c.count(int64(n)); err != nil {
		return n, err
	}
	return n, err
}
