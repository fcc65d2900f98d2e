package audit

import (
	"errors"
	"io"
	"net/http"
)

// An exchange is an answer whose body waits to be read. It must be closed.
type exchange struct {
	fetched
	answer *http.Response
	trace  *trace
}

func (e *exchange) close() { e.answer.Body.Close() }

// read fills body, size and wire with at most limit bytes of the body, on the wire and decoded. The error is errTooLarge when there
// is more; what fits is kept all the same.
func (e *exchange) read(limit int64) error {
	raw, cut, err := e.receive(limit)
	if err != nil {
		return err
	}
	return e.decode(raw, cut, limit)
}

// receive returns at most limit bytes of the body as they come; cut tells that there are more.
func (e *exchange) receive(limit int64) (raw []byte, cut bool, err error) {
	raw, err = readUpTo(e.answer.Body, limit, int(min(max(e.answer.ContentLength, 0), limit)))
	e.wire = int64(len(raw))
	if errors.Is(err, errTooLarge) {
		return raw, true, nil
	}
	return raw, false, err
}

// decode fills body and size from what was received.
func (e *exchange) decode(raw []byte, cut bool, limit int64) error {
	body, err := decode(raw, e.encoding, limit)
	e.body, e.size = body, int64(len(body))
	if cut {
		return errTooLarge // that the coding ends in the middle is no wonder
	}
	return err
}

// stream returns the decoded body for reading in passing, at most limit bytes on the wire.
func (e *exchange) stream(limit int64) (*decoder, error) {
	return newDecoder(&limitedReader{e.answer.Body, limit}, e.encoding, limit)
}

// maxDiscard is how long a body may be that is read only to use its connection again.
const maxDiscard = 4 << 10

// discard reads a short body to its end, so that the connection can be used again. One that does not say how long it is could
// keep us waiting for nothing.
func (e *exchange) discard() {
	if n := e.answer.ContentLength; n > 0 && n <= maxDiscard {
		io.Copy(io.Discard, e.answer.Body)
	}
}
