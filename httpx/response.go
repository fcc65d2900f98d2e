package httpx

import (
	"io"
	"net/http"
	"strconv"
)

// response is a ResponseWriter that keeps the status.
type response struct {
	http.ResponseWriter
	info    Info
	context infoContext // of the request, which is allocated with it
}

// Unwrap lets http.ResponseController reach the connection.
func (w *response) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// WriteHeader keeps the status of the response itself, not those of the interim responses before it (1xx).
func (w *response) WriteHeader(status int) {
	if w.info.status == 0 && (status >= http.StatusOK || status == http.StatusSwitchingProtocols) {
		w.info.status = status
	}
	w.ResponseWriter.WriteHeader(status)
}

// Write begins a response with the status 200 where none was written.
func (w *response) Write(b []byte) (int, error) {
	if w.info.status == 0 {
		w.info.status = http.StatusOK
	}
	return w.ResponseWriter.Write(b)
}

// Send writes a whole response. A HEAD request gets all of it but the body.
func Send(w http.ResponseWriter, r *http.Request, status int, mediaType string, body []byte) {
	h := w.Header()
	h.Set("Content-Type", mediaType)
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		_, _ = w.Write(body) // a client that is gone cannot be told
	}
}

// ReadBody returns the body of a request. The error is an *http.MaxBytesError when it has more bytes than most, and the connection ends
// with the response then.
func ReadBody(w http.ResponseWriter, r *http.Request, most int64) ([]byte, error) {
	return io.ReadAll(http.MaxBytesReader(innermost(w), r.Body, most))
}

// innermost returns the server's own writer, which alone lets MaxBytesReader end the connection.
func innermost(w http.ResponseWriter) http.ResponseWriter {
	for {
		around, ok := w.(interface{ Unwrap() http.ResponseWriter })
		if !ok {
			return w
		}
		w = around.Unwrap()
	}
}
