package audit

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"
)

// encoders write the content codings, by name; "bare" is deflate without its zlib frame.
var encoders = map[string]func(io.Writer) io.WriteCloser{
	"gzip":    func(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) },
	"x-gzip":  func(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) },
	"deflate": func(w io.Writer) io.WriteCloser { return zlib.NewWriter(w) },
	"bare": func(w io.Writer) io.WriteCloser {
		f, _ := flate.NewWriter(w, flate.BestCompression)
		return f
	},
	"br": func(w io.Writer) io.WriteCloser { return brotli.NewWriter(w) },
	"zstd": func(w io.Writer) io.WriteCloser {
		z, _ := zstd.NewWriter(w, zstd.WithEncoderConcurrency(1))
		return z
	},
}

// encode returns a body in codings, applied from left to right.
func encode(t testing.TB, body []byte, codings ...string) []byte {
	t.Helper()
	for _, coding := range codings {
		var b bytes.Buffer
		w := encoders[coding](&b)
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

func TestDecode(t *testing.T) {
	page := []byte(strings.Repeat("<p>some text</p>", 1000))
	tests := []struct {
		header string
		raw    []byte
	}{
		{"", page},
		{"identity", page},
		{"unheard-of", page},
		{"gzip", encode(t, page, "gzip")},
		{"x-gzip", encode(t, page, "x-gzip")},
		{"gzip", append(encode(t, page[:100], "gzip"), encode(t, page[100:], "gzip")...)},
		{"deflate", encode(t, page, "deflate")},
		{"deflate", encode(t, page, "bare")},
		{"br", encode(t, page, "br")},
		{"zstd", encode(t, page, "zstd")},
		{"gzip, br", encode(t, page, "gzip", "br")},
		{"identity,gzip ,identity", encode(t, page, "gzip")},
	}
	for _, test := range tests {
		got, err := decode(test.raw, test.header, 1<<20)
		if err != nil || !bytes.Equal(got, page) {
			t.Errorf("%q gives %d bytes and %v, want %d", test.header, len(got), err, len(page))
		}
		got, err = decode(test.raw, test.header, 1000)
		if test.header != "" && test.header != "identity" && test.header != "unheard-of" {
			if !errors.Is(err, errTooLarge) || !bytes.Equal(got, page[:1000]) {
				t.Errorf("%q with a limit of 1000 gives %d bytes and %v", test.header, len(got), err)
			}
		}
		if got, err := decode(nil, test.header, 1000); err != nil || len(got) != 0 {
			t.Errorf("%q of nothing gives %q, %v", test.header, got, err)
		}
	}
}

func TestDecodeDamaged(t *testing.T) {
	page := []byte(strings.Repeat("<p>some text</p>", 1000))
	for coding := range encoders {
		whole := encode(t, page, coding)
		header := strings.Replace(coding, "bare", "deflate", 1)
		if _, err := decode(whole[:len(whole)/2], header, 1<<20); !errors.Is(err, errNotDecoded) {
			t.Errorf("half of %s gives %v", coding, err)
		}
		if _, err := decode([]byte("<!doctype html>"), header, 1<<20); !errors.Is(err, errNotDecoded) {
			t.Errorf("%s that is HTML gives %v", coding, err)
		}
	}
	if _, err := decode(encode(t, page, "gzip", "gzip", "gzip"), "gzip, gzip, gzip", 1<<20); !errors.Is(err, errNotDecoded) {
		t.Errorf("three codings give %v", err)
	}
}

// A page of a few kilobytes on the wire and gigabytes decoded must end at the limit.
func TestBombs(t *testing.T) {
	zeros := make([]byte, 16<<20)
	for coding := range encoders {
		header := strings.Replace(coding, "bare", "deflate", 1)
		bomb := encode(t, zeros, coding)
		s := serve(t, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Encoding", header)
			w.Header().Set("Content-Type", "text/html")
			w.Write(bomb)
		})
		if code := fetchCode(t, newAuditor(t, Options{MaxSize: 1 << 20}), s.URL); code != CodeTooLarge {
			t.Errorf("a bomb of %s, %d bytes, gives %q", coding, len(bomb), code)
		}
	}
}

// What a coding in the middle yields counts, though the last one swallows it.
func TestBombInTheMiddle(t *testing.T) {
	nothing := bytes.Repeat(encode(t, nil, "gzip"), 1<<17) // empty members of gzip decode to nothing
	raw := encode(t, nothing, "gzip")
	if _, err := decode(raw, "gzip, gzip", 1<<20); !errors.Is(err, errTooLarge) {
		t.Errorf("%d bytes that decode to %d and then to nothing give %v", len(raw), len(nothing), err)
	}
}

func FuzzDecode(f *testing.F) {
	for coding := range encoders {
		f.Add(encode(f, []byte("some text, some text"), coding), strings.Replace(coding, "bare", "deflate", 1))
	}
	f.Fuzz(func(t *testing.T, raw []byte, codings string) {
		if codings == "" { // as it came, and that was limited
			return
		}
		if body, _ := decode(raw, codings, 1000); len(body) > 1000 {
			t.Errorf("%d bytes over a limit of 1000", len(body))
		}
	})
}
