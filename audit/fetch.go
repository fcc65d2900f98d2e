package audit

import (
	"fmt"
	"net/http"
	"strings"
	"time"

	"sitegrade/audit/header"
	"sitegrade/weburl"
)

// acceptPage is what a browser accepts when somebody follows a link.
const acceptPage = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"

// fetchedPage is a document as it came.
type fetchedPage struct {
	fetched
	timings Timings
}

// fetchPage fetches the document at an address, through its redirects. An error page is a document too: one without HTML is
// an empty one.
func (a *Auditor) fetchPage(own *allotment, u *weburl.URL) (*fetchedPage, *Failure) {
	start := time.Now()
	e, failure := a.client.open(own, request{http.MethodGet, u, acceptPage, a.MaxRedirects})
	if failure != nil {
		return nil, failure
	}
	defer e.close()
	e.tls = a.client.verifier.facts(e.answer.TLS, e.url.Hostname())
	media := header.MIMEType(e.header)
	if neverHTML(media) {
		return e.pageWithoutHTML(start, time.Now(), media)
	}
	end, err := own.receive(e, a.MaxSize)
	if err != nil {
		return nil, bodyFailure(own, err, a.MaxSize)
	}
	if !isHTMLType(media) && !startsLikeHTML(e.body) {
		return e.pageWithoutHTML(start, end, media)
	}
	return &fetchedPage{fetched: e.fetched, timings: e.trace.timings(start, end)}, nil
}

// pageWithoutHTML returns the empty document of an error, or the failure of what is no page.
func (e *exchange) pageWithoutHTML(start, end time.Time, media string) (*fetchedPage, *Failure) {
	if e.status < 400 {
		if media == "" {
			return nil, newFailure(CodeNotHTML, "The address answers without a Content-Type, and with something else than HTML.")
		}
		return nil, newFailure(CodeNotHTML, fmt.Sprintf("The address answers with %s, not with an HTML page.", cutText(media, 100)))
	}
	e.body, e.size = nil, 0
	return &fetchedPage{fetched: e.fetched, timings: e.trace.timings(start, end)}, nil
}

func isHTMLType(media string) bool {
	return media == "text/html" || media == "application/xhtml+xml"
}

// neverHTML reports whether a body need not be read to know that it is no page. Other types are looked at: pages that are
// labelled as plain text, XML or nothing are common, and the check mime-type is there to say so.
func neverHTML(media string) bool {
	kind, _, _ := strings.Cut(media, "/")
	switch kind {
	case "image", "audio", "video", "font":
		return true
	}
	return media == "application/pdf" || media == "application/zip"
}

// startsLikeHTML reports whether content that is not labelled as HTML is a page all the same: it begins with a doctype or a tag
// of one (WHATWG MIME Sniffing).
func startsLikeHTML(body []byte) bool {
	return strings.HasPrefix(http.DetectContentType(body), "text/html")
}
