package fetch

import (
	"errors"
	"io"
	"net/http"
)

// An exchange is a response whose body waits to be read. It must be closed.
type Exchange struct {
	Result
	Raw      io.ReadCloser // the body as it comes; who wants to watch it puts a reader of it in its place
	response *http.Response
	trace    *trace
	leave    func() // ends the turn
	verifier verifier
}

// Close ends the exchange, whatever of the body was not read.
func (e *Exchange) Close() {
	e.Raw.Close()
	e.leave()
}

// Length returns how many bytes the body has as it comes, -1 where the response does not say.
func (e *Exchange) Length() int64 { return e.response.ContentLength }

// JudgeTLS fills in what the handshake told. Judging a certificate takes about as long as the handshake did.
func (e *Exchange) JudgeTLS() { e.TLS = e.verifier.facts(e.response.TLS, e.URL.Hostname()) }

// Phases returns how long the phases of the request took.
func (e *Exchange) Phases() Phases { return e.trace.phases() }

// Receive returns at most limit bytes of the body as they come; cut tells that there are more.
func (e *Exchange) Receive(limit int64) (raw []byte, cut bool, err error) {
	raw, err = readUpTo(e.Raw, limit, int(min(max(e.Length(), 0), limit)))
	e.Wire = int64(len(raw))
	if errors.Is(err, ErrTooLarge) {
		return raw, true, nil
	}
	return raw, false, err
}

// Decode fills body and size from what was received.
func (e *Exchange) Decode(raw []byte, cut bool, limit int64) error {
	body, err := decode(raw, e.Encoding, limit)
	e.Body, e.Size = body, int64(len(body))
	if cut {
		return ErrTooLarge // that the coding ends in the middle is no wonder
	}
	return err
}

// Stream returns the decoded body for reading in passing, at most limit bytes on the wire.
func (e *Exchange) Stream(limit int64) (*decoder, error) {
	return newDecoder(&limitedReader{e.Raw, limit}, e.Encoding, limit)
}

// maxDiscard is how long a body may be that is read only to use its connection again.
const maxDiscard = 4 << 10

// Discard reads a short body to its end, so that the connection can be used again. One that does not say how long it is could
// keep us waiting for nothing.
func (e *Exchange) Discard() { discard(e.Raw, e.Length()) }

func discard(body io.Reader, length int64) {
	if length > 0 && length <= maxDiscard {
		io.Copy(io.Discard, body)
	}
}
