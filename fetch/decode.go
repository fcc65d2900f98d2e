package fetch

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zlib"
	"github.com/klauspost/compress/zstd"
)

var (
	// ErrTooLarge is what reading a body ends with when there is more of it than may be read.
	ErrTooLarge = errors.New("body over its limit")

	errNotDecoded = errors.New("body not in its content coding")
)

const (
	// maxCodings is how many content codings lie over each other at most. More than one is a mistake that browsers forgive;
	// many are an attack.
	maxCodings = 2
	// zstdWindow is the largest window of the content coding zstd (RFC 9659).
	zstdWindow = 8 << 20
)

// decode returns a body without its content codings: at most limit bytes of it, and ErrTooLarge when there are more. What could be
// decoded comes beside an error too.
func decode(raw []byte, codings string, limit int64) ([]byte, error) {
	if len(raw) == 0 || codings == "" {
		return raw, nil
	}
	r, err := newDecoder(bytes.NewReader(raw), codings, limit)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	body, err := readUpTo(r, limit, 4*len(raw))
	if err != nil && !errors.Is(err, ErrTooLarge) {
		err = fmt.Errorf("%w: %w", errNotDecoded, err)
	}
	return body, err
}

// readUpTo returns at most limit bytes, and ErrTooLarge when there are more. The hint is about how many there will be. Memory grows to the
// limit and not beyond, where a bytes.Buffer would take up to twice of it.
func readUpTo(r io.Reader, limit int64, hint int) ([]byte, error) {
	b := make([]byte, 0, min(max(int64(hint), 512), limit)+1)
	for {
		n, err := r.Read(b[len(b):cap(b)])
		b = b[:len(b)+n]
		switch {
		case int64(len(b)) > limit:
			return b[:limit], ErrTooLarge
		case err == io.EOF:
			return b, nil
		case err != nil:
			return b, err
		case len(b) == cap(b):
			b = append(make([]byte, 0, min(2*int64(cap(b)), limit+1)), b...)
		}
	}
}

// decoder reads through content codings. Close frees their memory; it does not close what they read from.
type decoder struct {
	io.Reader
	layers []io.Closer
}

// newDecoder returns a reader of a body in these codings (the value of Content-Encoding, lower case). A coding in between may yield
// limit bytes, since one that yields gigabytes for the next to swallow would never be noticed at the end. Names of no
// coding are passed over, as browsers do.
func newDecoder(r io.Reader, codings string, limit int64) (*decoder, error) {
	d := &decoder{Reader: r}
	names := strings.Split(codings, ",")
	for i := len(names) - 1; i >= 0; i-- { // the last one was applied last
		layer, err := newLayer(strings.TrimSpace(names[i]), d.Reader)
		if errors.Is(err, errNoCoding) {
			continue
		}
		if err != nil {
			d.Close()
			return nil, fmt.Errorf("%w: %w", errNotDecoded, err)
		}
		if len(d.layers) == maxCodings {
			layer.Close()
			d.Close()
			return nil, fmt.Errorf("%w: more than %d codings", errNotDecoded, maxCodings)
		}
		d.layers = append(d.layers, layer)
		d.Reader = &limitedReader{layer, limit}
	}
	return d, nil
}

// NeedsWindow reports whether reading a body in these codings takes megabytes for the window of one of them, where gzip's has 32 KiB.
func NeedsWindow(codings string) bool {
	return strings.Contains(codings, "br") || strings.Contains(codings, "zstd")
}

func (d *decoder) Close() {
	for _, layer := range d.layers {
		layer.Close()
	}
}

var errNoCoding = errors.New("there is no such coding")

// newLayer returns the reader of one coding. The error is errNoCoding when there is no coding of that name.
func newLayer(coding string, r io.Reader) (io.ReadCloser, error) {
	switch coding {
	case "gzip", "x-gzip":
		return gzip.NewReader(r)
	case "deflate":
		return newDeflate(r)
	case "br":
		return io.NopCloser(brotli.NewReader(r)), nil
	case "zstd":
		z, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(zstdWindow))
		if err != nil {
			return nil, err
		}
		return z.IOReadCloser(), nil
	}
	return nil, errNoCoding
}

// newDeflate reads what the name means by the standard (zlib) and what some servers send instead (bare deflate).
func newDeflate(r io.Reader) (io.ReadCloser, error) {
	b := bufio.NewReader(r)
	if head, err := b.Peek(2); err == nil && head[0]&0x0f == 8 && (uint(head[0])<<8|uint(head[1]))%31 == 0 {
		return zlib.NewReader(b)
	}
	return flate.NewReader(b), nil
}

// limitedReader fails with ErrTooLarge where io.LimitReader would pretend an end.
type limitedReader struct {
	r    io.Reader
	left int64
}

func (l *limitedReader) Read(p []byte) (int, error) {
	if l.left < 0 {
		return 0, ErrTooLarge
	}
	n, err := l.r.Read(p[:min(int64(len(p)), l.left+1)])
	if l.left -= int64(n); l.left < 0 {
		return n, ErrTooLarge
	}
	return n, err
}
