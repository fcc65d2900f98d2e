package fetch

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"sitegrade/fetch/fetchtest"
)

func TestDecode(t *testing.T) {
	page := []byte(strings.Repeat("<p>some text</p>", 1000))
	tests := []struct {
		header string
		raw    []byte
	}{
		{"", page},
		{"identity", page},
		{"unheard-of", page},
		{"gzip", fetchtest.Encode(t, page, "gzip")},
		{"x-gzip", fetchtest.Encode(t, page, "x-gzip")},
		{"gzip", append(fetchtest.Encode(t, page[:100], "gzip"), fetchtest.Encode(t, page[100:], "gzip")...)},
		{"deflate", fetchtest.Encode(t, page, "deflate")},
		{"deflate", fetchtest.Encode(t, page, "bare")},
		{"br", fetchtest.Encode(t, page, "br")},
		{"zstd", fetchtest.Encode(t, page, "zstd")},
		{"gzip, br", fetchtest.Encode(t, page, "gzip", "br")},
		{"identity,gzip ,identity", fetchtest.Encode(t, page, "gzip")},
	}
	for _, test := range tests {
		got, err := decode(test.raw, test.header, 1<<20)
		if err != nil || !bytes.Equal(got, page) {
			t.Errorf("%q gives %d bytes and %v, want %d", test.header, len(got), err, len(page))
		}
		got, err = decode(test.raw, test.header, 1000)
		if test.header != "" && test.header != "identity" && test.header != "unheard-of" {
			if !errors.Is(err, ErrTooLarge) || !bytes.Equal(got, page[:1000]) {
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
	for _, coding := range fetchtest.Codings {
		whole := fetchtest.Encode(t, page, coding)
		header := strings.Replace(coding, "bare", "deflate", 1)
		if _, err := decode(whole[:len(whole)/2], header, 1<<20); !errors.Is(err, errNotDecoded) {
			t.Errorf("half of %s gives %v", coding, err)
		}
		if _, err := decode([]byte("<!doctype html>"), header, 1<<20); !errors.Is(err, errNotDecoded) {
			t.Errorf("%s that is HTML gives %v", coding, err)
		}
	}
	if _, err := decode(fetchtest.Encode(t, page, "gzip", "gzip", "gzip"), "gzip, gzip, gzip", 1<<20); !errors.Is(err, errNotDecoded) {
		t.Errorf("three codings give %v", err)
	}
}

// What a coding in the middle yields counts, though the last one swallows it.
func TestBombInTheMiddle(t *testing.T) {
	nothing := bytes.Repeat(fetchtest.Encode(t, nil, "gzip"), 1<<17) // empty members of gzip decode to nothing
	raw := fetchtest.Encode(t, nothing, "gzip")
	if _, err := decode(raw, "gzip, gzip", 1<<20); !errors.Is(err, ErrTooLarge) {
		t.Errorf("%d bytes that decode to %d and then to nothing give %v", len(raw), len(nothing), err)
	}
}

func FuzzDecode(f *testing.F) {
	for _, coding := range fetchtest.Codings {
		f.Add(fetchtest.Encode(f, []byte("some text, some text"), coding), strings.Replace(coding, "bare", "deflate", 1))
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
