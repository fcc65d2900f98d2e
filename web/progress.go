package web

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/google/uuid"
)

// How many streams of events may be open at once, how long each lasts before the browser opens another, which also looks anew
// whether it may, and how often a stream looks whether the audit has begun.
const (
	maxStreams     = 500
	streamLife     = time.Minute
	streamInterval = time.Second
)

// streamEvents tells a page where its report stands, as server-sent events: "status" with queued or running as it changes, and
// "done" when there is something new to be seen.
func (w *Web) streamEvents(v *visit) error {
	id, err := v.pathID()
	if err != nil {
		return err
	}
	if _, err := w.store.Status(v.r.Context(), v.key.Account, id); err != nil {
		return err
	}
	return w.stream(v, func(ctx context.Context) { w.follow(ctx, v, id) })
}

// follow sends events until the report is finished or ctx ends.
func (w *Web) follow(ctx context.Context, v *visit, id uuid.UUID) {
	said := ""
	for ctx.Err() == nil {
		status, err := w.store.Status(ctx, v.key.Account, id)
		switch {
		case ctx.Err() != nil:
			return
		case err != nil, !status.Unfinished(): // also a deleted one: the page then says so
			_ = v.event("done", status.String())
			return
		case status.String() != said:
			said = status.String()
			if v.event("status", said) != nil {
				return
			}
		}
		if err := w.waitShortly(ctx, v.key.Account, id); err != nil && !errors.Is(err, context.DeadlineExceeded) {
			return
		}
	}
}

// waitShortly waits for the report, at most for streamInterval.
func (w *Web) waitShortly(ctx context.Context, account string, id uuid.UUID) error {
	ctx, cancel := context.WithTimeout(ctx, streamInterval)
	defer cancel()
	return w.worker.Wait(ctx, account, id)
}

// stream sends the events of follow for as long as a stream lasts.
func (w *Web) stream(v *visit, follow func(context.Context)) error {
	select {
	case w.streams <- struct{}{}:
		defer func() { <-w.streams }()
	default:
		return busy
	}
	v.Header().Set("Content-Type", "text/event-stream")
	v.Header().Set("X-Accel-Buffering", "no") // for nginx, which would hold events back
	_ = http.NewResponseController(v.ResponseWriter).SetWriteDeadline(w.Now().Add(2 * streamLife))
	v.WriteHeader(http.StatusOK)
	if v.r.Method == http.MethodHead {
		return nil
	}
	ctx, cancel := context.WithTimeout(v.r.Context(), streamLife)
	defer cancel()
	follow(ctx)
	return nil
}

// event sends an event at once. The error says that the client is gone.
func (v *visit) event(name, data string) error {
	_, err := fmt.Fprintf(v, "event: %s\ndata: %s\n\n", name, data)
	return errors.Join(err, http.NewResponseController(v.ResponseWriter).Flush())
}
