package api

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"sitegrade/httpx"
)

// preference is how long a request wants to wait, and what the response says of that in Preference-Applied; "" when the request
// did not say.
type preference struct {
	wait    time.Duration
	applied string
}

// preferred reads the Prefer headers (RFC 7240). respond-async beats wait, which is cut at MaxWait; of a preference that comes
// twice the first counts; what is unknown or malformed is ignored.
func preferred(h http.Header, otherwise time.Duration) preference {
	var async, waits bool
	var wait int
	for _, line := range h.Values("Prefer") {
		for part := range httpx.SplitQuoted(line, ',') {
			name, value := preferenceOf(part)
			switch name {
			case "respond-async":
				async = async || value == ""
			case "wait":
				if n, ok := deltaSeconds(value); ok && !waits {
					waits, wait = true, min(n, int(MaxWait/time.Second))
				}
			}
		}
	}
	switch {
	case async:
		return preference{applied: "respond-async"}
	case waits:
		return preference{wait: time.Duration(wait) * time.Second, applied: "wait=" + strconv.Itoa(wait)}
	}
	return preference{wait: otherwise}
}

// preferenceOf returns name and value of one preference, without its parameters.
func preferenceOf(part string) (name, value string) {
	for piece := range httpx.SplitQuoted(part, ';') {
		name, value, _ = strings.Cut(piece, "=")
		break
	}
	return strings.ToLower(strings.TrimSpace(name)), httpx.Unquote(strings.TrimSpace(value))
}

// deltaSeconds reads a number of seconds. One that is too large for an int is as long as any.
func deltaSeconds(s string) (int, bool) {
	if s == "" || strings.Trim(s, "0123456789") != "" {
		return 0, false
	}
	n, err := strconv.Atoi(s)
	if err != nil {
		return int(MaxWait / time.Second), true
	}
	return n, true
}
