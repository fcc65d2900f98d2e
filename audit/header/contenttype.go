package header

import (
	"net/http"
	"strings"
)

// MIMEType returns the type of a response without its parameters, in lower case.
func MIMEType(h http.Header) string {
	mime, _, _ := strings.Cut(h.Get("Content-Type"), ";")
	return strings.ToLower(strings.TrimSpace(mime))
}
