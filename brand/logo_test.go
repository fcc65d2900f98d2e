package brand

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"strings"
	"testing"
)

const script = `<script>alert(1)</script>`

// picture is one of so many pixels, half of them transparent.
func picture(width, height int) image.Image {
	p := image.NewNRGBA(image.Rect(0, 0, width, height))
	for x := range width / 2 {
		for y := range height {
			p.Set(x, y, color.NRGBA{R: 200, G: uint8(x), B: uint8(y), A: 255})
		}
	}
	return p
}

func encoded(t *testing.T, encode func(*bytes.Buffer) error) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := encode(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func pngOf(t *testing.T, p image.Image) []byte {
	return encoded(t, func(b *bytes.Buffer) error { return png.Encode(b, p) })
}

func jpegOf(t *testing.T, p image.Image) []byte {
	return encoded(t, func(b *bytes.Buffer) error { return jpeg.Encode(b, p, nil) })
}

func webpOf(t *testing.T, text string) []byte {
	b, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// chunk is one of a PNG.
func chunk(name, data string) []byte {
	b := binary.BigEndian.AppendUint32(nil, uint32(len(data)))
	b = append(append(b, name...), data...)
	return binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b[4:]))
}

// withText puts a comment behind the header of a PNG, and a script behind its end.
func withText(b []byte) []byte {
	const header = 8 + 25
	return append(append(append(bytes.Clone(b[:header]), chunk("tEXt", "Comment\x00"+script)...), b[header:]...), script...)
}

// withSize gives a PNG another size in its header than it has pixels.
func withSize(b []byte, width, height uint32) []byte {
	header := binary.BigEndian.AppendUint32(nil, width)
	header = append(binary.BigEndian.AppendUint32(header, height), b[24:29]...)
	return append(append(bytes.Clone(b[:8]), chunk("IHDR", string(header))...), b[33:]...)
}

func TestLogoIsMadeAnew(t *testing.T) {
	exif := jpegOf(t, picture(40, 20))
	comment := "\xff\xfe" + string(binary.BigEndian.AppendUint16(nil, uint16(len(script)+2))) + script
	exif = append(append(bytes.Clone(exif[:2]), comment...), exif[2:]...)
	for name, c := range map[string]struct {
		sent           []byte
		declared, kept string
		width, height  int
	}{
		"png":           {pngOf(t, picture(40, 20)), "image/png", pngType, 40, 20},
		"png with text": {withText(pngOf(t, picture(40, 20))), "", pngType, 40, 20},
		"large png":     {pngOf(t, picture(4096, 64)), "application/octet-stream", pngType, 640, 10},
		"high png":      {pngOf(t, picture(1, 4096)), "image/png", pngType, 1, 240},
		"jpeg":          {exif, "image/jpeg", jpegType, 40, 20},
		"lossy webp":    {webpOf(t, "UklGRiQAAABXRUJQVlA4IBgAAAAwAQCdASoBAAEAAwA0JaQAA3AA/vuUAAA="), "image/webp", pngType, 1, 1},
		"lossless webp": {webpOf(t, "UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA=="), "application/x-www-form-urlencoded", pngType, 1, 1},
	} {
		mediaType, data, err := Logo(c.sent, c.declared)
		if err != nil || mediaType != c.kept || bytes.Contains(data, []byte("script")) {
			t.Errorf("%s: %s with %d bytes, %v", name, mediaType, len(data), err)
			continue
		}
		size, format, err := image.DecodeConfig(bytes.NewReader(data))
		if err != nil || "image/"+format != c.kept || size.Width != c.width || size.Height != c.height {
			t.Errorf("%s: %d by %d as %s, %v", name, size.Width, size.Height, format, err)
		}
	}
}

func TestLogoIsRefused(t *testing.T) {
	small := pngOf(t, picture(40, 20))
	many := append(jpegOf(t, picture(8, 8)), bytes.Repeat([]byte{0xff, 0xda}, 100)...)
	for name, c := range map[string]struct {
		sent     []byte
		declared string
		want     string
	}{
		"nothing":               {nil, "image/png", "is required"},
		"svg":                   {[]byte(`<svg xmlns="http://www.w3.org/2000/svg">` + script + `</svg>`), "image/svg+xml", "PNG, JPEG or WebP"},
		"svg as png":            {[]byte(`<?xml version="1.0"?><svg/>`), "image/png", "PNG, JPEG or WebP"},
		"script":                {[]byte(script), "image/png", "PNG, JPEG or WebP"},
		"script behind a start": {[]byte("\x89PNG\r\n\x1a\n" + script), "image/png", "cannot be read"},
		"gif":                   {encoded(t, func(b *bytes.Buffer) error { return gif.Encode(b, picture(4, 4), nil) }), "image/gif", "PNG, JPEG or WebP"},
		"png as jpeg":           {small, "image/jpeg", "is sent as"},
		"png as a page":         {small, "text/html", "is sent as"},
		"broken off":            {small[:len(small)/2], "image/png", "not whole"},
		"bomb":                  {withSize(small, 60_000, 60_000), "image/png", "4096 pixels a side"},
		"one pixel too many":    {withSize(small, 4097, 1), "image/png", "4096 pixels a side"},
		"claims a lot":          {withSize(small, 4096, 4096), "image/png", "not whole"},
		"too many passes":       {many, "image/jpeg", "passes"},
		"too many bytes":        {append(small, make([]byte, MaxLogo)...), "image/png", "256 KiB"},
		"half a webp":           {[]byte("RIFF\x24\x00\x00\x00WEBPVP8 "), "image/webp", "cannot be read"},
	} {
		if mediaType, _, err := Logo(c.sent, c.declared); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %s, %v", name, mediaType, err)
		}
	}
}
