package db

import (
	"fmt"
	"maps"
	"net/textproto"
	"slices"
	"strings"

	"golang.org/x/net/http/httpguts"
)

// refusedHeaders are those that belong to the connection (RFC 9110, section 7.6.1) or to the one who asks.
var refusedHeaders = []string{
	"Host", "Connection", "Keep-Alive", "Proxy-Connection", "Proxy-Authorization", "Proxy-Authenticate", "Te", "Trailer", "Transfer-Encoding", "Upgrade",
	"Content-Length", "Content-Type", "Accept", "Accept-Encoding", "Expect", "Range", "User-Agent",
}

// ParseCrawlHeaders reads headers of a crawl as people write them, a line of "Name: value" for each; empty lines do not count. The error says
// what is wrong with them, and repeats no value.
func ParseCrawlHeaders(lines ...string) (map[string]string, error) {
	headers := map[string]string{}
	for i, line := range lines {
		if strings.TrimSpace(line) == "" {
			continue
		}
		name, value, hasColon := strings.Cut(line, ":")
		name = strings.TrimSpace(name)
		if !hasColon || name == "" {
			return nil, fmt.Errorf("header %d is not of the form \"Name: value\"", i+1)
		}
		for other := range headers {
			if strings.EqualFold(other, name) {
				return nil, fmt.Errorf("the header %s is there twice", name)
			}
		}
		headers[name] = strings.TrimSpace(value)
	}
	if detail := headersDetail(headers); detail != "" {
		return nil, fmt.Errorf("the headers are not possible: %s", detail)
	}
	return headers, nil
}

// headersDetail says what is wrong with the headers of a crawl; "" for nothing.
func headersDetail(headers map[string]string) string {
	if len(headers) > MaxCrawlHeaders {
		return fmt.Sprintf("must have at most %d headers", MaxCrawlHeaders)
	}
	for _, name := range slices.Sorted(maps.Keys(headers)) {
		value := headers[name]
		switch {
		case !httpguts.ValidHeaderFieldName(name) || len(name) > 100:
			return fmt.Sprintf("%q is no name of a header", name)
		case slices.Contains(refusedHeaders, textproto.CanonicalMIMEHeaderKey(name)):
			return fmt.Sprintf("%s cannot be given: it belongs to the connection", name)
		case strings.TrimSpace(value) == "" || len(value) > maxHeaderValue || !httpguts.ValidHeaderFieldValue(value):
			return fmt.Sprintf("%s must have 1 to %d bytes without control characters", name, maxHeaderValue)
		}
	}
	return ""
}
