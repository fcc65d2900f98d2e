package robots

import (
	"bytes"
	"strings"

	"golang.org/x/text/encoding/unicode"
)

// decode returns a file as UTF-8, without the mark that tells its encoding. Google's parser takes what is there of the mark of UTF-8.
func decode(body []byte) []byte {
	if bytes.HasPrefix(body, []byte("\xff\xfe")) || bytes.HasPrefix(body, []byte("\xfe\xff")) {
		decoded, err := unicode.UTF16(unicode.LittleEndian, unicode.ExpectBOM).NewDecoder().Bytes(body[:min(len(body), 2*MaxSize+2)])
		if err == nil {
			return decoded
		}
	}
	for _, c := range []byte("\xef\xbb\xbf") {
		if len(body) == 0 || body[0] != c {
			break
		}
		body = body[1:]
	}
	return body
}

// beginsAsMarkup reports whether a file is an HTML page. Some people write their rules into one.
func beginsAsMarkup(body []byte) bool {
	body = bytes.TrimLeft(body[:min(len(body), 1024)], " \t\r\n")
	return bytes.HasPrefix(body, []byte("<"))
}

// withoutTags returns a line without the tags in it.
func withoutTags(line string) string {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(line, "<")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		if _, line, found = strings.Cut(rest, ">"); !found {
			return b.String()
		}
	}
}
