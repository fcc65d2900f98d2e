package assets

import (
	"bytes"
	"strconv"
	"strings"
	"sync"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"
)

// MinCompressed is the size from which compressing a page saves a packet.
const MinCompressed = 1400

// Pages are compressed for each visit, so that speed counts; assets once, so that size does.
const (
	pageBrotli  = 3
	pageGzip    = 4
	assetBrotli = brotli.BestCompression
	assetGzip   = gzip.BestCompression
)

// PreferredCoding returns "br", "gzip" or "" for what an Accept-Encoding header takes (RFC 9110, section 12.5.3).
func PreferredCoding(accept string) string {
	takes := map[string]bool{}
	for member := range strings.SplitSeq(accept, ",") {
		coding, parameter, _ := strings.Cut(member, ";")
		weight, given := strings.CutPrefix(strings.TrimSpace(parameter), "q=")
		q, err := strconv.ParseFloat(weight, 64)
		takes[strings.ToLower(strings.TrimSpace(coding))] = !given || err == nil && q > 0
	}
	for _, coding := range []string{"br", "gzip"} {
		if taken, named := takes[coding]; taken || !named && takes["*"] {
			return coding
		}
	}
	return ""
}

var gzipWriters = sync.Pool{New: func() any {
	w, _ := gzip.NewWriterLevel(nil, pageGzip) // the level is a good one
	return w
}}

var brotliWriters = sync.Pool{New: func() any { return brotli.NewWriterLevel(nil, pageBrotli) }}

// Compressed returns a page in the coding that is preferred, and the name of the coding; "" for none.
func Compressed(accept string, page []byte) (body []byte, coding string) {
	if len(page) < MinCompressed {
		return page, ""
	}
	var b bytes.Buffer
	switch coding = PreferredCoding(accept); coding {
	case "br":
		w := brotliWriters.Get().(*brotli.Writer)
		defer brotliWriters.Put(w)
		w.Reset(&b)
		_, _ = w.Write(page) // a bytes.Buffer takes everything
		_ = w.Close()
	case "gzip":
		w := gzipWriters.Get().(*gzip.Writer)
		defer gzipWriters.Put(w)
		w.Reset(&b)
		_, _ = w.Write(page)
		_ = w.Close()
	default:
		return page, ""
	}
	return b.Bytes(), coding
}
