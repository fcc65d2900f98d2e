package brand

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/jpeg"
	"image/png"
	"mime"

	"golang.org/x/image/draw"
	"golang.org/x/image/webp"
)

// What a logo may be when it is sent.
const (
	MaxLogo     = 256 << 10 // bytes
	MaxLogoSide = 4096      // pixels
)

// What is kept of it: pages show it smaller than this, on screens of three dots a pixel and on paper.
const keptWidth, keptHeight = 640, 240

// maxScans is how many passes a JPEG may have: each goes over all pixels, however few bytes it has. Cameras and editors write 10 or so.
const maxScans = 64

const (
	pngType  = "image/png"
	jpegType = "image/jpeg"
	webpType = "image/webp"
)

// decoders are of the formats that logos may have.
var decoders = map[string]struct {
	config func([]byte) (image.Config, error)
	decode func([]byte) (image.Image, error)
}{
	pngType: {
		func(b []byte) (image.Config, error) { return png.DecodeConfig(bytes.NewReader(b)) },
		func(b []byte) (image.Image, error) { return png.Decode(bytes.NewReader(b)) },
	},
	jpegType: {
		func(b []byte) (image.Config, error) { return jpeg.DecodeConfig(bytes.NewReader(b)) },
		func(b []byte) (image.Image, error) { return jpeg.Decode(bytes.NewReader(b)) },
	},
	webpType: {
		func(b []byte) (image.Config, error) { return webp.DecodeConfig(bytes.NewReader(b)) },
		func(b []byte) (image.Image, error) { return webp.Decode(bytes.NewReader(b)) },
	},
}

// decoding has an element while a logo is decoded: a picture of the largest size takes 128 MB meanwhile.
var decoding = make(chan struct{}, 1)

// Logo reads a picture, and writes its pixels anew as a PNG, or a JPEG where it was one: nothing else of the file is left. declared is the
// media type that its sender gave; "" for none. The error says in a sentence about the picture what is wrong.
func Logo(sent []byte, declared string) (mediaType string, data []byte, err error) {
	if len(sent) == 0 {
		return "", nil, errors.New("is required: a PNG, JPEG or WebP picture as the body")
	}
	if len(sent) > MaxLogo {
		return "", nil, fmt.Errorf("must have at most %d KiB", MaxLogo>>10)
	}
	found := kindOf(sent)
	decoder, known := decoders[found]
	if !known {
		return "", nil, errors.New("must be a PNG, JPEG or WebP picture, and what was sent is none of them")
	}
	if err := agrees(declared, found); err != nil {
		return "", nil, err
	}
	decoding <- struct{}{}
	defer func() { <-decoding }()
	size, err := decoder.config(sent)
	switch {
	case err != nil:
		return "", nil, fmt.Errorf("cannot be read as %s: the file is damaged, or of a kind that browsers do not show as a still picture", found)
	case size.Width > MaxLogoSide || size.Height > MaxLogoSide || size.Width < 1 || size.Height < 1:
		return "", nil, fmt.Errorf("must have at most %d pixels a side, and has %d by %d", MaxLogoSide, size.Width, size.Height)
	case found == jpegType && bytes.Count(sent, []byte{0xff, 0xda}) > maxScans:
		return "", nil, fmt.Errorf("must have at most %d passes: save it anew with an editor of pictures", maxScans)
	}
	picture, err := decoder.decode(sent)
	if err != nil {
		return "", nil, fmt.Errorf("cannot be read as %s: the file is damaged or not whole", found)
	}
	return encode(fit(picture), found)
}

// kindOf returns the media type of a picture by its beginning; "" for something else.
func kindOf(b []byte) string {
	switch {
	case bytes.HasPrefix(b, []byte("\x89PNG\r\n\x1a\n")):
		return pngType
	case bytes.HasPrefix(b, []byte{0xff, 0xd8, 0xff}):
		return jpegType
	case len(b) > 12 && string(b[:4]) == "RIFF" && string(b[8:12]) == "WEBP":
		return webpType
	}
	return ""
}

// agrees returns nil unless the sender says that a picture is something else than it is. Programs that know no better send it as bytes or,
// as curl does, as a form.
func agrees(declared, found string) error {
	media, _, err := mime.ParseMediaType(declared)
	if declared == "" || err == nil && (media == found || media == "application/octet-stream" || media == "application/x-www-form-urlencoded") {
		return nil
	}
	return fmt.Errorf("is sent as %q, and is %s: send it as what it is", declared, found)
}

// fit returns a picture that is no larger than what is kept, with its pixels alone.
func fit(p image.Image) *image.NRGBA {
	from := p.Bounds()
	scale := min(1, float64(keptWidth)/float64(from.Dx()), float64(keptHeight)/float64(from.Dy()))
	to := image.NewNRGBA(image.Rect(0, 0, max(1, int(float64(from.Dx())*scale+0.5)), max(1, int(float64(from.Dy())*scale+0.5))))
	draw.CatmullRom.Scale(to, to.Bounds(), p, from, draw.Src, nil)
	return to
}

func encode(p *image.NRGBA, found string) (string, []byte, error) {
	var b bytes.Buffer
	if found == jpegType {
		err := jpeg.Encode(&b, p, &jpeg.Options{Quality: 92})
		return jpegType, b.Bytes(), err
	}
	err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&b, p)
	return pngType, b.Bytes(), err
}
