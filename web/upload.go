package web

import (
	"errors"
	"io"
	"mime/multipart"
	"net/http"
	"net/url"

	"sitegrade/brand"
)

// upload returns the fields of a form that was sent with a file, which v keeps. Of one that is too large it keeps so much that this is seen.
func (v *visit) upload() (url.Values, error) {
	v.r.Body = http.MaxBytesReader(v.ResponseWriter, v.r.Body, maxForm)
	parts, err := v.r.MultipartReader()
	if err != nil {
		return nil, malformedForm
	}
	fields := url.Values{}
	for {
		part, err := parts.NextPart()
		var tooLong *http.MaxBytesError
		switch {
		case errors.Is(err, io.EOF):
			return fields, nil
		case errors.As(err, &tooLong):
			return nil, formTooLarge
		case err != nil || fields.Has(part.FormName()):
			return nil, malformedForm
		}
		if err := v.take(part, fields); err != nil {
			return nil, err
		}
	}
}

// take reads one part of an upload.
func (v *visit) take(part *multipart.Part, fields url.Values) error {
	content, err := io.ReadAll(io.LimitReader(part, brand.MaxLogo+1))
	if err != nil {
		return malformedForm
	}
	if part.FileName() != "" {
		v.file, content = content, nil
	}
	fields.Set(part.FormName(), string(content))
	return nil
}
