package fetchtest

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"io"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"
)

// Codings are the content codings that Encode writes; "bare" is deflate without its zlib frame.
var Codings = []string{"gzip", "x-gzip", "deflate", "bare", "br", "zstd"}

// Encode returns a body in codings, applied from left to right.
func Encode(t testing.TB, body []byte, codings ...string) []byte {
	t.Helper()
	for _, coding := range codings {
		var b bytes.Buffer
		w := newEncoder(t, &b, coding)
		if _, err := w.Write(body); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		body = b.Bytes()
	}
	return body
}

func newEncoder(t testing.TB, w io.Writer, coding string) io.WriteCloser {
	t.Helper()
	var e io.WriteCloser
	var err error
	switch coding {
	case "gzip", "x-gzip":
		e = gzip.NewWriter(w)
	case "deflate":
		e = zlib.NewWriter(w)
	case "bare":
		e, err = flate.NewWriter(w, flate.BestCompression)
	case "br":
		e = brotli.NewWriter(w)
	case "zstd":
		e, err = zstd.NewWriter(w, zstd.WithEncoderConcurrency(1))
	default:
		t.Fatalf("there is no content coding %s", coding)
	}
	if err != nil {
		t.Fatal(err)
	}
	return e
}
